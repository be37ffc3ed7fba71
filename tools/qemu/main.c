// A board's life, in place of the qemu port's: boot with a file system, run main.py, then the
// prompt; after a Ctrl-D there, again.

#include <stdlib.h>

#include "py/cstack.h"
#include "py/gc.h"
#include "py/mphal.h"
#include "py/runtime.h"
#include "shared/runtime/gchelper.h"
#include "shared/runtime/pyexec.h"
#include "chip.h"

#define STACK_BYTES 16384

static uint32_t heap[MICROPY_HEAP_SIZE / sizeof(uint32_t)];

static int prompt(void) {
    return pyexec_mode_kind == PYEXEC_MODE_RAW_REPL ? pyexec_raw_repl() : pyexec_friendly_repl();
}

int main(void) {
    chip_start();
    mp_cstack_init_with_sp_here(STACK_BYTES);
    for (;;) {
        gc_init(heap, (char *)heap + sizeof(heap));
        mp_init();
        pyexec_frozen_module("_boot.py", false);
        if (pyexec_mode_kind == PYEXEC_MODE_FRIENDLY_REPL) {
            pyexec_file_if_exists("main.py");
        }
        while (prompt() == 0) {
        }
        mp_hal_stdout_tx_str("MPY: soft reboot\r\n");
        gc_sweep_all();
        mp_deinit();
    }
}

void gc_collect(void) {
    gc_collect_start();
    gc_helper_collect_regs_and_stack();
    gc_collect_end();
}

void nlr_jump_fail(void *exception) {
    mp_hal_stdout_tx_str("an exception that nobody catches\r\n");
    exit(1); // QEMU ends; whoever started it starts it again
}
