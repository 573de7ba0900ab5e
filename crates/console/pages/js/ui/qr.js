// A QR code of a safety number: version 5, error correction L, byte mode. That is room for 106 bytes.

import { h, svg } from "../dom.js";
import { t } from "../i18n.js";

const SIZE = 37;
const DATA_BYTES = 108;
const CHECK_BYTES = 26;
const ALIGNMENT = 30;

/** The code of a safety number, as other devices scan it. */
export function qrCode(number) {
  const digits = String(number).replace(/\D/g, "");
  const dark = modules(`assent-safety:1:${digits}`);
  const path = dark
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return h(
    "figure",
    { class: "qr", role: "img", "aria-label": t("safety.qr") },
    svg(
      "svg",
      { viewBox: `0 0 ${SIZE} ${SIZE}`, "shape-rendering": "crispEdges" },
      svg("path", { fill: "currentColor", d: path }),
    ),
  );
}

/**
 * The modules of the code, row by row.
 * @param {string} text at most 106 ASCII characters
 * @returns {boolean[][]}
 */
export function modules(text) {
  const { dark, reserved } = patterns();
  const bits = codeBits(text);
  const filled = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => fillIn(dark, reserved, bits, mask));
  return filled.reduce((best, candidate) =>
    penalty(candidate) < penalty(best) ? candidate : best,
  );
}

function codeBits(text) {
  const bytes = [...text].map((character) => character.charCodeAt(0));
  if (bytes.length > DATA_BYTES - 2) throw new Error("the text is too long for this code");
  const bits = [
    0,
    1,
    0,
    0,
    ...toBits(bytes.length, 8),
    ...bytes.flatMap((byte) => toBits(byte, 8)),
    0,
    0,
    0,
    0,
  ];
  const data = [];
  for (let at = 0; at < bits.length; at += 8)
    data.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0xec; data.length < DATA_BYTES; pad ^= 0xec ^ 0x11) data.push(pad);
  return [...data, ...checkBytes(data)].flatMap((byte) => toBits(byte, 8));
}

const toBits = (value, count) =>
  Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) & 1);

/** Multiplies in the field of 256 elements. */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The Reed-Solomon remainder of the data. */
function checkBytes(data) {
  let divisor = [...new Array(CHECK_BYTES - 1).fill(0), 1];
  let root = 1;
  for (let round = 0; round < CHECK_BYTES; round += 1) {
    divisor = divisor.map((factor, index) => multiply(factor, root) ^ (divisor[index + 1] ?? 0));
    root = multiply(root, 2);
  }
  let rest = new Array(CHECK_BYTES).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest = [...rest.slice(1), 0].map((value, index) => value ^ multiply(divisor[index], factor));
  }
  return rest;
}

/** What every code of this version has: finders, timing, alignment, and room for the format. */
function patterns() {
  const grid = () => Array.from({ length: SIZE }, () => new Array(SIZE).fill(false));
  const [dark, reserved] = [grid(), grid()];
  const set = (x, y, isDark) => {
    if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) return;
    dark[y][x] = isDark;
    reserved[y][x] = true;
  };
  for (let at = 0; at < SIZE; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  square(set, ALIGNMENT, ALIGNMENT, 2, [0, 2]);
  for (const [x, y] of [
    [3, 3],
    [SIZE - 4, 3],
    [3, SIZE - 4],
  ])
    square(set, x, y, 4, [0, 1, 3]);
  for (let at = 0; at < 9; at += 1) {
    if (at !== 6) {
      set(8, at, false);
      set(at, 8, false);
    }
    if (at < 8) {
      set(SIZE - 1 - at, 8, false);
      set(8, SIZE - 1 - at, false);
    }
  }
  set(8, SIZE - 8, true);
  return { dark, reserved };
}

function square(set, centerX, centerY, radius, darkRings) {
  for (let y = -radius; y <= radius; y += 1) {
    for (let x = -radius; x <= radius; x += 1) {
      set(centerX + x, centerY + y, darkRings.includes(Math.max(Math.abs(x), Math.abs(y))));
    }
  }
}

const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Writes the bits in columns of two, from the right, up and down, and the number of the mask. */
function fillIn(patternsDark, reserved, bits, mask) {
  const dark = patternsDark.map((row) => [...row]);
  let next = 0;
  for (let right = SIZE - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < SIZE; step += 1) {
      const y = isUp ? SIZE - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (reserved[y][x]) continue;
        dark[y][x] = ((bits[next] ?? 0) === 1) !== (MASKS[mask](x, y) === 0);
        next += 1;
      }
    }
  }
  writeFormat(dark, mask);
  return dark;
}

function writeFormat(dark, mask) {
  const data = (1 << 3) | mask;
  let rest = data;
  for (let round = 0; round < 10; round += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (index) => ((bits >> index) & 1) === 1;
  for (let index = 0; index < 6; index += 1) dark[index][8] = bit(index);
  dark[7][8] = bit(6);
  dark[8][8] = bit(7);
  dark[8][7] = bit(8);
  for (let index = 9; index < 15; index += 1) dark[8][14 - index] = bit(index);
  for (let index = 0; index < 8; index += 1) dark[8][SIZE - 1 - index] = bit(index);
  for (let index = 8; index < 15; index += 1) dark[SIZE - 15 + index][8] = bit(index);
}

/** Long runs, blocks and an imbalance of dark and light are hard to scan. */
function penalty(dark) {
  const columns = dark[0].map((_, x) => dark.map((row) => row[x]));
  const runs = [...dark, ...columns].reduce((sum, line) => sum + runPenalty(line), 0);
  let blocks = 0;
  for (let y = 1; y < SIZE; y += 1) {
    for (let x = 1; x < SIZE; x += 1) {
      const color = dark[y][x];
      if (color === dark[y - 1][x] && color === dark[y][x - 1] && color === dark[y - 1][x - 1])
        blocks += 3;
    }
  }
  const count = dark.flat().filter(Boolean).length;
  return runs + blocks + Math.floor(Math.abs(count * 20 - SIZE * SIZE * 10) / (SIZE * SIZE)) * 10;
}

function runPenalty(line) {
  const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
  const long = [...text.matchAll(/0{5,}|1{5,}/g)].reduce((sum, [run]) => sum + run.length - 2, 0);
  const finders = [...text.matchAll(/(?=10111010000|00001011101)/g)].length * 40;
  return long + finders;
}
