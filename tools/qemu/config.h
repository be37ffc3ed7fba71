// What a board has and MicroPython's qemu port lacks: a clock, a line that can be waited for,
// Ctrl-C, and a file system.

#include "mpconfigport.h"

#undef MICROPY_PY_TIME
#undef MICROPY_PY_SELECT
#undef MICROPY_PY_SYS_STDIO_BUFFER

#define MICROPY_PY_TIME (1)
#define MICROPY_PY_SELECT (1)
#define MICROPY_PY_SYS_STDIO_BUFFER (1)
#define MICROPY_KBD_EXCEPTION (1)

void chip_wait(void);
#define MICROPY_INTERNAL_WFE(milliseconds) chip_wait()

// No interrupt reports a Ctrl-C: bytecode looks for one now and then.
void chip_listen(void);
#define MICROPY_VM_HOOK_INIT static unsigned chip_jumps;
#define MICROPY_VM_HOOK_LOOP if (++chip_jumps % 256 == 0) { chip_listen(); }
