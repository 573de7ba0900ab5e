// The agents that the person has added.

import { get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { stateOf, verification } from "../ui/parts.js";
import { emptyList } from "../ui/views.js";
import { relationSummary } from "./inbox.js";

export async function render({ signal }) {
  const [relations, reviews] = await Promise.all([
    get("/relations", signal),
    get("/reviews", signal),
  ]);
  const add = h("a", { class: "btn", href: "/add" }, icon("plus"), t("inbox.add"));
  const paused = new Set(reviews.map((review) => review.relation_id));
  return {
    title: t("nav.agents"),
    content: [
      h(
        "div",
        { class: "page-head" },
        h("div", null, h("h1", null, t("nav.agents")), h("p", null, t("agents.text"))),
        h("p", { class: "actions" }, add),
      ),
      relations.length === 0
        ? emptyList(
            t("agents.empty"),
            h("a", { class: "btn btn-solid", href: "/add" }, t("inbox.add")),
          )
        : h(
            "ul",
            { class: "card rows agents", "data-list": true },
            relations.map((relation) => row(relation, paused.has(relation.relation_id))),
          ),
    ],
  };
}

function row(relation, isPaused) {
  const state = isPaused
    ? stateOf("ochre", "pause", t("agents.paused"))
    : verification(relation.agent.verified);
  return h(
    "li",
    null,
    mark(relation.agent.agent_id),
    h(
      "a",
      { href: `/agents/${relation.agent.agent_id}` },
      h("b", null, ...visible(relation.agent.name)),
      h("span", { class: "sub" }, relationSummary(relation)),
    ),
    relation.keys_changed ? stateOf("cinnabar", "key", t("agent.key-changed")) : state,
  );
}
