// A call inside a conversation. It opens the request; the answer is given there.

import { h, hidden } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { dotted } from "../prompt/rows.js";
import { store } from "../store.js";
import { nodesOf, unitsOfViewText, visible } from "../text/visible.js";
import { scopeIcon, sentenceText, toolTitle } from "../words.js";
import { callForm, callState, callStateText, deciderText } from "./call.js";
import { sensitivity } from "./parts.js";

/** A card shows this much of the arguments; the request and the activity show all. */
const SHOWN_LINES = 4;
const SHOWN_CHARACTERS = 160;

export function callCard(call) {
  const prompt = store.prompts.find((open) => open.invocation_id === call.invocation_id);
  const state = prompt === undefined ? call : { ...call, status: "awaiting_approval" };
  const label = `${sentenceText(callForm(call), call.agent.name, call.tool)}, ${callStateText(state)}`;
  return h(
    "article",
    { class: prompt === undefined ? "call" : "call call-wait", "aria-label": label },
    h(
      "header",
      null,
      icon(scopeIcon(call.scope?.id)),
      h("h2", null, toolTitle(call.tool)),
      call.scope?.sensitivity ? sensitivity(call.scope.sensitivity) : null,
      callState(state),
    ),
    values(call, prompt),
    h("footer", null, footer(call, prompt)),
  );
}

function values(call, prompt) {
  const lines = (prompt?.view ?? call.view)?.lines.slice(1) ?? [];
  if (lines.length === 0)
    return call.target
      ? h("div", { class: "in" }, h("code", { class: "break" }, ...visible(call.target.text)))
      : null;
  return h(
    "div",
    { class: "in" },
    h(
      "dl",
      { class: "kv" },
      lines
        .slice(0, SHOWN_LINES)
        .map((line) =>
          h("div", null, h("dt", null, dotted(line.path)), h("dd", null, ...short(line.text))),
        ),
    ),
    lines.length > SHOWN_LINES
      ? h("p", { class: "hint" }, t("inbox.more-values", { count: lines.length - SHOWN_LINES }))
      : null,
  );
}

function short(text) {
  const units = unitsOfViewText(text);
  if (units.length <= SHOWN_CHARACTERS) return nodesOf(units);
  const cut = h(
    "span",
    { class: "cut" },
    t("prompt.more-characters", { count: units.length - SHOWN_CHARACTERS }),
  );
  return [...nodesOf(units.slice(0, SHOWN_CHARACTERS)), cut];
}

function footer(call, prompt) {
  if (prompt !== undefined)
    return h("a", { href: `/prompts/${prompt.prompt_id}` }, t("talk.open-request"));
  const code = call.error_code ?? (call.status === "denied" ? call.reason : null);
  const about = sentenceText(callForm(call), call.agent.name, call.tool);
  return [
    h("span", null, deciderText(call)),
    code ? h("code", { class: "faint xs" }, code) : null,
    h(
      "a",
      { class: "end", href: `/activity/${call.invocation_id}` },
      t("end.story"),
      hidden(": ", about),
    ),
  ];
}
