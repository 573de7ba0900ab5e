// What the Node adapters share; the protocol is described in peers/rust/harness/src/lib.rs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// Code gets several times faster within its first second, until the compiler is done with it. What is
// measured is a program that runs for days.
const WARM_UP_MICROSECONDS = 1_000_000;

// Looking at the clock is not free, so it is done no more often than this.
const LOOK_MICROSECONDS = 2_000;

/**
 * Runs an adapter. `prepare(request)` does what does not count and returns `{ answer, pass }`:
 * `answer()` gives the result for the gate, `pass()` does the work once and returns how many
 * operations that were.
 */
export function run(prepare) {
  const [mode, item, caseName, peer, data, cpuMilliseconds] = process.argv.slice(2);
  const request = {
    caseName,
    peer,
    bytes: (file) => readFileSync(join(data, file)),
  };
  const work = prepare(request);
  const print = (line) => console.log(JSON.stringify({ item, case: caseName, peer, ...line }));
  if (mode === "answer") {
    print({ answer: work.answer() });
  } else {
    measure(work, Number(cpuMilliseconds) * 1000).forEach(print);
  }
}

function measure(work, target) {
  const passes = warmUp(work, Math.max(target / 2, WARM_UP_MICROSECONDS));
  const start = now();
  let operations = 0;
  let spent = since(start);
  while (spent.cpu_us < target) {
    for (let pass = 0; pass < passes; pass += 1) {
      operations += work.pass();
    }
    spent = since(start);
  }
  const figures = [
    ["cpu_us_per_op", spent.cpu_us / operations],
    ["wall_us_per_op", spent.wall_us / operations],
    ["peak_rss_kib", peakMemory()],
  ];
  return figures.map(([metric, value]) => ({ metric, value, ...spent }));
}

/** Lets the compiler see the code run, and finds out how many passes fit between two looks at the clock. */
function warmUp(work, target) {
  const start = now();
  let passes = 1;
  while (since(start).cpu_us < target) {
    const batch = now();
    for (let pass = 0; pass < passes; pass += 1) {
      work.pass();
    }
    if (since(batch).cpu_us < LOOK_MICROSECONDS) {
      passes *= 2;
    }
  }
  return passes;
}

function now() {
  return { cpu: process.cpuUsage(), wall: process.hrtime.bigint() };
}

/** CPU time is that of the whole process, so the threads that compile and collect garbage count. */
function since(start) {
  const { user, system } = process.cpuUsage(start.cpu);
  return { cpu_us: user + system, wall_us: Number(process.hrtime.bigint() - start.wall) / 1000 };
}

function peakMemory() {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
