// What translated kernels stand on, on a desktop (tools/native/translate.py).
#include <stdint.h>
#include <string.h>

// As wide as an address: an index needs no widening (1.1 times the playouts in Hex). What a kernel
// computes fits 32 bits; built with INT_T=int32_t, sanitizers see where it does not.
#ifndef INT_T
#define INT_T int64_t
#endif
typedef INT_T int_t;

#define FEW_ROUNDS _Pragma("GCC unroll 8") // 1.1 times the playouts in Othello

static inline int32_t floor_divide(int32_t a, int32_t b) {
    int32_t quotient = a / b;
    return a % b != 0 && (a ^ b) < 0 ? quotient - 1 : quotient;
}

static inline int32_t modulo(int32_t a, int32_t b) {
    int32_t rest = a % b;
    return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

#define copy_bytes(to, from, count) memcpy(to, from, count)
