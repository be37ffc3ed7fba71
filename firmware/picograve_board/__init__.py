"""What only the board runs: a service that thinks for a host at the other end of a serial line."""
