// Pages that stand in for others: loading, errors, no session.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";

/** The frame of a list while it loads. */
export function loadingView() {
  const rows = [1, 2, 3].map(() => h("li", { class: "grey" }));
  return [
    h("h1", null, t("loading")),
    h("ul", { class: "card rows", "aria-hidden": "true" }, rows),
  ];
}

/** A page with a message and the way back. */
export function messageView(title, text, ...actions) {
  return {
    title,
    content: [
      h("div", { class: "page-head" }, h("div", null, h("h1", null, title), h("p", null, text))),
      h(
        "p",
        { class: "row row-wrap" },
        actions,
        h("a", { class: "btn", href: "/" }, t("to-inbox")),
      ),
    ],
  };
}

/** What went wrong, what it means and what to do. */
export function errorView(error, retry) {
  const again = h(
    "button",
    { class: "btn", type: "button", on: { click: retry } },
    icon("refresh"),
    t("try-again"),
  );
  if (error.isUnreachable)
    return messageView(t("error.unreachable.title"), t("error.unreachable.text"), again);
  if (error.status === 404) return messageView(t("not-found.title"), t("not-found.text"));
  const page = messageView(t("error.title"), t("error.text"), again);
  page.content.push(
    h("p", { class: "hint mt-3" }, h("code", null, error.code ?? error.name), " ", error.message),
  );
  return page;
}

/** Shown when this browser has no session. */
export function noSessionView() {
  const command = h("code", null, "assent device open");
  return {
    title: t("no-session.title"),
    isPlain: true,
    classes: "slip-wrap",
    content: h(
      "section",
      { class: "card pad-lg narrow alone stack" },
      h("h1", null, t("no-session.title")),
      h("p", { class: "muted" }, t("no-session.text")),
      h("p", { class: "well" }, command),
      h("p", { class: "hint" }, t("no-session.why")),
    ),
  };
}

/** A list without entries: one sentence and the next step. */
export function emptyList(text, ...next) {
  return h(
    "div",
    { class: "card pad-lg stack stack-3" },
    h("p", { class: "muted" }, text),
    next.length > 0 ? h("p", { class: "row row-wrap" }, next) : null,
  );
}
