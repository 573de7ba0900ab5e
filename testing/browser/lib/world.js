// A relay, the device of a person and an agent, as separate processes of the real binary.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { manifest, narrowerManifest } from "./manifest.js";
import { run, startService } from "./process.js";

const PASSWORD = "correct horse battery staple";
export const AGENT_NAME = "Ledgerly";

/**
 * @param {{env?: Record<string, string>, register?: boolean, lang?: string}} [options]
 *   `env` goes to the device; without `register` it has no account and no agent.
 */
export async function startWorld({ env = {}, register = true, lang = "en" } = {}) {
  const directory = await mkdtemp(path.join(tmpdir(), "assent-browser-"));
  const relay = await startService([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data",
    path.join(directory, "relay"),
  ]);
  const data = path.join(directory, "device");
  const device = await startService(
    [
      "device",
      "--relay",
      relay.ready.url,
      "--data",
      data,
      "--listen",
      "127.0.0.1:0",
      "--lang",
      lang,
    ],
    env,
  );
  const folder = path.join(directory, "files");
  const world = {
    relay: relay.ready.url,
    console: device.ready.url,
    folder,
    agentName: AGENT_NAME,
    agentId: "",
    link: device.ready.console,
    /** A link that opens the console once. */
    async newLink() {
      const { stdout } = await command(["device", "--data", data, "--json", "open"]);
      return JSON.parse(stdout).link;
    },
    stopRelay: () => relay.stop(),
    stopDevice: () => device.stop(),
    async stop() {
      await device.stop();
      await relay.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  if (register) await settle(world, directory);
  return world;
}

async function command(args, env = {}) {
  const result = await run(args, env);
  assert.equal(result.code, 0, `assent ${args.join(" ")}: ${result.stdout}${result.stderr}`);
  return result;
}

/** Makes the account, the folder and the agent. */
async function settle(world, directory) {
  const api = await openApi(world);
  await api("POST", "/account/register", {
    email: "mei@example.com",
    account_password: PASSWORD,
    display_name: "Mei",
  });
  await mkdir(world.folder);
  await writeFile(path.join(world.folder, "notes.md"), "# Notes\n");
  await writeFile(path.join(world.folder, "todo.md"), "- water the plants\n");
  await api("PUT", "/roots", { roots: [world.folder] });
  await api("PATCH", "/settings", {
    location: { latitude: 30.25, longitude: 120.17, accuracy_m: 50 },
  });
  /** Ends what a test has left: open prompts, and embargoes after refusals. */
  world.settle = async () => {
    for (const prompt of await api("GET", "/prompts")) {
      const answer = { decision: "deny", view_digest: prompt.view.digest };
      await api("POST", `/prompts/${prompt.prompt_id}/answer`, answer);
    }
    for (const { relation_id } of await api("GET", "/relations")) {
      const { tools } = await api("GET", `/relations/${relation_id}`);
      for (const { name } of tools)
        await api("POST", `/relations/${relation_id}/ask-again`, { tool: name });
    }
  };
  await makeAgent(world, directory);
}

async function makeAgent(world, directory) {
  const home = path.join(directory, "agent");
  const owner = { ASSENT_ACCOUNT_PASSWORD: PASSWORD };
  const file = path.join(directory, "manifest.json");
  await writeFile(file, JSON.stringify(manifest()));
  const account = ["--register", "--owner-name", "Ada", "--email", "ada@example.com"];
  const init = [
    "init",
    "--relay",
    world.relay,
    "--name",
    AGENT_NAME,
    "--manifest",
    file,
    ...account,
  ];
  const { stdout } = await command(["agent", "--dir", home, "--json", ...init], owner);
  world.agentId = JSON.parse(stdout).agent_id;
  world.call = async (tool, args, { reason, timeout = "40s" } = {}) => {
    const options = reason === undefined ? [] : ["--reason", reason];
    const call = ["call", tool, JSON.stringify(args), "--timeout", timeout, ...options];
    const result = await run(["agent", "--dir", home, "--json", ...call]);
    assert.notEqual(result.stdout, "", result.stderr);
    return JSON.parse(result.stdout);
  };
  // An agent is one process at a time: calls that are open together come from one script.
  world.callTogether = async (calls) => {
    const script = path.join(directory, "together.yaml");
    const parallel = calls.map(([tool, args]) => ({ call: tool, with: args }));
    await writeFile(script, JSON.stringify({ steps: [{ parallel }] }));
    const { stdout } = await run(["agent", "--dir", home, "--json", "run", script]);
    return JSON.parse(stdout.trim().split("\n").at(-1)).outcome;
  };
  world.publishNarrower = async () => {
    await writeFile(path.join(directory, "narrower.json"), JSON.stringify(narrowerManifest()));
    const script = path.join(directory, "publish.yaml");
    await writeFile(script, `steps:\n  - publish: ${path.join(directory, "narrower.json")}\n`);
    await command(["agent", "--dir", home, "--json", "run", script]);
  };
}

/** The interface of the console, with a session of its own. */
async function openApi(world) {
  const token = new URL(world.link).hash.slice("#token=".length);
  const call = (session) => async (method, route, body) => {
    const response = await fetch(`${world.console}/api/v1${route}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(session && { authorization: `Bearer ${session}` }),
      },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    assert.ok(response.ok, `${method} ${route}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const { session } = await call(null)("POST", "/session", { token });
  return call(session);
}
