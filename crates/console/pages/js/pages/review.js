// What an agent has changed, and the new agreement. Nothing is decided beforehand except the narrower choice.

import { get, post, remove } from "../api.js";
import { h, replace, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { t, tn } from "../i18n.js";
import { navigate } from "../router.js";
import { visible } from "../text/visible.js";
import { changeCard, changeLine } from "../ui/change.js";
import { mark } from "../ui/mark.js";
import { crumb, digest, note, sensitivity } from "../ui/parts.js";
import { run, statusLine } from "../ui/status-line.js";
import { scopeName, scopeTitle } from "../words.js";

export async function render({ id, signal }) {
  const review = await get(`/reviews/${id}`, signal);
  const content = h("div");
  show(content, review, null);
  return { title: t("review.title", { agent: review.agent.name }), content };
}

function show(content, review, message) {
  const breaking = review.changes.filter((change) => change.breaking);
  const others = review.changes.filter((change) => !change.breaking);
  replace(
    content,
    crumb("/", t("inbox.title")),
    head(review),
    h(
      "div",
      { class: "stack stack-6 narrow" },
      message,
      tools(review),
      h(
        "section",
        { "aria-labelledby": "need" },
        h(
          "div",
          { class: "section-head" },
          h("h2", { id: "need" }, t("review.need", { count: breaking.length })),
        ),
        h("ol", { class: "stack" }, breaking.map(changeCard)),
      ),
      others.length > 0 ? information(others) : null,
      answerForm(content, review),
    ),
  );
}

function head(review) {
  const agent = h("span", null, ...visible(review.agent.name));
  return h(
    "div",
    { class: "page-head" },
    h(
      "div",
      { class: "row gap-4" },
      mark(review.agent.agent_id, "lg"),
      h(
        "div",
        null,
        h("h1", null, ...tn("review.title", { agent })),
        h("p", null, t("review.versions", { old: review.old_version, now: review.new_version })),
      ),
    ),
  );
}

function tools(review) {
  const paused = new Set(review.scopes_requiring_reauth);
  const names = (test) =>
    (review.tools ?? [])
      .filter((tool) => test(paused.has(tool.scope)))
      .map((tool) => h("code", null, ...visible(tool.name)));
  const listOf = (nodes) =>
    h("p", { class: "row row-wrap" }, nodes.length === 0 ? t("review.no-tools") : nodes);
  return h(
    "ul",
    { class: "card split-2" },
    h(
      "li",
      null,
      h("span", { class: "state state-ochre" }, icon("pause"), t("review.paused")),
      listOf(names((isPaused) => isPaused)),
    ),
    h(
      "li",
      null,
      h("span", { class: "state state-jade" }, icon("check"), t("review.goes-on")),
      listOf(names((isPaused) => !isPaused)),
    ),
  );
}

function information(changes) {
  return h(
    "details",
    { class: "card disc2" },
    h(
      "summary",
      null,
      h(
        "span",
        { class: "grow" },
        h("b", null, t("review.more", { count: changes.length })),
        " ",
        h("span", { class: "muted" }, t("review.more-text")),
      ),
      icon("down"),
    ),
    h("ul", { class: "rows" }, changes.map(changeLine)),
  );
}

/** The permissions that need a choice: those that are paused, and those that are new. */
function openScopes(review) {
  const granted = new Set(review.granted_scopes ?? []);
  const paused = new Set(review.scopes_requiring_reauth);
  return (review.scopes ?? [])
    .filter((scope) => paused.has(scope.id) || !granted.has(scope.id))
    .map((scope) => ({ ...scope, isGranted: granted.has(scope.id) }));
}

function answerForm(content, review) {
  const line = statusLine();
  const open = openScopes(review);
  const choices = new Map(open.map((scope) => [scope.id, scope.isGranted]));
  const hint = h("span", { class: "hint", id: uniqueId("pick") }, t("review.pick"));
  const sign = h(
    "button",
    {
      class: "btn btn-solid btn-lg",
      type: "submit",
      "aria-disabled": "true",
      "aria-describedby": hint.id,
    },
    t("review.sign"),
  );
  let answer = null;

  const choose = (value) => {
    answer = value;
    sign.removeAttribute("aria-disabled");
    hint.hidden = true;
  };
  const form = h(
    "form",
    { class: "stack stack-6", "aria-label": t("review.form", { agent: review.agent.name }) },
    open.length > 0
      ? h(
          "section",
          { class: "stack stack-3", "aria-labelledby": "scopes-h" },
          h("h2", { id: "scopes-h" }, t("review.permissions")),
          open.map((scope) => scopeChoice(scope, choices)),
        )
      : null,
    answerChoice(choose),
    line.element,
    h(
      "div",
      { class: "row row-wrap" },
      sign,
      h("a", { class: "btn btn-text", href: "/" }, t("review.later")),
      hint,
    ),
    h(
      "p",
      { class: "hint xs" },
      ...tn("review.signed", { version: review.new_version, hash: digest(review.manifest_hash) }),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (answer === null) return;
    const granted = grantedBy(answer, review, choices);
    if (await run(sign, line, () => send(content, review, answer, granted))) return;
    line.focus();
  });
  return form;
}

/** Everything that is granted from now on. */
function grantedBy(answer, review, choices) {
  const before = review.granted_scopes ?? [];
  if (answer === "limit")
    return before.filter((id) => !review.scopes_requiring_reauth.includes(id));
  const kept = before.filter((id) => choices.get(id) !== false);
  const added = [...choices]
    .filter(([id, isWanted]) => isWanted && !before.includes(id))
    .map(([id]) => id);
  const declared = new Set((review.scopes ?? []).map((scope) => scope.id));
  return [...kept, ...added].filter((id) => declared.has(id));
}

async function send(content, review, answer, granted) {
  if (answer === "stop") {
    await remove(`/relations/${review.relation_id}`);
    return navigate("/agents");
  }
  const body = {
    decision: "accept",
    manifest_hash: review.manifest_hash,
    granted_scopes: granted,
    view_digest: review.view_digest,
  };
  try {
    await post(`/reviews/${review.relation_id}`, body);
    navigate(`/agents/${review.agent.agent_id}`);
  } catch (error) {
    if (error.code !== "MANIFEST_CHANGED" && error.code !== "VIEW_CHANGED") throw error;
    const fresh = await get(`/reviews/${review.relation_id}`);
    show(
      content,
      fresh,
      note("warn", "refresh", h("b", null, t("add.changed.title")), " ", t("review.changed-text")),
    );
    content.querySelector(".note").scrollIntoView({ block: "center" });
  }
}

function scopeChoice(scope, choices) {
  const name = uniqueId("choice");
  const option = (isYes, text) => {
    const input = h("input", { type: "radio", name, checked: choices.get(scope.id) === isYes });
    input.addEventListener("change", () => choices.set(scope.id, isYes));
    return h("label", { class: "opt" }, input, text);
  };
  const yes = t(`review.${scope.isGranted ? "keep" : "allow"}.${scope.sensitivity}`);
  const no = t(scope.isGranted ? "review.stop-one" : "review.leave-off");
  return h(
    "fieldset",
    { class: "card pad stack stack-2" },
    h("legend", { class: "vh" }, scopeName(scope.id)),
    h(
      "p",
      { class: "row row-wrap gap-x" },
      h("b", null, scopeTitle(scope.id)),
      sensitivity(scope.sensitivity),
      scope.isGranted ? null : h("span", { class: "tag tag-ochre" }, t("review.new")),
    ),
    h("div", { class: "opts" }, option(true, yes), option(false, no)),
  );
}

function answerChoice(choose) {
  const name = uniqueId("answer");
  const option = (value) => {
    const label = uniqueId("label");
    const text = uniqueId("text");
    const input = h("input", {
      type: "radio",
      name,
      value,
      "aria-labelledby": label,
      "aria-describedby": text,
    });
    input.addEventListener("change", () => choose(value));
    return h(
      "label",
      { class: "choice" },
      input,
      h("b", { id: label }, t(`review.answer.${value}`)),
      h("span", { class: "hint", id: text }, t(`review.answer.${value}.text`)),
    );
  };
  return h(
    "fieldset",
    { class: "stack stack-3" },
    h("legend", null, h("h2", null, t("prompt.answer"))),
    h("div", { class: "three" }, ["keep", "limit", "stop"].map(option)),
  );
}
