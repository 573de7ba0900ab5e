// A call in words: what it was, how it ended, who decided.

import { h } from "../dom.js";
import { hasText, t } from "../i18n.js";
import { sentence } from "../words.js";
import { mark } from "./mark.js";
import { stateOf, time } from "./parts.js";

/** Why a call was not carried out, by its reason. */
const DENIED = {
  user_refused: ["ink", "ban", "state.denied"],
  user_timeout: ["ochre", "clock", "state.timed-out"],
  scope_not_granted: ["ink", "ban", "state.not-granted"],
  permission_revoked: ["ink", "ban", "state.revoked"],
  tool_not_declared: ["ink", "ban", "state.not-declared"],
  tool_not_supported_in_group: ["ink", "ban", "state.not-in-groups"],
};

const STATES = {
  awaiting_approval: ["ochre", "clock", "state.waiting"],
  pending: ["ochre", "park", "state.kept"],
  running: ["indigo", "spin", "state.running"],
  partial: ["ochre", "alert", "state.partial"],
  error: ["cinnabar", "x", "state.failed"],
};

/** A message that could not be opened has no tool, and perhaps no known sender. */
export function readCall(call) {
  return { ...call, agent: call.agent ?? { agent_id: "", name: t("agent.any"), verified: false } };
}

/** The state of a call: its color, icon and text key. */
function stateKeys(call) {
  if (!call.tool) return ["cinnabar", "shield", "state.refused"];
  if (call.reason === "interrupted_by_crash") return ["cinnabar", "alert", "state.unknown"];
  if (call.detail === "reauth_required") return ["ink", "pause", "state.paused"];
  if (call.status === "denied") return DENIED[call.reason] ?? ["ink", "ban", "state.denied"];
  if (call.status === "ok") {
    const isQuiet = call.decided_by === "silence" || call.decided_by === "policy";
    return isQuiet ? ["jade", "moon", "state.quiet"] : ["jade", "check", "state.done"];
  }
  return STATES[call.status] ?? ["indigo", "spin", "state.running"];
}

export function callState(call) {
  const [color, iconName, key] = stateKeys(call);
  return stateOf(color, iconName, t(key));
}

/** The state as a word. */
export const callStateText = (call) => t(stateKeys(call)[2]);

/** The icon of the state. */
export const callStateIcon = (call) => stateKeys(call)[1];

/** Who decided, in words. */
export function deciderText(call) {
  if (call.tool === null) return t("decided.refused", { reason: call.reason ?? "" });
  const key = `decided.${call.decided_by}`;
  return hasText(key) ? t(key) : t("decided.open");
}

/** The form of the sentence: what was carried out, or only wanted. */
export const callForm = (call) =>
  call.status === "ok" || call.status === "partial" ? "did" : "tried";

/** A call in a list of recent ones. */
export function activityLine(call) {
  return h(
    "li",
    null,
    time(call.at),
    mark(call.agent.agent_id, "sm"),
    h(
      "a",
      { class: "txt", href: `/activity/${call.invocation_id}` },
      ...sentence(callForm(call), call.agent.name, call.tool),
      targetOf(call),
    ),
    callState(call),
  );
}

function targetOf(call) {
  return call.target ? [" ", h("code", null, call.target.text)] : null;
}
