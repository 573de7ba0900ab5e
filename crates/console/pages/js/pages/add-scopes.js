// What an agent may do: its permissions by sensitivity, each with its tools.

import { h, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { said, sensitivity } from "../ui/parts.js";
import { fallbackText, isKnownScope, scopeIcon, scopeName } from "../words.js";

const LEVELS = ["high", "medium", "low"];

/**
 * @param {any} agent
 * @param {Set<string>} granted the ids of the ticked permissions; changed by the checkboxes
 * @param {() => void} onChange
 */
export function scopeGroups(agent, granted, onChange) {
  return h(
    "section",
    { "aria-labelledby": "may-h", class: "stack stack-3" },
    h(
      "div",
      { class: "section-head" },
      h("h2", { id: "may-h" }, t("add.may")),
      h("p", null, t("add.may-text")),
    ),
    LEVELS.map((level) => group(level, agent, granted, onChange)),
  );
}

function group(level, agent, granted, onChange) {
  const scopes = agent.scopes.filter((scope) => scope.sensitivity === level);
  if (scopes.length === 0) return null;
  return h(
    "fieldset",
    { class: "card scope-group" },
    h("legend", { class: "vh" }, t(`sens.${level}.full`)),
    h("header", null, sensitivity(level), h("p", null, t(`sens.${level}.text`))),
    scopes.map((scope) => scopeRow(scope, agent, granted, onChange)),
  );
}

function scopeRow(scope, agent, granted, onChange) {
  const id = uniqueId("scope");
  const tools = agent.tools.filter((tool) => tool.scope === scope.id);
  const isServed = tools.length === 0 || tools.some((tool) => tool.served_by);
  const box = h("input", {
    type: "checkbox",
    id,
    "aria-describedby": `${id}-text`,
    disabled: !isServed,
  });
  box.checked = isServed && granted.has(scope.id);
  if (!isServed) granted.delete(scope.id);
  box.addEventListener("change", () => {
    if (box.checked) granted.add(scope.id);
    else granted.delete(scope.id);
    onChange();
  });
  return h(
    "div",
    { class: "scope" },
    box,
    h("span", { class: "glyph" }, icon(scopeIcon(scope.id), "i-lg")),
    h(
      "div",
      { class: "body" },
      h(
        "div",
        { class: "ttl" },
        h(
          "label",
          { for: id, class: isServed ? null : "muted" },
          isKnownScope(scope.id) ? scopeName(scope.id) : t("add.own-scope", { scope: scope.id }),
        ),
        isKnownScope(scope.id) ? h("code", { class: "faint" }, scope.id) : null,
        isServed ? null : h("span", { class: "tag" }, icon("ban"), t("add.not-here")),
      ),
      description(scope, agent, `${id}-text`),
      h("ul", { class: "tools" }, tools.map(toolLine)),
    ),
  );
}

function description(scope, agent, id) {
  if (isKnownScope(scope.id))
    return h("p", { class: "muted", id }, t(`scope.${scope.id}.description`));
  const words = [scope.label, scope.description]
    .map(fallbackText)
    .filter((text) => text !== "" && text !== scope.id);
  const quote = said(t("said.unknown-scope", { name: agent.name }), words.join(". ") || scope.id);
  quote.id = id;
  return quote;
}

function toolLine(tool) {
  const served = tool.served_by ? t("add.served") : t("add.not-served");
  return h(
    "li",
    null,
    h("code", null, ...visible(tool.name)),
    h("span", { class: "muted" }, served),
  );
}
