// One call in full: what was seen, answered and run; who decided and why; its thirteen stages.

import { h } from "../dom.js";
import { duration, exactTime, hasText, t } from "../i18n.js";
import { valueRow } from "../prompt/rows.js";
import { visible } from "../text/visible.js";
import { callForm, callState, deciderText } from "../ui/call.js";
import { mark } from "../ui/mark.js";
import { crumb, digest, sensitivity } from "../ui/parts.js";
import { sentence } from "../words.js";

export function callArticle(call) {
  return h(
    "article",
    { class: "act-call", id: "call", "aria-labelledby": "call-h" },
    h("h1", { class: "vh only-narrow" }, t("nav.activity")),
    h("div", { class: "only-narrow" }, crumb("/activity", t("nav.activity"))),
    head(call),
    h(
      "div",
      { class: "stack stack-6" },
      receipt(call),
      values(call),
      why(call),
      stages(call),
      audit(call),
    ),
  );
}

function head(call) {
  return h(
    "header",
    { class: "row row-top gap-4 mb-5" },
    mark(call.agent.agent_id),
    h(
      "div",
      { class: "grow" },
      h(
        "h2",
        { class: "as-h1", id: "call-h", tabindex: "-1" },
        ...sentence(callForm(call), call.agent.name, call.tool),
      ),
      h(
        "p",
        { class: "row row-wrap muted small gap-x" },
        callState(call),
        h("time", { datetime: new Date(call.at).toISOString() }, exactTime(call.at)),
        call.tool ? h("code", null, ...visible(call.tool.name)) : null,
        call.scope?.sensitivity ? sensitivity(call.scope.sensitivity) : null,
      ),
      call.target
        ? h("p", { class: "small break" }, h("code", null, ...visible(call.target.text)))
        : null,
    ),
  );
}

/** The three digests of a call that a person has answered: they are equal, or it did not run. */
function receipt(call) {
  const { saw, answered, ran } = call.digests ?? {};
  if (!saw) return null;
  const isSame = answered === saw && (ran === undefined || ran === null || ran === saw);
  const item = (key, value, text) =>
    h(
      "li",
      null,
      h("b", null, t(key)),
      value ? digest(value) : h("span", null, t("receipt.nothing")),
      h("span", null, text),
    );
  const equals = (a, b) => {
    if (!b) return h("li", { class: "eq", "aria-hidden": "true" }, "·");
    return a === b
      ? h("li", { class: "eq", "aria-label": t("receipt.equal") }, "=")
      : h("li", { class: "eq ne", "aria-label": t("receipt.unequal") }, "≠");
  };
  return h(
    "section",
    { "aria-labelledby": "rc" },
    h("h3", { class: "mb-2", id: "rc" }, t(isSame ? "receipt.title" : "receipt.differs")),
    h(
      "ol",
      { class: isSame ? "receipt" : "receipt receipt-bad", "aria-labelledby": "rc" },
      item("receipt.saw", saw, t("receipt.slip")),
      equals(saw, answered),
      item(
        "receipt.answered",
        answered,
        call.decision && hasText(`answer.${call.decision}`) ? t(`answer.${call.decision}`) : "",
      ),
      equals(answered, ran),
      item("receipt.ran", ran, t(ran ? "receipt.once" : "receipt.not-run")),
    ),
  );
}

/** What was asked, as it was shown. */
function values(call) {
  const lines = call.view?.lines.slice(1) ?? [];
  if (lines.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "vl" },
    h("h3", { class: "mb-2", id: "vl" }, t("call.values")),
    h(
      "dl",
      { class: "args" },
      lines.map((line) => valueRow(line, () => {}).element),
    ),
  );
}

function why(call) {
  const rows = [[t("call.decided-by"), deciderText(call)]];
  if (call.why) rows.push([t("call.why"), call.why]);
  if (call.reason) rows.push([t("call.reason"), h("code", null, call.reason)]);
  if (call.error_code) rows.push([t("call.code"), h("code", null, call.error_code)]);
  if (call.detail) rows.push([t("call.detail"), h("span", null, ...visible(call.detail))]);
  return h(
    "section",
    { "aria-labelledby": "why" },
    h(
      "h3",
      { class: "mb-2", id: "why" },
      t(call.status === "ok" ? "call.why-allowed" : "call.why-ended"),
    ),
    h(
      "dl",
      { class: "facts" },
      rows.map(([name, value]) => [h("dt", null, name), h("dd", null, value)]),
    ),
  );
}

const NAMES = [
  "resolve",
  "deferral",
  "parse",
  "validate",
  "observe",
  "pre_hooks",
  "permission",
  "schedule",
  "execute",
  "map",
  "post_hooks",
  "persist",
  "emit",
];

function stages(call) {
  if (!call.stages || call.stages.length === 0) return null;
  const byName = new Map(call.stages.map((stage) => [stage.name, stage]));
  return h(
    "section",
    { "aria-labelledby": "st" },
    h("div", { class: "section-head" }, h("h3", { id: "st" }, t("call.stages"))),
    h(
      "ol",
      { class: "card pad stages", "aria-labelledby": "st" },
      NAMES.map((name) => stageRow(name, byName.get(name), call)),
    ),
  );
}

const STAGE_TEXTS = { stopped: "stage.stopped", waiting: "stage.waiting", passed: "stage.passed" };

function stageRow(name, stage, call) {
  const title = h("b", null, t(`stage.${name}`));
  if (stage === undefined || stage.status === "skipped")
    return h(
      "li",
      { class: "not" },
      title,
      h("div", null, stage?.reason ? visible(stage.reason) : t("stage.not")),
      h("time"),
    );
  const isKey = name === "permission" && String(call.decided_by ?? "").startsWith("person");
  const isStop = stage.status === "stopped";
  const text = stage.reason
    ? visible(stage.reason)
    : t(STAGE_TEXTS[stage.status] ?? "stage.passed");
  const took = stage.ms === undefined || stage.ms === null ? "" : duration(stage.ms);
  return h(
    "li",
    { class: isStop ? "stop" : isKey ? "key" : null },
    title,
    h("div", null, text),
    h("time", null, took),
  );
}

function audit(call) {
  const entry = call.audit;
  if (!entry) return null;
  return h(
    "section",
    { "aria-labelledby": "au" },
    h("h3", { class: "mb-2", id: "au" }, t("call.audit", { seq: entry.seq })),
    h(
      "dl",
      { class: "facts" },
      h("dt", null, t("audit.arguments")),
      h(
        "dd",
        null,
        digest(entry.arguments_digest),
        " ",
        h("span", { class: "faint" }, t("audit.salted")),
      ),
      entry.prev ? [h("dt", null, t("audit.follows")), h("dd", null, digest(entry.prev))] : null,
    ),
  );
}
