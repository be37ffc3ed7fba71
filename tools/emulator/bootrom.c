// A stand-in for the RP2040's mask ROM, for the emulator.
//
// The chip's own ROM is not ours to hand out. This is a new one, written against what the
// Pico SDK expects of version 3: a header at address 0, tables of functions and of data that
// are looked up by codes of two letters, and in two of those tables the arithmetic of floats
// and doubles. It holds what MicroPython's firmware uses. Any other entry stops the chip at
// the breakpoint UNSUPPORTED, which the emulator reports with the caller's address.
//
// Differences from the real ROM: there is no boot over USB; flash is written by the emulator;
// the second core never starts; denormal floats are kept, not taken for zero.

#include <stddef.h>
#include <stdint.h>

// Breakpoints that the emulator answers, with arguments in r0 to r2 (rp2040.mjs has the same).
#define FLASH_ERASE 0xe0    // offset, bytes
#define FLASH_PROGRAM 0xe1  // offset, data, bytes
#define USB_BOOT 0xe2
#define NO_PROGRAM 0xe3
#define UNSUPPORTED 0xe4
#define FAULT 0xe5

#define STRING(x) #x
#define BREAKPOINT(number) "bkpt #" STRING(number) "\n"
#define ROM __attribute__((used))               // named in a table only
#define ROM_NAKED __attribute__((used, naked))  // nothing but the assembly inside
#define PLAIN_LOOP \
    __attribute__((used, optimize("unroll-loops", "no-tree-loop-distribute-patterns")))

// Header. Version 3 is the ROM of the chip's stepping B2. The stack is below the boot ROM's
// work area at the top of RAM. Thumb addresses are odd: the linker adds the 1 in words only.

__asm__(
    ".section .header, \"a\"\n"
    ".word 0x20041f00, reset, fault, fault\n"
    ".ascii \"Mu\"\n"
    ".byte 1, 3\n"
    ".hword functions, data, find + 1\n");

// Tables: a code of two letters, then an address.

#define FUNCTION(code, name) ".ascii \"" code "\"\n.hword " #name " + 1\n"
#define DATA(code, name) ".ascii \"" code "\"\n.hword " #name "\n"

__asm__(
    ".section .rodata\n"
    ".balign 4\n"
    "functions:\n"
    FUNCTION("P3", count_ones)
    FUNCTION("L3", leading_zeros)
    FUNCTION("T3", trailing_zeros)
    FUNCTION("R3", reverse_bits)
    FUNCTION("MS", memset)
    FUNCTION("S4", memset)
    FUNCTION("MC", memcpy)
    FUNCTION("C4", memcpy)
    FUNCTION("IF", nothing)  // connect the flash
    FUNCTION("EX", nothing)  // leave execute-in-place
    FUNCTION("RE", flash_erase)
    FUNCTION("RP", flash_program)
    FUNCTION("FC", nothing)  // flush the flash's cache
    FUNCTION("CX", nothing)  // enter execute-in-place
    FUNCTION("UB", usb_boot)
    ".hword 0\n"
    ".balign 4\n"
    "data:\n"
    DATA("SF", float_table + 4)
    DATA("SD", double_table + 4)
    ".hword 0\n"
    ".text\n");

ROM const void *find(const uint16_t *table, uint32_t code) {
    for (; table[0]; table += 2)
        if (table[0] == code)
            return (const void *)(uintptr_t)table[1];
    return NULL;
}

// Starting and stopping.

ROM_NAKED void fault(void) { __asm__("1: " BREAKPOINT(FAULT) "b 1b\n"); }
ROM_NAKED void unsupported(void) { __asm__("1: " BREAKPOINT(UNSUPPORTED) "b 1b\n"); }
ROM_NAKED void no_program(void) { __asm__("1: " BREAKPOINT(NO_PROGRAM) "b 1b\n"); }
ROM_NAKED void usb_boot(void) { __asm__("1: " BREAKPOINT(USB_BOOT) "b 1b\n"); }

// CRC-32 as the ROM takes it: highest bit first, not inverted at the end.
static uint32_t crc32(const uint8_t *bytes, int count) {
    uint32_t crc = 0xffffffff;
    while (count--) {
        crc ^= (uint32_t)*bytes++ << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (crc >> 31 ? 0x04c11db7 : 0);
    }
    return crc;
}

// The second stage of the boot is the first 256 bytes of flash, the last four its checksum.
// Called with a return address of 0, it goes on to the program behind it.
ROM void reset(void) {
    const uint8_t *stage = (const uint8_t *)0x10000000;
    if (crc32(stage, 252) != *(const uint32_t *)(stage + 252))
        no_program();
    __asm__("movs r1, #0\n"
            "mov lr, r1\n"
            "bx %0\n"
            : : "l"(stage + 1) : "r1");  // odd: Thumb
}

// Flash.

