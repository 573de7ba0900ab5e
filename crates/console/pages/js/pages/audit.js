// The chain of answered calls: every entry names the one before it.

import { get, getPart } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { exactTime, shortTime, t } from "../i18n.js";
import { visible } from "../text/visible.js";
import { deciderText } from "../ui/call.js";
import { crumb, digest, note } from "../ui/parts.js";
import { run, statusLine } from "../ui/status-line.js";

export async function render({ signal }) {
  const { items: newest, next } = await getPart("/audit", null, signal);
  const line = statusLine();
  const result = h("div", { class: "status-line", role: "status" });
  const verify = h(
    "button",
    { class: "btn", type: "button" },
    icon("shield-check"),
    t("audit.verify"),
  );
  const save = h("button", { class: "btn", type: "button" }, icon("download"), t("audit.export"));
  verify.addEventListener("click", () =>
    run(verify, line, async () => replace(result, verdict(await get("/audit/verify")))),
  );
  save.addEventListener("click", () =>
    run(save, line, async () => download(await get("/audit/export"))),
  );
  return {
    title: t("audit.title"),
    content: [
      crumb("/activity", t("nav.activity")),
      h(
        "div",
        { class: "page-head" },
        h("div", null, h("h1", null, t("audit.title")), h("p", null, t("audit.text"))),
        h("p", { class: "actions" }, verify, save),
      ),
      h(
        "div",
        { class: "stack" },
        line.element,
        result,
        newest.length === 0 ? h("p", { class: "card pad muted" }, t("audit.empty")) : table(newest),
      ),
      next === null ? null : h("p", { class: "hint mt-2" }, t("audit.more")),
    ],
  };
}

function verdict(report) {
  if (report.ok) return note("ok", "shield-check", t("audit.unbroken", { count: report.entries }));
  const problems = (report.problems ?? []).map((problem) =>
    h("li", null, `${problem.seq}: `, ...visible(problem.message)),
  );
  return note(
    "stop",
    "link",
    h("b", null, t("audit.broken")),
    problems.length > 0 ? h("ul", null, problems) : null,
  );
}

/** Saves the entries as they are, so that they can be verified elsewhere. */
function download(data) {
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = h("a", { href: url, download: "assent-audit.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function table(entries) {
  const heads = [
    "audit.seq",
    "audit.time",
    "audit.tool",
    "audit.status",
    "audit.decided",
    "audit.arguments",
  ];
  return h(
    "table",
    { class: "card table table-stack" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        heads.map((key) => h("th", { scope: "col" }, t(key))),
      ),
    ),
    h("tbody", null, entries.map(row)),
  );
}

function row(entry) {
  const cell = (key, ...content) => h("td", { "data-l": t(key) }, ...content);
  const outcome = entry.reason ?? entry.error_code;
  return h(
    "tr",
    null,
    cell("audit.seq", String(entry.seq)),
    cell(
      "audit.time",
      h(
        "time",
        { datetime: entry.timestamp, title: exactTime(entry.timestamp) },
        shortTime(entry.timestamp),
      ),
    ),
    cell(
      "audit.tool",
      h(
        "a",
        { href: `/activity/${entry.invocation_id}` },
        h("code", null, ...visible(entry.tool_name)),
      ),
    ),
    cell("audit.status", h("code", null, outcome ? `${entry.status}: ${outcome}` : entry.status)),
    cell("audit.decided", deciderText(entry)),
    cell("audit.arguments", digest(entry.arguments_digest)),
  );
}
