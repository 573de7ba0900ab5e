// What the person has signed for an agent, the newest first.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { scopeTitle } from "../words.js";
import { digest, stateOf, time } from "./parts.js";

/** @param {any[]} entries the oldest first */
export function ledgerList(entries) {
  const rows = entries.map((entry, index) => row(entry, entries[index - 1]));
  return h("ol", { class: "card pad chain" }, rows.reverse());
}

function row(entry, before) {
  const had = new Set(before?.granted_scopes ?? []);
  const has = new Set(entry.granted_scopes ?? []);
  const added = [...has].filter((scope) => !had.has(scope));
  const gone = [...had].filter((scope) => !has.has(scope));
  return h(
    "li",
    null,
    h(
      "div",
      null,
      h(
        "p",
        { class: "row row-wrap" },
        h("b", null, t(title(entry, before, added, gone))),
        added.map((scope) => h("ins", null, scopeTitle(scope))),
        gone.map((scope) => h("del", null, scopeTitle(scope))),
      ),
      h(
        "p",
        { class: "small muted" },
        time(entry.issued_at),
        " · ",
        t("add.manifest", { version: entry.manifest_version ?? "" }),
      ),
    ),
    h(
      "p",
      { class: "small ta-end" },
      entry.hash ? digest(entry.hash) : digest(entry.manifest_hash),
      h("br"),
      stateOf("jade", "check", t("agent.signed.by-you")),
    ),
  );
}

function title(entry, before, added, gone) {
  if (entry.action === "revoke") return "ledger.revoked";
  if (before === undefined) return "ledger.connected";
  if (before.manifest_hash !== entry.manifest_hash) return "ledger.agreed";
  return gone.length > 0 && added.length === 0 ? "ledger.took-back" : "ledger.granted";
}
