// What translated kernels stand on, in MicroPython (tools/native/translate.py): in a native module,
// or compiled into the firmware. Python calls a kernel with numbers and buffers; a group is a
// buffer, too, of addresses. Called with nothing, a kernel answers its own address, by which
// other kernels call it (picograve/kernel.py: bind).
#ifdef MICROPY_ENABLE_DYNRUNTIME
#include "py/dynruntime.h"
#define floor_divide(a, b) mp_fun_table.small_int_floor_divide(a, b)
#define modulo(a, b) mp_fun_table.small_int_modulo(a, b)
#else
#include "py/runtime.h"
#include "py/smallint.h"
#define floor_divide(a, b) mp_small_int_floor_divide(a, b)
#define modulo(a, b) mp_small_int_modulo(a, b)
#endif
#include <stdint.h>

typedef int32_t int_t;
// Between Python and a kernel: called so seldom that only its bytes count.
#define SELDOM __attribute__((unused, noinline, optimize("Os"))) static
#define FEW_ROUNDS _Pragma("GCC unroll 8")

// Whole buffers, which do not overlap and which MicroPython aligns to words. Four words at a
// time take 16 cycles on a Cortex-M0+, where GCC's own loop takes 28.
__attribute__((unused)) static void copy_bytes(void *to, const void *from, size_t count) {
    uint32_t *t = to;
    const uint32_t *f = from;
    size_t words = count / 4;
    #ifdef __ARM_ARCH_6M__
    for (; words >= 4; words -= 4) {
        __asm__ volatile ("ldmia %0!, {r3, r4, r5, r6}\n\tstmia %1!, {r3, r4, r5, r6}"
            : "+l" (f), "+l" (t) : : "r3", "r4", "r5", "r6", "memory");
    }
    #else
    for (; words >= 4; words -= 4, t += 4, f += 4) {
        uint32_t a = f[0], b = f[1], c = f[2], d = f[3];
        t[0] = a;
        t[1] = b;
        t[2] = c;
        t[3] = d;
    }
    #endif
    while (words-- > 0) {
        *t++ = *f++;
    }
    for (size_t i = count & ~(size_t)3; i < count; i++) {
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    }
}

SELDOM void *address_of(mp_obj_t buffer) {
    mp_buffer_info_t info;
    mp_get_buffer_raise(buffer, &info, MP_BUFFER_READ);
    return info.buf;
}

SELDOM int_t number_of(mp_obj_t number) {
    return mp_obj_get_int_truncated(number);
}

SELDOM mp_obj_t number(int_t value) {
    return mp_obj_new_int(value);
}

// A call with another number of arguments than the kernel's own.
SELDOM mp_obj_t not_called(size_t count, void *kernel) {
    if (count != 0) {
        mp_raise_TypeError(MP_ERROR_TEXT("wrong number of arguments"));
    }
    return mp_obj_new_int_from_uint((uintptr_t)kernel);
}
