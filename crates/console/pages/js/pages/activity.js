// What agents have asked for: the list with its filters, and one call opened beside it.

import { get, getPart } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { clockTime, dayName, t } from "../i18n.js";
import { onDeviceEvent } from "../store.js";
import { visible } from "../text/visible.js";
import { callForm, callStateIcon, callStateText, deciderText, readCall } from "../ui/call.js";
import { mark } from "../ui/mark.js";
import { time } from "../ui/parts.js";
import { emptyList } from "../ui/views.js";
import { sentenceText, toolTitle } from "../words.js";
import { callArticle } from "./call.js";

const LIMIT = 200;

/** Which calls a filter shows. */
const FILTERS = {
  all: () => true,
  asked: (call) => String(call.decided_by ?? "").startsWith("person"),
  quiet: (call) => call.status === "ok" && !String(call.decided_by ?? "").startsWith("person"),
  denied: (call) => call.status === "denied",
  failed: (call) => call.status === "error",
};

export async function render({ id, query, signal }) {
  const load = async (cursor = null) => {
    const { items, next } = await getPart(`/activity?limit=${LIMIT}`, cursor, signal);
    return { calls: items.map(readCall), next };
  };
  const loadOne = async () => readCall(await get(`/activity/${encodeURIComponent(id)}`, signal));
  const first = await load();
  const opened = id === null ? null : await loadOne();
  const view = { filter: "all", text: "", agent: query.get("agent"), ...first, openId: id };
  const list = h("div");
  const repaint = () =>
    replace(
      list,
      groups(view),
      olderButton(view, load, () => repaint()),
    );
  const article = h(
    "div",
    { class: "act-side" },
    opened === null ? placeholder() : callArticle(opened),
  );
  onDeviceEvent(
    ["call."],
    async ({ data }) => {
      const newest = await load().catch(() => null);
      if (newest === null) return;
      view.calls = withNewest(view.calls, newest.calls);
      repaint();
      if (id === null || (data.invocation_id !== undefined && data.invocation_id !== id)) return;
      const fresh = await loadOne().catch(() => null);
      if (fresh !== null) replace(article, callArticle(fresh));
    },
    signal,
  );
  repaint();
  return {
    title:
      opened === null
        ? t("nav.activity")
        : sentenceText(callForm(opened), opened.agent.name, opened.tool),
    classes: `page-wide act ${opened === null ? "" : "act-open"}`,
    content: [
      h(
        "div",
        { class: "act-list" },
        h("div", { class: "page-head mb-4" }, h("h1", null, t("nav.activity"))),
        filterForm(view, repaint),
        list,
        h(
          "p",
          { class: "hint xs mt-3" },
          t("activity.kept"),
          " ",
          h("a", { href: "/audit" }, t("activity.audit")),
        ),
      ),
      article,
    ],
    focus: () => document.querySelector(opened === null ? "main h1" : "#call-h"),
  };
}

/** The list with its first part loaded again; what was loaded of the older parts stays. */
function withNewest(calls, newest) {
  const known = new Set(newest.map((call) => call.invocation_id));
  return [...newest, ...calls.filter((call) => !known.has(call.invocation_id))];
}

function olderButton(view, load, repaint) {
  if (view.next === null) return null;
  const button = h("button", { class: "btn mt-3", type: "button" }, t("activity.older"));
  button.addEventListener("click", async () => {
    button.setAttribute("aria-disabled", "true");
    const older = await load(view.next).catch(() => null);
    button.removeAttribute("aria-disabled");
    if (older === null) return;
    view.calls = [...view.calls, ...older.calls];
    view.next = older.next;
    repaint();
  });
  return button;
}

function placeholder() {
  return h("p", { class: "act-call muted" }, t("activity.choose"));
}

function filterForm(view, repaint) {
  const field = h("input", {
    class: "input",
    id: "f",
    type: "search",
    placeholder: t("activity.search-hint"),
  });
  field.addEventListener("input", () => {
    view.text = field.value.trim().toLowerCase();
    repaint();
  });
  const chips = Object.keys(FILTERS).map((name) => {
    const chip = h(
      "button",
      { class: "chip", type: "button", "aria-pressed": String(view.filter === name) },
      t(`activity.filter.${name}`),
    );
    chip.addEventListener("click", () => {
      view.filter = name;
      for (const other of chips) other.setAttribute("aria-pressed", String(other === chip));
      repaint();
    });
    return chip;
  });
  return h(
    "form",
    {
      class: "stack stack-3",
      role: "search",
      "aria-label": t("activity.filter"),
      on: { submit: (event) => event.preventDefault() },
    },
    h(
      "p",
      { class: "search" },
      h("label", { class: "vh", for: "f" }, t("activity.search")),
      icon("search"),
      field,
    ),
    h("div", { class: "chips" }, chips, agentChooser(view, repaint)),
  );
}

function agentChooser(view, repaint) {
  const agents = new Map(view.calls.map((call) => [call.agent.agent_id, call.agent.name]));
  const select = h(
    "select",
    { class: "select chip-select", "aria-label": t("activity.agent") },
    h("option", { value: "" }, t("activity.all-agents")),
    [...agents].map(([agentId, name]) =>
      h("option", { value: agentId, selected: agentId === view.agent }, name),
    ),
  );
  select.addEventListener("change", () => {
    view.agent = select.value === "" ? null : select.value;
    repaint();
  });
  return select;
}

function matches(call, view) {
  if (view.agent !== null && call.agent.agent_id !== view.agent) return false;
  if (!FILTERS[view.filter](call)) return false;
  const words = [call.agent.name, call.tool?.name, call.scope?.id, call.target?.text]
    .join(" ")
    .toLowerCase();
  return view.text === "" || words.includes(view.text);
}

function groups(view) {
  const shown = view.calls.filter((call) => matches(call, view));
  if (shown.length === 0)
    return h(
      "div",
      { class: "mt-3" },
      emptyList(t(view.calls.length === 0 ? "activity.empty" : "activity.no-match")),
    );
  const days = new Map();
  for (const call of shown) {
    const day = dayName(call.at);
    days.set(day, [...(days.get(day) ?? []), call]);
  }
  return [...days].map(([day, calls]) => [
    h("h2", { class: "day" }, day),
    h(
      "ol",
      { class: "card rows rows-tight pick", "data-list": true },
      calls.map((call) => row(call, view.openId)),
    ),
  ]);
}

function row(call, openId) {
  return h(
    "li",
    { "aria-current": call.invocation_id === openId ? "true" : null },
    h(
      "a",
      { href: `/activity/${call.invocation_id}` },
      mark(call.agent.agent_id, "sm"),
      h(
        "span",
        null,
        h("b", null, toolTitle(call.tool)),
        h(
          "span",
          { class: "sub" },
          ...visible(call.agent.name),
          ", ",
          call.status === "ok" ? deciderText(call) : callStateText(call),
        ),
      ),
      time(call.at, clockTime(call.at)),
      icon(callStateIcon(call)),
    ),
  );
}
