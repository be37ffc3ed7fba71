// A Raspberry Pi Pico without the board: runs a firmware image in rp2040js and joins the chip's
// USB serial to this process's pipes.
//
//   node rp2040.mjs COMMANDS LIBRARY BOOTROM IMAGE [FLASH]
//
//   stdin     bytes to the chip
//   stdout    bytes from the chip
//   stderr    "connected" when the USB host has set the chip up; any other line is a complaint
//   COMMANDS  a file descriptor: "reset" pulls the chip's RUN pin; "off", or its end, switches
//             the chip off
//
// FLASH is the file that holds the chip's flash between two runs. IMAGE is written over its
// start, as a UF2 copied to a board would be; the chip's file system lies behind it.
//
// Three things differ from the library's own runner. Time: emulated time never runs ahead of the
// wall clock, or a sleeping chip would skip through every timeout of its host; where the machine
// is too slow, emulated time falls behind and stays behind. Clock: a cycle is as long as the
// program has set it (the library follows the PLLs; its own runner stays at 125 MHz), and there is
// a voltage regulator: a clock for which its voltage is not certified stops the chip. USB: an
// endpoint that the chip has opened for reading is answered when there are bytes; the library
// answers every 10 us, with nothing, and the chip would do little else than take these interrupts.
//
// Not counted: the cycles that a chip waits for its flash when the cache (XIP) misses.

import fs from 'node:fs';
import net from 'node:net';
import { pathToFileURL } from 'node:url';

process.on('uncaughtException', (error) => {
  tell(String(error));
  process.exit(1);
});

const [commandsFd, library, bootromFile, imageFile, flashFile] = process.argv.slice(2);
const { BasePeripheral, RP2040, USBCDC } = await import(
  pathToFileURL(`${library}/dist/esm/index.js`));

const FLASH_BYTES = 2 * 1024 * 1024;
const SLICE = 50_000; // instructions between two looks at the pipes and the clock: some 2 ms
const NAP_MS = 20; // the longest sleep of an idle chip; input wakes it at once
const INPUT_BYTES = 4096; // more waits in the pipe, so that the writer is slowed down

// Breakpoints of bootrom.c.
const FLASH_ERASE = 0xe0;
const FLASH_PROGRAM = 0xe1;
const USB_BOOT = 0xe2;
const ENDS = {
  0xe3: 'its flash holds no program',
  0xe4: 'the program wants a ROM function that bootrom.c has not',
  0xe5: 'a fault before the program began',
};

const WATCHDOG = 0x40058; // the library's table of peripherals is by address / 4096
const REGULATOR = 0x40064;
const BOOT_VOLTAGE = 11; // 1.10 V, in steps of 0.05 V
const CERTIFIED = { atBoot: 133e6, above: 200e6 }; // Hz at this voltage, and above it

const bootrom = new Uint32Array(new Uint8Array(fs.readFileSync(bootromFile)).buffer);
let flash = new Uint8Array(FLASH_BYTES).fill(0xff);
if (flashFile && fs.existsSync(flashFile)) flash.set(fs.readFileSync(flashFile));
flash.set(fs.readFileSync(imageFile));

let chip; // the present one: a reset makes a new one
let clock;
let cdc;
let input; // bytes for the chip
let wanted; // bytes that the chip is ready to read
let reset; // the watchdog, when it asks for one
let halted; // in the boot loader, until a reset
let nanosPerCycle;
let started; // the wall clock's ms at which emulated time was 0

// The chip.

// Start it; after a watchdog's reset the new one knows why.
function power(watchdog) {
  chip = new RP2040();
  clock = chip.clock;
  chip.logger = { debug() {}, info() {}, warn() {}, error: (who, what) => tell(`${who}: ${what}`) };
  chip.onBreak = breakpoint;
  chip.loadBootrom(bootrom);
  chip.flash.set(flash);
  flash = chip.flash.subarray(0, FLASH_BYTES);
  const dog = chip.peripherals[WATCHDOG];
  if (watchdog) {
    dog.reason = watchdog.reason;
    dog.scratchData.set(watchdog.scratchData);
  }
  dog.onWatchdogTrigger = () => {
    dog.timer.enable = false; // it would go off again at once, for ever
    reset = dog;
  };
  const regulator = chip.peripherals[REGULATOR] = new Regulator(chip, 'VREG');
  nanosPerCycle = 1e9 / chip.clkSys;
  chip.addClockListener((hertz) => {
    nanosPerCycle = 1e9 / hertz;
    regulator.check(hertz);
  });
  input = [];
  wanted = 0;
  reset = null;
  halted = false;
  started = performance.now();
  connect();
}

