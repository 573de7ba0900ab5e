// Starts the binary and reads what it prints.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import readline from "node:readline";

const BUILT = fileURLToPath(new URL("../../../target/debug/assent", import.meta.url));

export const BINARY = process.env.ASSENT_BIN ?? BUILT;

const READY_MS = 30_000;
const STOP_MS = 5_000;

/**
 * Starts a service and waits for its ready line.
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export async function startService(args, env = {}) {
  const child = spawn(BINARY, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (text) => (log = (log + text).slice(-8000)));
  const lines = readline.createInterface({ input: child.stdout });
  const ready = await Promise.race([
    once(lines, "line").then(([line]) => JSON.parse(line)),
    once(child, "exit").then(() => Promise.reject(new Error(`${args[0]} ended: ${log}`))),
    after(READY_MS).then(() => Promise.reject(new Error(`${args[0]} is not ready: ${log}`))),
  ]);
  return { ready, stop: () => stop(child) };
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** Runs a command to its end. @returns {Promise<{code: number, stdout: string, stderr: string}>} */
export function run(args, env = {}) {
  return new Promise((resolve) => {
    execFile(BINARY, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
