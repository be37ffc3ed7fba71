// The chip's clock, its sleep, and its end of the serial line (MicroPython's mp_hal functions).
//
// Interrupts stay masked: a pending one still ends a sleep, and nothing needs a handler. So bytes
// are fetched when somebody waits for one, and now and then while bytecode runs. QEMU holds back
// what the chip has not fetched: none is lost. An idle chip must sleep: QEMU's serial line needs
// the lock that a processor in a waiting loop would hold most of the time.

#include "py/mphal.h"
#include "py/mpstate.h"
#include "py/ringbuf.h"
#include "py/runtime.h"
#include "py/stream.h"
#include "chip.h"
#include "uart.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TICK_US 1000 // the longest sleep

#if defined(__riscv)

#define COMPARE 0x02004000 // mtimecmp
#define TIME 0x0200bff8 // mtime
#define TIME_MHZ 10
#define UART_INTERRUPT 10
#define INTERRUPTS 0x0c000000 // the PLIC: priorities, then these
#define ENABLED (INTERRUPTS + 0x2000)
#define CLAIM (INTERRUPTS + 0x200004)
#define UART 0x10000000
#define WAKING (1 << 7 | 1 << 11) // in mie: the timer, and the PLIC

void chip_start(void) {
    *(volatile uint8_t *)(UART + 2) = 0xc1; // QEMU hands over up to 14 bytes at once
    *(volatile uint8_t *)(UART + 1) = 1; // a received byte interrupts
    REGISTER(INTERRUPTS + 4 * UART_INTERRUPT) = 1;
    REGISTER(ENABLED) = 1 << UART_INTERRUPT;
    __asm volatile ("csrci mstatus, 8"); // interrupts stay masked
    __asm volatile ("csrs mie, %0" : : "r" (WAKING));
}

static uint64_t microseconds(void) {
    uint32_t high, low;
    do {
        high = REGISTER(TIME + 4);
        low = REGISTER(TIME);
    } while (high != REGISTER(TIME + 4));
    return ((uint64_t)high << 32 | low) / TIME_MHZ;
}

static void sleep_a_tick(void) {
    uint64_t end = (microseconds() + TICK_US) * TIME_MHZ;
    REGISTER(COMPARE + 4) = 0xffffffff; // never earlier than meant
    REGISTER(COMPARE) = end;
    REGISTER(COMPARE + 4) = end >> 32;
    __asm volatile ("wfi");
    REGISTER(CLAIM) = REGISTER(CLAIM); // handled
}

#else

#define COPROCESSORS 0xe000ed88 // CPACR
#define SYSTICK 0xe000e010 // control, reload
#define ENABLE 0xe000e100 // NVIC_ISER
#define CLEAR 0xe000e280 // NVIC_ICPR
#define INTERRUPT_WORDS 3
#define SYSTEM_INTERRUPTS 0xe000ed04 // ICSR
#define CLEAR_SYSTICK (1 << 25)

void chip_start(void) {
    REGISTER(COPROCESSORS) |= 0xf << 20; // the FPU: without, the first float is a fault
    __asm volatile ("dsb; isb; cpsid i");
    REGISTER(COUNTER + 4) = COUNTER_MHZ - 1; // the counter's prescaler: 1 MHz
    REGISTER(SYSTICK + 4) = TICK_US * COUNTER_MHZ - 1;
    REGISTER(SYSTICK) = 7; // the processor's clock, interrupts, on
    REGISTER(UART + 8) |= 1 << 3; // a received byte interrupts
    for (int i = 0; i < INTERRUPT_WORDS; i++) {
        REGISTER(ENABLE + 4 * i) = 0xffffffff;
    }
}

// The counter has 32 bits and wraps every 71 minutes: an idle chip looks at it more often.
static uint64_t microseconds(void) {
    static uint64_t last;
    last += (uint32_t)(REGISTER(COUNTER) - (uint32_t)last);
    return last;
}

static void sleep_a_tick(void) {
    __asm volatile ("dsb; wfi");
    REGISTER(SYSTEM_INTERRUPTS) = CLEAR_SYSTICK;
    REGISTER(UART + 12) = 2; // the received byte's interrupt is handled
    for (int i = 0; i < INTERRUPT_WORDS; i++) {
        REGISTER(CLEAR + 4 * i) = 0xffffffff;
    }
}

#endif

// The clock.

mp_uint_t mp_hal_ticks_us(void) {
    return microseconds();
}

mp_uint_t mp_hal_ticks_ms(void) {
    return microseconds() / 1000;
}

mp_uint_t mp_hal_ticks_cpu(void) {
    return microseconds();
}

uint64_t mp_hal_time_ns(void) {
    return microseconds() * 1000;
}

void mp_hal_delay_us(mp_uint_t us) {
    uint64_t end = microseconds() + us;
    while (microseconds() < end) {
    }
}

void mp_hal_delay_ms(mp_uint_t ms) {
    uint64_t end = microseconds() + ms * 1000ull;
    while (microseconds() < end) {
        mp_event_wait_ms(1);
    }
}

// The line.

static uint8_t buffer[256];
static ringbuf_t heard = { buffer, sizeof(buffer), 0, 0 };

void chip_listen(void) {
    while (ringbuf_free(&heard)) {
        int byte = uart_rx_chr();
        if (byte < 0) {
            return;
        }
        if (byte == mp_interrupt_char) {
            mp_sched_keyboard_interrupt();
        } else {
            ringbuf_put(&heard, byte);
        }
    }
}

// Whoever calls this listens again: a byte that came before the sleep was not missed, since it
// leaves an interrupt pending.
void chip_wait(void) {
    chip_listen();
    if (!ringbuf_avail(&heard)) {
        sleep_a_tick();
    }
}

uintptr_t mp_hal_stdio_poll(uintptr_t flags) {
    chip_listen();
    uintptr_t readable = ringbuf_avail(&heard) ? MP_STREAM_POLL_RD : 0;
    return flags & (readable | MP_STREAM_POLL_WR);
}

int mp_hal_stdin_rx_chr(void) {
    for (;;) {
        chip_listen();
        int byte = ringbuf_get(&heard);
        if (byte >= 0) {
            return byte;
        }
        mp_event_wait_indefinite();
    }
}

mp_uint_t mp_hal_stdout_tx_strn(const char *text, size_t length) {
    uart_tx_strn(text, length);
    return length;
}
