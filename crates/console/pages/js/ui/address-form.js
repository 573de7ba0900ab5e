// The address or the link of an agent, to look it up.

import { h, uniqueId } from "../dom.js";
import { t } from "../i18n.js";
import { navigate } from "../router.js";

/** Reads `agt_…` or `assent:add/agt_…?relay=URL#k=HASH`. Returns the query of the page that adds the agent, or `null`. */
export function readAddress(text) {
  const address = text.trim();
  if (/^agt_[0-9A-Za-z]+$/.test(address)) return new URLSearchParams({ agent: address });
  const link = /^assent:(?:\/\/)?add\/(agt_[0-9A-Za-z]+)(\?[^#]*)?(#.*)?$/.exec(address);
  if (link === null) return null;
  const query = new URLSearchParams({ agent: link[1] });
  const relay = new URLSearchParams(link[2] ?? "").get("relay");
  const key = new URLSearchParams((link[3] ?? "").slice(1)).get("k");
  if (relay !== null) query.set("relay", relay);
  if (key !== null) query.set("k", key);
  return query;
}

export function addressForm() {
  const id = uniqueId("address");
  const error = h("p", { class: "field-error", id: `${id}-error`, role: "alert" });
  const input = h("input", {
    class: "input mono grow w-auto",
    id,
    placeholder: t("address.placeholder"),
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": error.id,
  });
  const form = h(
    "form",
    { "aria-label": t("address.form"), class: "mt-2" },
    h(
      "div",
      { class: "row row-wrap" },
      input,
      h("button", { class: "btn btn-solid", type: "submit" }, t("address.look-up")),
    ),
    error,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = readAddress(input.value);
    error.textContent = query === null ? t("address.wrong") : "";
    input.setAttribute("aria-invalid", String(query === null));
    if (query === null) input.focus();
    else navigate(`/add?${query}`);
  });
  return { form, input };
}
