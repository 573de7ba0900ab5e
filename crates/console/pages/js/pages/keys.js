// The safety number of one agent, and what a changed key means.

import { get, post, remove } from "../api.js";
import { h, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { navigate } from "../router.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { crumb, safetyNumber, verification } from "../ui/parts.js";
import { qrCode } from "../ui/qr.js";
import { run, statusLine } from "../ui/status-line.js";

export async function render({ id, signal }) {
  const key = await get(`/keys/${encodeURIComponent(id)}`, signal);
  const name = key.agent.name;
  const title = key.changed
    ? t("keys.changed.title", { agent: name })
    : t("keys.title", { agent: name });
  return {
    title,
    content: [
      crumb("/devices", t("nav.devices")),
      key.changed ? changedCard(key, title) : numberCard(key, title),
    ],
    focus: () => document.querySelector("main input:checked") ?? document.querySelector("main h1"),
  };
}

function numberCard(key, title) {
  const agent = key.agent.name;
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
          h("h1", null, ...visible(title)),
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
          h("p", null, t("keys.compare", { agent })),
          safetyNumber(key.safety_number),
          h("p", { class: "hint" }, t("keys.halves")),
          ...(key.agent.verified ? [] : sameButton(key)),
        ),
        qrCode(key.safety_number),
      ),
    ),
  ];
}

/** Marks the number as compared. */
function sameButton(key) {
  const line = statusLine();
  const button = h("button", { class: "btn", type: "button" }, t("keys.compared"));
  const path = `/keys/${key.agent.agent_id}/accept`;
  button.addEventListener("click", async () => {
    const body = { number: key.safety_number };
    if (!(await run(button, line, () => post(path, body)))) return line.focus();
    navigate(`/keys/${key.agent.agent_id}`);
  });
  return [h("p", null, button), line.element];
}

/** Nothing of the agent runs until the person has compared the new number. */
function changedCard(key, title) {
  const agent = key.agent.name;
  return h(
    "section",
    {
      class: "card keychange",
      role: "alertdialog",
      "aria-labelledby": "k",
      "aria-describedby": "kd",
    },
    h(
      "header",
      { class: "row row-top gap-4" },
      h("span", { class: "stopglyph" }, icon("key", "i-lg")),
      h(
        "div",
        null,
        h("h1", { id: "k" }, ...visible(title)),
        h("p", { class: "muted", id: "kd" }, t("keys.changed.text", { agent })),
      ),
    ),
    h(
      "div",
      { class: "pad-lg stack stack-6" },
      h(
        "div",
        { class: "ba" },
        numberPart("keys.before", key.safety_number),
        numberPart("keys.now", key.new_safety_number, key.safety_number),
      ),
      h("p", { class: "muted small" }, t("keys.halves")),
      h("div", { class: "cols-2" }, reading("keys.harmless"), reading("keys.attack")),
      decision(key),
    ),
  );
}

function numberPart(title, number, before = number) {
  return h("div", null, h("h2", null, t(title)), safetyNumber(number ?? "", "safety-3", before));
}

function reading(key) {
  return h(
    "div",
    null,
    h("h2", null, t(`${key}.title`)),
    h("p", { class: "muted" }, t(`${key}.text`)),
  );
}

/** Keeping the agent blocked is chosen beforehand. */
function decision(key) {
  const agent = key.agent.name;
  const name = uniqueId("keys");
  const line = statusLine();
  const option = (value) => {
    const [label, text] = [uniqueId("label"), uniqueId("text")];
    const input = h("input", {
      type: "radio",
      name,
      value,
      checked: value === "keep",
      "aria-labelledby": label,
      "aria-describedby": text,
    });
    return h(
      "label",
      { class: "choice" },
      input,
      h("b", { id: label }, t(`keys.${value}`, { agent })),
      h("span", { class: "hint", id: text }, t(`keys.${value}.text`, { agent })),
    );
  };
  const button = h("button", { class: "btn btn-solid btn-lg", type: "submit" }, t("keys.go-on"));
  const form = h(
    "form",
    { class: "stack stack-6" },
    h(
      "fieldset",
      { class: "stack stack-3" },
      h("legend", null, h("h2", null, t("keys.choose", { agent }))),
      ["keep", "same", "differ"].map(option),
    ),
    line.element,
    h("p", null, button),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const choice = form.querySelector("input:checked").value;
    if (choice === "keep") return navigate("/devices");
    if (!(await run(button, line, () => act(key, choice)))) return line.focus();
    navigate(choice === "same" ? `/agents/${key.agent.agent_id}` : "/agents");
  });
  return form;
}

async function act(key, choice) {
  if (choice === "same")
    return post(`/keys/${key.agent.agent_id}/accept`, { number: key.new_safety_number });
  const relations = await get("/relations");
  const relation = relations.find((candidate) => candidate.agent.agent_id === key.agent.agent_id);
  return relation && remove(`/relations/${relation.relation_id}`);
}
