// What happens if the person allows a call.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { tn } from "../i18n.js";
import { visible } from "../text/visible.js";
import { builtinOf } from "../words.js";

const EFFECTS = {
  read_file: [
    ["send", "effect.read_file"],
    ["info", "effect.final"],
  ],
  fetch_url: [
    ["globe", "effect.fetch_url"],
    ["info", "effect.final"],
  ],
  send_notification: [["bell", "effect.send_notification"]],
  read_clipboard: [
    ["clipboard", "effect.read_clipboard"],
    ["info", "effect.final"],
  ],
  get_location: [
    ["pin", "effect.get_location"],
    ["info", "effect.final"],
  ],
  other: [
    ["tool", "effect.other"],
    ["info", "effect.final"],
  ],
};

/** @param {import("../store.js").Prompt} prompt */
export function effectList(prompt, id) {
  const effects = [...EFFECTS[builtinOf(prompt.tool) ?? "other"]];
  if (sendsBody(prompt)) effects.unshift(["alert", "effect.post"]);
  const agent = () => h("span", null, ...visible(prompt.agent.name));
  const tool = () => h("code", null, ...visible(prompt.tool.name));
  return h(
    "ul",
    { class: "effects", id },
    effects.map(([name, key]) =>
      h("li", null, icon(name), h("span", null, ...tn(key, { agent: agent(), tool: tool() }))),
    ),
  );
}

/** A request with a body sends data away, which "fetch" does not say. */
function sendsBody(prompt) {
  if (builtinOf(prompt.tool) !== "fetch_url") return false;
  return prompt.view.lines.some((line) => line.path === "/method" && line.text === '"POST"');
}
