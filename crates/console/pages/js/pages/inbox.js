// The inbox: what waits for the person, what happened lately, and the agents. It opens requests, it never allows them.

import { get, post } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { duration, t } from "../i18n.js";
import { dotted } from "../prompt/rows.js";
import { connection } from "../shell.js";
import { onDeviceEvent, store } from "../store.js";
import { nodesOf, unitsOfViewText, visible } from "../text/visible.js";
import { activityLine, readCall } from "../ui/call.js";
import { mark } from "../ui/mark.js";
import { sectionHead, sensitivity, stateOf, time } from "../ui/parts.js";
import { statusLine } from "../ui/status-line.js";
import { sentence, sentenceText } from "../words.js";
import { firstSteps } from "./first-steps.js";

const RECENT = 6;

export async function render({ signal }) {
  const load = async () => {
    const parts = ["/relations", "/reviews", `/activity?limit=${RECENT}`];
    const [relations, reviews, calls] = await Promise.all(parts.map((path) => get(path, signal)));
    return [relations, reviews, calls.map(readCall)];
  };
  let [relations, reviews, calls] = await load();
  const content = h("div");
  const line = statusLine();

  function paint() {
    const isNew = relations.length === 0 && store.prompts.length === 0 && calls.length === 0;
    replace(content, isNew ? firstSteps() : inbox({ relations, reviews, calls, line }));
  }

  async function reload() {
    [relations, reviews, calls] = await load();
    if (!signal.aborted) paint();
  }

  const quietly = () => reload().catch(() => {});
  onDeviceEvent(["relation.", "review.", "call.", "keys."], quietly, signal);
  store.addEventListener("prompts", paint, { signal });
  paint();
  tickTimers(content, signal);
  return { title: t("inbox.title"), content };
}

function inbox({ relations, reviews, calls, line }) {
  const count = store.prompts.length + reviews.length;
  return [
    h(
      "div",
      { class: "page-head" },
      h(
        "div",
        null,
        h("h1", null, t("inbox.title")),
        h("p", null, count === 0 ? t("inbox.nothing") : t("inbox.count", { count })),
      ),
      h(
        "p",
        { class: "actions" },
        h("a", { class: "btn", href: "/add" }, icon("plus"), t("inbox.add")),
      ),
    ),
    line.element,
    h(
      "div",
      { class: "cols" },
      h(
        "div",
        { class: "stack stack-8" },
        count > 0 ? waiting(reviews, line) : null,
        recent(calls),
      ),
      h(
        "aside",
        { class: "stack stack-6", "aria-label": t("inbox.side") },
        agentCard(relations),
        deviceCard(),
      ),
    ),
  ];
}

function waiting(reviews, line) {
  const prompts = [...store.prompts].sort(
    (a, b) => Date.parse(a.not_after) - Date.parse(b.not_after),
  );
  return h(
    "section",
    { "aria-labelledby": "wait" },
    h("h2", { class: "vh", id: "wait" }, t("inbox.waiting")),
    h(
      "ol",
      { class: "card rows", "data-list": true },
      prompts.map((prompt) => promptRow(prompt, line)),
      reviews.map(reviewRow),
    ),
  );
}

function promptRow(prompt, line) {
  const what = sentenceText("what", prompt.agent.name, prompt.tool);
  const names = { agent: prompt.agent.name, what };
  const deny = h(
    "button",
    { class: "btn", type: "button", "aria-label": t("inbox.deny.label", names) },
    t("answer.deny"),
  );
  deny.addEventListener("click", async () => {
    deny.setAttribute("aria-disabled", "true");
    try {
      await post(`/prompts/${prompt.prompt_id}/answer`, {
        decision: "deny",
        view_digest: prompt.view.digest,
      });
      line.say(t("end.deny", { agent: prompt.agent.name }));
    } catch (error) {
      deny.removeAttribute("aria-disabled");
      line.fail(error);
    }
    store.loadPrompts().catch(() => {});
  });
  return h(
    "li",
    { class: "req" },
    mark(prompt.agent.agent_id),
    h(
      "div",
      { class: "what" },
      h("h3", null, ...sentence("wants", prompt.agent.name, prompt.tool)),
      h("p", { class: "meta" }, sensitivity(prompt.scope.sensitivity), timer(prompt)),
      h("p", { class: "arg" }, ...firstValue(prompt)),
    ),
    h(
      "p",
      { class: "do" },
      deny,
      h(
        "a",
        {
          class: "btn",
          href: `/prompts/${prompt.prompt_id}`,
          "aria-label": t("inbox.review.label", names),
        },
        t("inbox.review"),
      ),
    ),
  );
}

