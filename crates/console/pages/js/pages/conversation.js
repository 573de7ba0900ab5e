// One conversation: the messages of both sides, and the agent's calls as cards.

import { get, post } from "../api.js";
import { h, hidden, replace, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { dayName, t } from "../i18n.js";
import { onDeviceEvent, store } from "../store.js";
import { visible } from "../text/visible.js";
import { readCall } from "../ui/call.js";
import { callCard } from "../ui/call-card.js";
import { mark } from "../ui/mark.js";
import { time, verification } from "../ui/parts.js";
import { statusLine } from "../ui/status-line.js";

export async function render({ id, signal }) {
  const path = `/conversations/${encodeURIComponent(id)}/messages`;
  const [conversations, first] = await Promise.all([
    get("/conversations", signal),
    get(path, signal),
  ]);
  const conversation = conversations.find((candidate) => candidate.conversation_id === id);
  const agent = conversation?.agent ??
    first.find((entry) => entry.agent)?.agent ?? { agent_id: "", name: t("agent.any") };
  const log = h("div", {
    class: "talk",
    role: "log",
    "aria-label": t("talk.with", { agent: agent.name }),
    tabindex: "0",
  });
  const line = statusLine();
  let entries = first;
  const older = olderButton(first, async () => {
    const part = await get(`${path}?before=${encodeURIComponent(entries[0].at)}`, signal);
    entries = [...part, ...entries];
    replace(log, entriesOf(entries, agent));
    return part;
  });

  const paint = () => {
    const wasAtEnd =
      window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 80;
    replace(log, entriesOf(entries, agent));
    if (wasAtEnd) window.scrollTo(0, document.documentElement.scrollHeight);
  };
  const reload = async () => {
    const newest = await get(path, signal).catch(() => null);
    if (newest === null) return;
    const begin = Date.parse(newest[0]?.at ?? 0);
    entries = [...entries.filter((entry) => Date.parse(entry.at) < begin), ...newest];
    paint();
  };
  onDeviceEvent(
    ["message", "call.", "prompt."],
    ({ data }) => {
      if (data.conversation_id === undefined || data.conversation_id === id) reload();
    },
    signal,
  );
  store.addEventListener("prompts", paint, { signal });
  replace(log, entriesOf(entries, agent));
  const composer = composerForm(agent, path, line, reload);
  return {
    title: agent.name,
    classes: "talk-page",
    content: [
      head(agent),
      older,
      log,
      line.element,
      composer.form,
      h("p", { class: "hint xs ta-center mt-1" }, t("talk.sealed")),
    ],
    focus: () => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return composer.field;
    },
  };
}

/** The device returns this many entries at once. */
const PART = 200;

/** Loads the entries before the first one, as long as there can be any. */
function olderButton(first, load) {
  if (first.length < PART) return null;
  const button = h("button", { class: "btn btn-sm", type: "button" }, t("activity.older"));
  button.addEventListener("click", async () => {
    button.setAttribute("aria-disabled", "true");
    const part = await load().catch(() => null);
    button.removeAttribute("aria-disabled");
    if (part !== null && part.length < PART) button.remove();
  });
  return h("p", { class: "ta-center mb-4" }, button);
}

function head(agent) {
  return h(
    "header",
    { class: "talk-head" },
    mark(agent.agent_id),
    h(
      "div",
      { class: "grow" },
      h("h1", null, ...visible(agent.name)),
      h(
        "p",
        { class: "row row-wrap small muted gap-x" },
        agent.verified === undefined ? null : verification(agent.verified),
      ),
    ),
    h("a", { class: "btn btn-sm", href: `/agents/${agent.agent_id}` }, t("agent.permissions")),
  );
}

function entriesOf(entries, agent) {
  if (entries.length === 0)
    return h("p", { class: "muted ta-center" }, t("talk.empty", { agent: agent.name }));
  const nodes = [];
  let day = "";
  for (const entry of entries) {
    const name = dayName(entry.at);
    if (name !== day) nodes.push(h("p", { class: "divider" }, h("span", null, name)));
    day = name;
    nodes.push(entryNode(entry, agent));
  }
  return nodes;
}

function entryNode(entry, agent) {
  if (entry.kind === "call") return callCard(readCall(entry.call));
  const isMine = entry.from === "person";
  const text = entry.kind === "artifact" ? JSON.stringify(entry.artifact, null, 2) : entry.text;
  const body =
    entry.kind === "artifact"
      ? h("pre", { class: "text" }, ...visible(text))
      : h("p", { class: "text" }, ...visible(text));
  if (isMine)
    return h(
      "div",
      { class: "msg msg-me" },
      body,
      h(
        "p",
        { class: "by" },
        time(entry.at),
        entry.is_sent === false
          ? [icon("clock"), hidden(t("talk.sending"))]
          : [icon("check"), hidden(t("talk.sent"))],
      ),
    );
  return h(
    "div",
    { class: "msg msg-them" },
    h(
      "p",
      { class: "by" },
      mark(agent.agent_id, "sm"),
      h("span", null, ...visible(agent.name)),
      time(entry.at),
    ),
    body,
  );
}

function composerForm(agent, path, line, reload) {
  const id = uniqueId("message");
  const field = h("textarea", {
    id,
    rows: "1",
    placeholder: t("talk.write", { agent: agent.name }),
  });
  const send = h(
    "button",
    { class: "btn btn-solid", type: "submit" },
    icon("send"),
    t("talk.send"),
  );
  const form = h(
    "form",
    { class: "composer", "aria-label": t("talk.write", { agent: agent.name }) },
    h("label", { class: "vh", for: id }, t("talk.message")),
    field,
    send,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value;
    if (text.trim() === "" || send.getAttribute("aria-disabled") === "true") return;
    send.setAttribute("aria-disabled", "true");
    try {
      await post(path, { text });
      // What was typed meanwhile stays.
      if (field.value === text) field.value = "";
      line.clear();
      await reload();
    } catch (error) {
      if (error.code === undefined) throw error;
      line.fail(error);
    }
    send.removeAttribute("aria-disabled");
    field.focus();
  });
  field.addEventListener("keydown", (event) => {
    const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isSend && !event.isComposing) form.requestSubmit();
  });
  return { form, field };
}
