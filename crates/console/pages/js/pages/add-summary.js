// What happens after the person connects, for what is ticked now.

import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { note } from "../ui/parts.js";
import { scopeTitle } from "../words.js";

/** @param {any} agent @param {HTMLElement} button */
export function summaryCard(agent, button) {
  const parts = h("div", { class: "sum" });

  function update(granted) {
    const of = (test) => agent.scopes.filter(test).map((scope) => scope.id);
    replace(
      parts,
      part(
        "moon",
        "sum.quiet",
        of((scope) => granted.has(scope.id) && scope.sensitivity === "low"),
      ),
      part(
        "clock",
        "sum.asks",
        of((scope) => granted.has(scope.id) && scope.sensitivity !== "low"),
      ),
      part(
        "ban",
        "sum.not",
        of((scope) => !granted.has(scope.id)),
      ),
    );
  }

  return {
    update,
    element: h(
      "aside",
      { class: "card pad sum sticky", "aria-labelledby": "sum-h" },
      h("h2", { id: "sum-h" }, t("sum.title")),
      parts,
      agent.verified
        ? null
        : h(
            "div",
            { class: "small" },
            note("warn", "alert", t("sum.not-compared", { agent: agent.name })),
          ),
      button,
      h("a", { class: "btn btn-text", href: "/" }, t("cancel")),
      h("p", { class: "hint xs" }, t("sum.signed", { agent: agent.name })),
    ),
  };
}

function part(iconName, key, ids) {
  if (ids.length === 0) return null;
  return h(
    "div",
    null,
    h("h3", null, icon(iconName), t(key)),
    h(
      "ul",
      null,
      ids.map((id) => h("li", null, scopeTitle(id))),
    ),
  );
}
