// The module `flash`: a block device whose blocks lie in the file flash.bin of the folder in which
// QEMU was started. The chip reaches it by semihosting, calls that QEMU answers (Arm's
// "Semihosting for AArch32 and AArch64"; RISC-V takes the same numbers). So what is written
// is kept over resets, as in the flash of a board.

#include "py/mperrno.h"
#include "py/runtime.h"
#include "extmod/vfs.h"

#define BLOCK_BYTES 4096
#define BLOCKS 256
#define FILE_NAME "flash.bin"

enum { OPEN = 1, WRITE = 5, READ = 6, SEEK = 10 };
enum { READ_AND_WRITE = 3, MAKE = 7 }; // of OPEN: fopen's "r+b" and "w+b"

static int ask_host(int what, const uint32_t *arguments) {
    #if defined(__riscv)
    register int result __asm ("a0") = what;
    register const uint32_t *pointer __asm ("a1") = arguments;
    __asm volatile (
        ".option push\n"
        ".option norvc\n"
        ".balign 16\n" // on one page
        "slli zero, zero, 0x1f\n"
        "ebreak\n"
        "srai zero, zero, 7\n"
        ".option pop\n"
        : "+r" (result) : "r" (pointer) : "memory");
    #else
    register int result __asm ("r0") = what;
    register const uint32_t *pointer __asm ("r1") = arguments;
    __asm volatile ("bkpt 0xab" : "+r" (result) : "r" (pointer) : "memory");
    #endif
    return result;
}

static int open_file(int mode) {
    uint32_t arguments[] = { (uint32_t)FILE_NAME, mode, sizeof(FILE_NAME) - 1 };
    return ask_host(OPEN, arguments);
}

// Read or write at a place; the number of bytes that were not.
static int transfer(int what, mp_obj_t block, mp_obj_t offset, const mp_buffer_info_t *data) {
    static int file = -1;
    if (file < 0) {
        file = open_file(READ_AND_WRITE);
    }
    if (file < 0) {
        file = open_file(MAKE);
    }
    uint32_t place = mp_obj_get_int(block) * BLOCK_BYTES + mp_obj_get_int(offset);
    uint32_t seek[] = { file, place };
    uint32_t arguments[] = { file, (uint32_t)data->buf, data->len };
    if (file < 0 || ask_host(SEEK, seek) < 0) {
        mp_raise_OSError(MP_EIO);
    }
    return ask_host(what, arguments);
}

static mp_obj_t flash_readblocks(mp_obj_t block, mp_obj_t buffer, mp_obj_t offset) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(buffer, &data, MP_BUFFER_WRITE);
    int missing = transfer(READ, block, offset, &data);
    memset((byte *)data.buf + data.len - missing, 0xff, missing); // never written
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_3(flash_readblocks_obj, flash_readblocks);

static mp_obj_t flash_writeblocks(mp_obj_t block, mp_obj_t buffer, mp_obj_t offset) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(buffer, &data, MP_BUFFER_READ);
    if (transfer(WRITE, block, offset, &data)) {
        mp_raise_OSError(MP_EIO);
    }
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_3(flash_writeblocks_obj, flash_writeblocks);

// A file needs no erasing: that and everything else is done as soon as it is asked for.
static mp_obj_t flash_ioctl(mp_obj_t what, mp_obj_t argument) {
    switch (mp_obj_get_int(what)) {
        case MP_BLOCKDEV_IOCTL_BLOCK_COUNT:
            return MP_OBJ_NEW_SMALL_INT(BLOCKS);
        case MP_BLOCKDEV_IOCTL_BLOCK_SIZE:
            return MP_OBJ_NEW_SMALL_INT(BLOCK_BYTES);
        default:
            return MP_OBJ_NEW_SMALL_INT(0);
    }
}
static MP_DEFINE_CONST_FUN_OBJ_2(flash_ioctl_obj, flash_ioctl);

static const mp_rom_map_elem_t flash_globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_flash) },
    { MP_ROM_QSTR(MP_QSTR_readblocks), MP_ROM_PTR(&flash_readblocks_obj) },
    { MP_ROM_QSTR(MP_QSTR_writeblocks), MP_ROM_PTR(&flash_writeblocks_obj) },
    { MP_ROM_QSTR(MP_QSTR_ioctl), MP_ROM_PTR(&flash_ioctl_obj) },
};
static MP_DEFINE_CONST_DICT(flash_globals, flash_globals_table);

const mp_obj_module_t flash_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&flash_globals,
};
MP_REGISTER_MODULE(MP_QSTR_flash, flash_module);
