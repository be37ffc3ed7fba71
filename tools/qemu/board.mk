# The chips of the emulated boards, as a board of MicroPython's qemu port: make CHIP=m4, m33 or rv32.

ifeq ($(CHIP),rv32)
QEMU_ARCH = riscv32
QEMU_MACHINE = virt
# Debian's compiler has no libraries for rv32imac_zicsr. In version 2.2 of the instruction set, Zicsr
# belongs to the base.
RV32_ARCH = rv32imac
AFLAGS += -misa-spec=2.2
CFLAGS += -DQEMU_SOC_VIRT -DMICROPY_HW_MCU_NAME='"RV32IMAC"'
LDSCRIPT = mcu/rv32/virt.ld
SRC_BOARD_O += shared/runtime/gchelper_native.o shared/runtime/gchelper_rv32i.o
MPY_CROSS_FLAGS += -march=rv32imc

else
QEMU_ARCH = arm
ifeq ($(CHIP),m33)
QEMU_MACHINE = mps2-an505
AFLAGS += -mcpu=cortex-m33
CFLAGS += -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -DMICROPY_HW_MCU_NAME='"Cortex-M33"'
CFLAGS += -DUART=0x50200000 -DCOUNTER=0x50302018 -DCOUNTER_MHZ=20
else
QEMU_MACHINE = mps2-an386
AFLAGS += -mcpu=cortex-m4
CFLAGS += -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -DMICROPY_HW_MCU_NAME='"Cortex-M4"'
CFLAGS += -DUART=0x40004000 -DCOUNTER=0x40028018 -DCOUNTER_MHZ=25
endif
CFLAGS += -mthumb -mfloat-abi=hard -DQEMU_SOC_MPS2
LDSCRIPT = mcu/arm/mps2.ld
SRC_BOARD_O += shared/runtime/gchelper_native.o shared/runtime/gchelper_thumb2.o
MPY_CROSS_FLAGS += -march=armv7emsp
endif

CFLAGS += -DMP_CONFIGFILE='<config.h>'
MICROPY_VFS_LFS2 = 1
SRC_C += chip.c flash.c shared/timeutils/timeutils.c
