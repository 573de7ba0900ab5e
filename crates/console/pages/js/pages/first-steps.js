// The inbox of a newcomer: how it works, and the next step.

import { h, hidden } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { addressForm } from "../ui/address-form.js";

export function firstSteps() {
  return [
    h(
      "div",
      { class: "page-head" },
      h("div", null, h("h1", null, t("first.title")), h("p", null, t("first.text"))),
    ),
    h(
      "div",
      { class: "stack stack-6 narrow" },
      road(),
      steps(),
      h("p", { class: "small muted" }, t("first.terminal")),
    ),
  ];
}

function road() {
  const stop = (classes, iconName, title, text) =>
    h(
      "li",
      { class: classes },
      h("span", { class: "tile" }, icon(iconName, "i-lg")),
      h("b", null, t(title)),
      h("span", null, t(text)),
    );
  const way = () => h("li", { class: "way", "aria-hidden": "true" }, h("span", null, icon("lock")));
  return h(
    "ol",
    { class: "card pad-lg road", "aria-label": t("first.road") },
    stop("them", "agent", "first.ask", "first.ask.text"),
    way(),
    stop("", "eye-off", "first.carry", "first.carry.text"),
    way(),
    stop("you", "check", "first.decide", "first.decide.text"),
  );
}

function steps() {
  const done = h("span", { class: "n" }, icon("check"), hidden(t("first.done")));
  const { form, input } = addressForm();
  return h(
    "section",
    { "aria-labelledby": "steps" },
    h("h2", { class: "vh", id: "steps" }, t("first.steps")),
    h(
      "ol",
      { class: "card rows steps" },
      h(
        "li",
        { class: "ok" },
        done,
        h(
          "div",
          null,
          h("h3", null, t("first.keys")),
          h("p", { class: "muted small" }, t("first.keys.text")),
        ),
      ),
      h(
        "li",
        { class: "now" },
        h("span", { class: "n" }, "2"),
        h(
          "div",
          null,
          h("h3", null, h("label", { for: input.id }, t("first.add"))),
          h("p", { class: "muted small" }, t("first.add.text")),
          form,
          h("p", { class: "small mt-2" }, h("a", { href: "/add" }, t("first.search"))),
        ),
      ),
      h(
        "li",
        null,
        h("span", { class: "n" }, "3"),
        h(
          "div",
          null,
          h("h3", null, t("first.answer")),
          h("p", { class: "muted small" }, t("first.answer.text")),
        ),
      ),
    ),
  );
}
