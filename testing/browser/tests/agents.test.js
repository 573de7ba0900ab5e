// From adding an agent to ending with it, with the agent's calls in between.

import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";

import { launch, openPage, signIn } from "../lib/browser.js";
import { button, openPrompt } from "../lib/prompts.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;
let session;

before(async () => {
  world = await startWorld();
  browser = await launch();
  session = await signIn(browser, world);
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

afterEach(() => world.settle());

const readNotes = () =>
  world.call("read_file", { path: path.join(world.folder, "notes.md"), encoding: "utf-8" });

async function open(t, address, heading) {
  const page = await openPage(t, browser, session);
  await page.goto(world.console + address);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  return page;
}

test("an agent is found by its address, and nothing is ticked beforehand", async (t) => {
  const page = await open(t, "/", "Nothing waits for you");
  await page.getByRole("textbox", { name: "Add your first agent" }).fill("not an address");
  await page.getByRole("button", { name: "Look it up" }).click();
  await page.getByText("This is not the address of an agent.").waitFor();
  await page.getByRole("textbox", { name: "Add your first agent" }).fill(world.agentId);
  await page.getByRole("button", { name: "Look it up" }).click();
  await page.getByRole("heading", { level: 1, name: `Add ${world.agentName}` }).waitFor();
  assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 0);
  await page.getByRole("button", { name: "Connect without permissions" }).waitFor();
  await page.getByRole("checkbox", { name: "Read local files" }).check();
  await page.getByRole("button", { name: "Connect with 1 permission" }).waitFor();
  await page.getByRole("checkbox", { name: "Send notifications" }).check();
  await page.getByRole("button", { name: "Connect with 2 permissions" }).waitFor();
  const digits = await page.getByRole("group", { name: /Safety number/ }).innerText();
  assert.match(digits.replaceAll(/\s+/g, " "), /^(\d{5} ?){12}$/);
  assert.ok(
    await page.getByRole("checkbox", { name: /invoices:pay/ }).isDisabled(),
    "nothing serves it here",
  );
  await page.getByRole("button", { name: "Connect with 2 permissions" }).click();
  await page.getByRole("log", { name: `Conversation with ${world.agentName}` }).waitFor();
});

test("what is low runs quietly, and what was not granted is refused", async (t) => {
  const page = await open(t, "/agents", "Agents");
  const quiet = await world.call("send_notification", {
    title: "Hello",
    body: "<i>It is late</i>",
  });
  assert.equal(quiet.status, "ok");
  await page
    .getByRole("region", { name: "Notifications" })
    .getByText("<i>It is late</i>")
    .waitFor();
  const refused = await world.call("get_location", {});
  assert.equal(refused.status, "denied");
  await page.goto(`${world.console}/activity`);
  await page.getByRole("link", { name: /Send a notification/ }).click();
  await page
    .getByRole("heading", { level: 2, name: `${world.agentName} sent a notification` })
    .waitFor();
  assert.equal(
    await page.getByRole("list", { name: "Thirteen stages" }).getByRole("listitem").count(),
    13,
  );
});

test("Allow for 24 hours makes the next call quiet until the person asks to be asked again", async (t) => {
  const page = await open(t, "/agents", "Agents");
  const first = readNotes();
  await openPrompt(page);
  await button(page, "Allow for 24 hours").click();
  assert.equal((await first).status, "ok");
  const second = await readNotes();
  assert.equal(second.status, "ok", "the second call was asked");
  await page.goto(`${world.console}/agents/${world.agentId}`);
  await page.getByText(/Quiet until/).waitFor();
  await page.getByRole("button", { name: "Ask me again before read_file" }).click();
  await page.getByText("You are asked again before read_file.").waitFor();
  const third = readNotes();
  await openPrompt(page);
  await button(page, "Deny").click();
  assert.equal((await third).reason, "user_refused");
});

test("Always deny holds until it is lifted", async (t) => {
  const page = await open(t, "/agents", "Agents");
  const first = readNotes();
  await openPrompt(page);
  await button(page, "Always deny").click();
  assert.equal((await first).reason, "user_refused");
  assert.equal((await readNotes()).reason, "user_refused", "it was asked or allowed");
  await page.goto(`${world.console}/agents/${world.agentId}`);
  await page.getByRole("heading", { name: "Always denied" }).waitFor();
  await page.getByRole("button", { name: "Ask me again before read_file" }).click();
  await page.getByText("You are asked again before read_file.").waitFor();
  const again = readNotes();
  await openPrompt(page);
  await button(page, "Deny").click();
  assert.equal((await again).reason, "user_refused");
});

test("the conversation shows messages and calls, and sends texts", async (t) => {
  const page = await open(t, "/conversations", "Conversations");
  await page.getByRole("link", { name: new RegExp(world.agentName) }).click();
  const log = page.getByRole("log", { name: `Conversation with ${world.agentName}` });
  await log
    .getByRole("article", { name: /read a file, Denied/ })
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello <b>agent</b>");
  await page.getByRole("button", { name: "Send" }).click();
  await log.getByText("Hello <b>agent</b>").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
});

test("a change of what the agent declares waits for a signed answer", async (t) => {
  await world.publishNarrower();
  const page = await open(t, "/", "Inbox");
  await page.getByRole("link", { name: `See what changed in ${world.agentName}` }).click();
  await page
    .getByRole("heading", { level: 1, name: `${world.agentName} changed what it can do` })
    .waitFor();
  await page.getByText("input-required-added").waitFor();
  const sign = page.getByRole("button", { name: "Sign my answer" });
  assert.equal(await sign.getAttribute("aria-disabled"), "true");
  for (const name of ["Keep", "Limit", "Stop"]) {
    assert.ok(
      !(await page.getByRole("radio", { name, exact: true }).isChecked()),
      `${name} is chosen beforehand`,
    );
  }
  await page
    .getByRole("group", { name: "Read local files" })
    .getByRole("radio", { name: "Keep, and ask me first" })
    .check();
  await page.getByRole("radio", { name: "Keep", exact: true }).check();
  await sign.click();
  await page.getByRole("heading", { level: 1, name: world.agentName }).waitFor();
  const call = readNotes();
  await openPrompt(page);
  await button(page, "Allow once").click();
  assert.equal((await call).status, "ok");
});

test("a revoked permission is refused at once, and can be given back", async (t) => {
  const page = await open(t, `/agents/${world.agentId}`, world.agentName);
  await page.getByRole("button", { name: "Revoke Read local files" }).click();
  await page.getByText("Revoked: Read local files.").waitFor();
  assert.equal((await readNotes()).reason, "permission_revoked");
  await page.getByRole("button", { name: "Grant Read local files" }).click();
  await page.getByText("Granted: Read local files.").waitFor();
  const call = readNotes();
  await openPrompt(page);
  await button(page, "Deny").click();
  assert.equal((await call).reason, "user_refused");
});

test("the chain of answered calls is verified and exported", async (t) => {
  const page = await open(t, "/audit", "Audit");
  await page.getByRole("table").waitFor();
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText(/The chain is unbroken/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "assent-audit.json");
});

test("revoking everything asks first, and ends the relation", async (t) => {
  const page = await open(t, `/agents/${world.agentId}`, world.agentName);
  await page.getByRole("button", { name: "Revoke everything" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Keep");
  await page.getByRole("button", { name: `Revoke everything from ${world.agentName}` }).click();
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  await page.getByText("You have not added an agent yet.").waitFor();
});