function breakpoint(number) {
  const [r0, r1, r2] = chip.core.registers;
  if (number === FLASH_ERASE) {
    flash.fill(0xff, r0, r0 + r1);
  } else if (number === FLASH_PROGRAM) {
    for (let i = 0; i < r2; i++) flash[r0 + i] &= chip.readUint8(r1 + i); // bits only fall
  } else if (number === USB_BOOT) {
    halted = true;
  } else {
    stop(ENDS[number] ?? 'breakpoint ' + hex(number));
  }
}

function stop(why) {
  tell(`the chip stopped: ${why} (pc ${hex(chip.core.PC)}, called from ${hex(chip.core.LR)})`);
  process.exit(1);
}

function hex(value) {
  return '0x' + (value >>> 0).toString(16);
}

// The voltage of the core, in bits 4 to 7 of the first register; bit 12 says that it is reached.
class Regulator extends BasePeripheral {
  control = BOOT_VOLTAGE << 4 | 1;

  readUint32(offset) {
    return offset === 0 ? this.control | 1 << 12 : super.readUint32(offset);
  }

  writeUint32(offset, value) {
    if (offset === 0) this.control = value & 0xf3;
    else super.writeUint32(offset, value);
  }

  check(hertz) {
    const voltage = this.control >> 4;
    if (hertz <= (voltage > BOOT_VOLTAGE ? CERTIFIED.above : CERTIFIED.atBoot)) return;
    stop(`${hertz / 1e6} MHz are too many for ${(0.55 + voltage / 20).toFixed(2)} V`);
  }
}

// USB.

function connect() {
  cdc = new USBCDC(chip.usbCtrl);
  cdc.onDeviceConnected = () => tell('connected');
  cdc.onSerialData = (bytes) => process.stdout.write(bytes);
  chip.usbCtrl.onEndpointRead = (endpoint, size) => {
    if (endpoint !== cdc.outEndpoint) return;
    wanted = size;
    feed();
  };
}

function feed() {
  if (!wanted || !input.length) return;
  const bytes = Uint8Array.from(input.splice(0, wanted));
  wanted = 0;
  chip.usbCtrl.endpointReadDone(cdc.outEndpoint, bytes);
  if (input.length < INPUT_BYTES) process.stdin.resume();
}

// Time.

let nap = null; // the timer of a sleeping chip

function wake() {
  if (nap === null) return;
  clearTimeout(nap);
  nap = null;
  setImmediate(live);
}

function live() {
  nap = null;
  if (reset) power(reset);
  const end = (performance.now() - started) * 1e6;
  run(end);
  if (clock.nanos < end) started += (end - clock.nanos) / 1e6; // too slow: it stays behind
  feed();
  const idle = idleMs();
  if (idle >= 1) nap = setTimeout(live, idle);
  else setImmediate(live);
}

// Execute until the emulated clock shows `end` (ns), for a slice at most.
function run(end) {
  const core = chip.core;
  for (let left = SLICE; left > 0 && clock.nanosCounter < end && !reset && !halted; left--) {
    if (core.waiting) {
      const alarm = clock.nextAlarm ? clock.nextAlarm.nanos : Infinity;
      clock.tick(Math.min(alarm, end) - clock.nanosCounter);
    } else {
      clock.tick(core.executeInstruction() * nanosPerCycle);
    }
  }
}

// How long the chip can be left alone.
function idleMs() {
  if (halted) return NAP_MS;
  const next = chip.core.waiting ? clock.nextAlarm?.nanos ?? Infinity : clock.nanos;
  return Math.min(NAP_MS, next / 1e6 - (performance.now() - started));
}

// The pipes. Whoever reads ours may be gone: then the commands' end follows.

function tell(line) {
  process.stderr.write(line + '\n');
}

process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

process.stdin.on('data', (bytes) => {
  for (const byte of bytes) input.push(byte);
  if (input.length >= INPUT_BYTES) process.stdin.pause();
  wake();
});

function off() {
  if (flashFile) {
    fs.writeFileSync(flashFile + '.part', flash);
    fs.renameSync(flashFile + '.part', flashFile);
  }
  process.exit(0);
}

const commands = new net.Socket({ fd: Number(commandsFd), readable: true, writable: false });
commands.on('data', (bytes) => {
  if (bytes.includes('off')) off();
  power();
  process.stdin.resume();
  wake();
});
commands.on('end', off);

power();
live();
