"""One description a board, in TOML: chip, .mpy arch, heap, serial line, default budget."""
