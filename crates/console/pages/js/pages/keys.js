// The safety number of one agent, and what a changed key means.

import { get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { mark } from "../ui/mark.js";
import { crumb, note, safetyNumber, verification } from "../ui/parts.js";
import { qrCode } from "../ui/qr.js";
import { visible } from "../text/visible.js";

export async function render({ id, signal }) {
  const key = await get(`/keys/${encodeURIComponent(id)}`, signal);
  return {
    title: t("keys.title", { agent: key.agent.name }),
    content: [
      crumb("/devices", t("nav.devices")),
      key.changed ? changedCard(key) : numberCard(key),
    ],
  };
}

function numberCard(key) {
  return [
    h(
      "div",
      { class: "page-head" },
      h(
        "div",
        { class: "row gap-4" },
        mark(key.agent.agent_id, "lg"),
        h(
          "div",
          null,
          h("h1", null, t("keys.title", { agent: key.agent.name })),
          h("p", null, verification(key.agent.verified)),
        ),
      ),
    ),
    h(
      "section",
      { class: "card narrow", "aria-labelledby": "number-h" },
      h("header", null, h("h2", { id: "number-h" }, t("keys.number"))),
      h(
        "div",
        { class: "pad ident" },
        h(
          "div",
          { class: "stack stack-3" },
          h("p", null, t("keys.compare", { agent: key.agent.name })),
          safetyNumber(key.safety_number),
          h("p", { class: "hint" }, t("keys.halves")),
        ),
        qrCode(key.safety_number),
      ),
    ),
  ];
}

/** Until changed keys can be accepted, the agent stays blocked. */
function changedCard(key) {
  const name = key.agent.name;
  return h(
    "section",
    { class: "card keychange", "aria-labelledby": "k" },
    h(
      "header",
      { class: "row row-top gap-4" },
      h("span", { class: "stopglyph" }, icon("key", "i-lg")),
      h(
        "div",
        null,
        h("h1", { id: "k" }, ...visible(t("keys.changed.title", { agent: name }))),
        h("p", { class: "muted" }, t("keys.changed.text", { agent: name })),
      ),
    ),
    h(
      "div",
      { class: "pad-lg stack stack-6" },
      h(
        "div",
        { class: "ba" },
        numberPart("keys.before", key.safety_number),
        key.new_safety_number ? numberPart("keys.now", key.new_safety_number) : null,
      ),
      h("div", { class: "cols-2" }, reading("keys.harmless"), reading("keys.attack")),
      note("stop", "ban", t("keys.blocked", { agent: name })),
    ),
  );
}

function numberPart(key, number) {
  return h("div", null, h("h2", null, t(key)), safetyNumber(number, "safety-3"));
}

function reading(key) {
  return h(
    "div",
    null,
    h("h2", null, t(`${key}.title`)),
    h("p", { class: "muted" }, t(`${key}.text`)),
  );
}
