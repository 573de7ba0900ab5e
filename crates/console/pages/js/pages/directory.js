// The relay's list of agents, and the field for an address.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { addressForm } from "../ui/address-form.js";
import { mark } from "../ui/mark.js";
import { crumb } from "../ui/parts.js";
import { statusLine } from "../ui/status-line.js";

const PAUSE_MS = 250;

export async function directoryPage({ query, signal }) {
  const line = statusLine();
  const results = h("div", { "aria-live": "polite" });
  const field = h("input", {
    class: "input",
    id: "directory-search",
    type: "search",
    value: query,
    placeholder: t("directory.placeholder"),
    autocomplete: "off",
  });
  const { form, input } = addressForm();
  let timer = 0;

  async function search() {
    try {
      const found = await get(`/directory?q=${encodeURIComponent(field.value.trim())}`, signal);
      line.clear();
      replace(results, list(found));
    } catch (error) {
      if (error.code === undefined) throw error;
      line.fail(error);
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
  await search();
  return {
    title: t("directory.title"),
    content: [
      crumb("/agents", t("nav.agents")),
      h(
        "div",
        { class: "page-head" },
        h("div", null, h("h1", null, t("directory.title")), h("p", null, t("directory.text"))),
      ),
      h(
        "div",
        { class: "stack stack-6 narrow" },
        h(
          "section",
          { class: "card pad" },
          h("h2", null, h("label", { for: input.id }, t("directory.address"))),
          h("p", { class: "muted small" }, t("first.add.text")),
          form,
        ),
        h(
          "section",
          { "aria-labelledby": "list-h", class: "stack stack-3" },
          h("h2", { id: "list-h" }, t("directory.list")),
          h(
            "form",
            { role: "search", on: { submit: (event) => event.preventDefault() } },
            h(
              "p",
              { class: "search" },
              h("label", { class: "vh", for: field.id }, t("directory.search")),
              icon("search"),
              field,
            ),
          ),
          line.element,
          results,
          h("p", { class: "hint" }, t("directory.relay-says")),
        ),
      ),
    ],
  };
}

function list(agents) {
  if (agents.length === 0) return h("p", { class: "card pad muted" }, t("directory.none"));
  return h(
    "ul",
    { class: "card rows agents", "data-list": true },
    agents.map((agent) =>
      h(
        "li",
        null,
        mark(agent.agent_id),
        h(
          "a",
          { href: `/add?agent=${encodeURIComponent(agent.agent_id)}` },
          h("b", null, ...visible(agent.name)),
          h("span", { class: "sub mono" }, agent.agent_id),
        ),
        icon("right"),
      ),
    ),
  );
}
