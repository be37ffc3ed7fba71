// What main.c needs of chip.c.

void chip_start(void);