ROM_NAKED void flash_erase(void) { __asm__(BREAKPOINT(FLASH_ERASE) "bx lr\n"); }
ROM_NAKED void flash_program(void) { __asm__(BREAKPOINT(FLASH_PROGRAM) "bx lr\n"); }
ROM void nothing(void) {}

// Bits.

ROM uint32_t count_ones(uint32_t value) {
    uint32_t count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

ROM uint32_t leading_zeros(uint32_t value) {
    uint32_t count = 0;
    for (uint32_t bit = 0x80000000; bit && !(value & bit); bit >>= 1)
        count++;
    return count;
}

ROM uint32_t trailing_zeros(uint32_t value) {
    uint32_t count = 0;
    for (uint32_t bit = 1; bit && !(value & bit); bit <<= 1)
        count++;
    return count;
}

ROM uint32_t reverse_bits(uint32_t value) {
    uint32_t reversed = 0;
    for (int i = 0; i < 32; i++, value >>= 1)
        reversed = reversed << 1 | (value & 1);
    return reversed;
}

// Memory, in words of 4 bytes where both sides allow. Compiled as plain loops: GCC would
// otherwise see that they are memset and memcpy, and let them call themselves.

PLAIN_LOOP void *memset(void *target, int value, size_t count) {
    uint8_t *to = target;
    uint32_t word = (uint8_t)value * 0x01010101u;
    for (; count && (uintptr_t)to & 3; count--)
        *to++ = value;
    for (; count >= 4; count -= 4, to += 4)
        *(uint32_t *)to = word;
    while (count--)
        *to++ = value;
    return target;
}

PLAIN_LOOP void *memcpy(void *target, const void *source, size_t count) {
    uint8_t *to = target;
    const uint8_t *from = source;
    if ((((uintptr_t)to ^ (uintptr_t)from) & 3) == 0) {
        for (; count && (uintptr_t)to & 3; count--)
            *to++ = *from++;
        for (; count >= 4; count -= 4, to += 4, from += 4)
            *(uint32_t *)to = *(const uint32_t *)from;
    }
    while (count--)
        *to++ = *from++;
    return target;
}

// Floats and doubles, by the compiler's own library. To an integer the ROM rounds down, and
// what does not fit becomes the nearest that does. One text serves both types.

#define ARITHMETIC(real, other, letter)                                           \
    static real letter##_add(real a, real b) { return a + b; }                    \
    static real letter##_subtract(real a, real b) { return a - b; }               \
    static real letter##_multiply(real a, real b) { return a * b; }               \
    static real letter##_divide(real a, real b) { return a / b; }                 \
    static int letter##_compare(real a, real b) { return (a > b) - (a < b); }     \
    static real letter##_of_int(int32_t v) { return v; }                          \
    static real letter##_of_uint(uint32_t v) { return v; }                        \
    static real letter##_of_int64(int64_t v) { return v; }                        \
    static real letter##_of_uint64(uint64_t v) { return v; }                      \
    static int64_t letter##_to_int64(real v) {                                    \
        if (v >= 0x1p63f) return INT64_MAX;                                       \
        if (v < -0x1p63f) return INT64_MIN;                                       \
        int64_t whole = v;                                                        \
        return whole - (whole > v);                                               \
    }                                                                             \
    static int32_t letter##_to_int(real v) {                                      \
        int64_t whole = letter##_to_int64(v);                                     \
        return whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole; \
    }                                                                             \
    static uint64_t letter##_to_uint64(real v) {                                  \
        return v <= 0 ? 0 : v >= 0x1p64f ? UINT64_MAX : (uint64_t)v;              \
    }                                                                             \
    static uint32_t letter##_to_uint(real v) {                                    \
        return v <= 0 ? 0 : v >= 0x1p32f ? UINT32_MAX : (uint32_t)v;              \
    }                                                                             \
    static other letter##_to_other(real v) { return v; }

ARITHMETIC(float, double, f)
ARITHMETIC(double, float, d)

// The order is the ROM's. Its other entries (fixed point, square root, trigonometry) are not
// used by MicroPython, which brings its own library for them.

struct table {
    uint16_t reserved;
    uint8_t entries, version;
    const void *entry[32];
};

#define TABLE(letter)                                                             \
    {0, 32, 0, {                                                                  \
        [0 ... 31] = unsupported,                                                 \
        [0] = letter##_add, letter##_subtract, letter##_multiply, letter##_divide, \
        [4] = letter##_compare,                                                   \
        [7] = letter##_to_int, [9] = letter##_to_uint,                            \
        [11] = letter##_of_int, [13] = letter##_of_uint,                          \
        [21] = letter##_compare,                                                  \
        [23] = letter##_of_int64, [25] = letter##_of_uint64,                      \
        [27] = letter##_to_int64, [29] = letter##_to_uint64,                      \
        [31] = letter##_to_other,                                                 \
    }}

ROM const struct table float_table = TABLE(f), double_table = TABLE(d);