function firstValue(prompt) {
  if (prompt.target) return visible(prompt.target.text);
  const [, line, ...rest] = prompt.view.lines;
  if (line === undefined) return [];
  const value = [dotted(line.path), " ", ...nodesOf(unitsOfViewText(line.text.slice(0, 120)))];
  return rest.length === 0
    ? value
    : [...value, ", ", t("inbox.more-values", { count: rest.length })];
}

function timer(prompt) {
  const element = h(
    "span",
    { class: "left", role: "timer", "data-until": prompt.not_after },
    icon("clock"),
    h("span"),
  );
  paintTimer(element);
  return element;
}

function paintTimer(element) {
  const seconds = Math.max(0, Math.ceil((Date.parse(element.dataset.until) - Date.now()) / 1000));
  const isLong = seconds > 120;
  const time = duration(seconds * 1000);
  element.lastChild.textContent = isLong
    ? t("inbox.left-long", { time })
    : t("inbox.left", { n: seconds });
  element.setAttribute(
    "aria-label",
    isLong ? t("inbox.left-long", { time }) : t("inbox.left.label", { count: seconds }),
  );
}

function tickTimers(content, signal) {
  const timer = setInterval(
    () => content.querySelectorAll("[data-until]").forEach(paintTimer),
    1000,
  );
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function reviewRow(review) {
  const name = review.agent.name;
  return h(
    "li",
    { class: "req" },
    mark(review.agent.agent_id),
    h(
      "div",
      { class: "what" },
      h("h3", null, ...visible(t("review.title", { agent: name }))),
      h(
        "p",
        { class: "meta" },
        stateOf(
          "ochre",
          "pause",
          t("inbox.paused", { count: review.scopes_requiring_reauth.length }),
        ),
      ),
    ),
    h(
      "p",
      { class: "do" },
      h(
        "a",
        {
          class: "btn",
          href: `/reviews/${review.relation_id}`,
          "aria-label": t("inbox.changes.label", { agent: name }),
        },
        t("inbox.changes", { agent: name }),
      ),
    ),
  );
}

function recent(calls) {
  const head = sectionHead(
    "recent",
    t("inbox.recent"),
    h("a", { href: "/activity" }, t("inbox.all-activity")),
  );
  const body =
    calls.length === 0
      ? h("p", { class: "card pad muted" }, t("activity.empty"))
      : h(
          "ol",
          { class: "card rows rows-tight log", "data-list": true },
          calls.slice(0, RECENT).map(activityLine),
        );
  return h("section", { "aria-labelledby": "recent" }, head, body);
}

function agentCard(relations) {
  return h(
    "section",
    { class: "card", "aria-labelledby": "agents" },
    h(
      "header",
      { class: "row between" },
      h("h2", { id: "agents" }, t("nav.agents")),
      h("a", { class: "small", href: "/agents" }, t("inbox.manage")),
    ),
    h(
      "ul",
      { class: "rows agents" },
      relations.map((relation) =>
        h(
          "li",
          null,
          mark(relation.agent.agent_id),
          h(
            "a",
            { href: `/agents/${relation.agent.agent_id}` },
            h("b", null, ...visible(relation.agent.name)),
            h("span", { class: "sub" }, relationSummary(relation)),
          ),
          h("span"),
        ),
      ),
    ),
  );
}

/** One sentence about what an agent may do now. */
export function relationSummary(relation) {
  const quiet = (relation.tools ?? []).filter((tool) => tool.silent_until);
  if (quiet.length > 0) {
    const until = quiet
      .map((tool) => tool.silent_until)
      .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
    return [t("agents.quiet", { count: quiet.length }), " ", time(until)];
  }
  if (relation.granted_scopes.length === 0) return t("agents.none");
  return t("agents.granted", { count: relation.granted_scopes.length });
}

function deviceCard() {
  const audit = h("dd", null, h("a", { href: "/audit" }, t("inbox.audit-link")));
  return h(
    "section",
    { class: "card", "aria-labelledby": "dev" },
    h("header", null, h("h2", { id: "dev" }, t("inbox.device"))),
    h(
      "dl",
      { class: "facts pad" },
      h("dt", null, t("inbox.relay")),
      h("dd", null, connection()),
      h("dt", null, t("inbox.sees")),
      h("dd", null, t("inbox.sees-what")),
      h("dt", null, t("inbox.devices")),
      h("dd", null, h("a", { href: "/devices" }, t("nav.devices"))),
      h("dt", null, t("inbox.audit")),
      audit,
    ),
  );
}
