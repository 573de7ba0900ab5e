// The conversations with agents.

import { get } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { time } from "../ui/parts.js";
import { emptyList } from "../ui/views.js";

export async function render({ signal }) {
  const conversations = await get("/conversations", signal);
  return {
    title: t("nav.conversations"),
    content: [
      h(
        "div",
        { class: "page-head" },
        h(
          "div",
          null,
          h("h1", null, t("nav.conversations")),
          h("p", null, t("conversations.text")),
        ),
      ),
      conversations.length === 0
        ? emptyList(
            t("conversations.empty"),
            h("a", { class: "btn btn-solid", href: "/add" }, t("inbox.add")),
          )
        : h("ul", { class: "card rows agents", "data-list": true }, conversations.map(row)),
    ],
  };
}

function row(conversation) {
  return h(
    "li",
    null,
    mark(conversation.agent.agent_id),
    h(
      "a",
      { href: `/conversations/${conversation.conversation_id}` },
      h("b", null, ...visible(conversation.agent.name)),
      h(
        "span",
        { class: "sub cut-line" },
        conversation.last_text ? visible(conversation.last_text) : t("conversations.no-text"),
      ),
    ),
    conversation.last_at ? h("span", { class: "faint xs" }, time(conversation.last_at)) : h("span"),
  );
}
