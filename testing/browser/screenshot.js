// Takes the picture of a prompt for the README, from the real binary: `npm run screenshot`.

import path from "node:path";
import { fileURLToPath } from "node:url";

import { launch, signIn } from "./lib/browser.js";
import { addAgent, openPrompt } from "./lib/prompts.js";
import { startWorld } from "./lib/world.js";

const PICTURE = fileURLToPath(new URL("../../docs/images/prompt.png", import.meta.url));
const REASON = "I want to see what is left to do this week.";

const world = await startWorld();
const browser = await launch();
try {
  const storageState = await signIn(browser, world);
  const viewport = { width: 1200, height: 760 };
  const context = await browser.newContext({ storageState, viewport, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await addAgent(page, world, ["Read local files"]);
  const outcome = world.call(
    "read_file",
    { path: path.join(world.folder, "notes.md"), encoding: "utf-8" },
    { reason: REASON },
  );
  await openPrompt(page);
  const [prompt] = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem("assent.session")}` };
    return (await (await fetch("/api/v1/prompts", { headers })).json()).data;
  });
  await page.goto(`${world.console}/prompts/${prompt.prompt_id}`);
  await openPrompt(page);
  await page.screenshot({ path: PICTURE });
  await page.keyboard.press("d");
  await outcome;
  console.log(PICTURE);
} finally {
  await browser.close();
  await world.stop();
}
