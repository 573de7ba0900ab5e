// What happens when the person does not answer, with the time for an answer cut to a few seconds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage, signIn } from "../lib/browser.js";
import { addAgent } from "../lib/prompts.js";
import { startWorld } from "../lib/world.js";

let browser;
let world;
let session;

before(async () => {
  world = await startWorld({ env: { ASSENT_PROMPT_TIMEOUT: "4s" } });
  browser = await launch();
  session = await signIn(browser, world);
});

after(async () => {
  await browser?.close();
  await world?.stop();
});

test("a request that is not answered in time is denied and says so", async (t) => {
  const page = await openPage(t, browser, session);
  await addAgent(page, world, ["Read your location"]);
  const outcome = world.call("get_location", {});
  await page.getByRole("alertdialog").waitFor();
  await page
    .getByRole("alert")
    .getByText(/seconds? left/)
    .waitFor({ state: "attached" });
  const { status, reason } = await outcome;
  assert.deepEqual({ status, reason }, { status: "denied", reason: "user_timeout" });
  await page.getByText(/^Time ran out\. Denied/).waitFor();
  await page.getByRole("alertdialog").waitFor({ state: "hidden" });
});
