// What one agent may do, what is quiet or denied, and what the person has signed.

import { get, patch, post, remove } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { navigate } from "../router.js";
import { onDeviceEvent } from "../store.js";
import { visible } from "../text/visible.js";
import { ledgerList } from "../ui/ledger.js";
import { mark } from "../ui/mark.js";
import { crumb, note, sectionHead, sensitivity, stateOf, time, verification } from "../ui/parts.js";
import { silenceWindow } from "../ui/silence.js";
import { run, statusLine } from "../ui/status-line.js";
import { messageView } from "../ui/views.js";
import { scopeIcon, scopeName, scopeTitle } from "../words.js";
import { isFullySealed } from "./add-identity.js";

/** A revocation can be undone, with a new signature, for this long. */
const UNDO_MS = 10_000;

export async function render({ id, signal }) {
  const load = async () => {
    const relations = await get("/relations", signal);
    const found = relations.find((relation) => relation.agent.agent_id === id);
    if (found === undefined) return null;
    const [relation, offer] = await Promise.all([
      get(`/relations/${found.relation_id}`, signal),
      get(`/directory/${id}`, signal).catch(() => null),
    ]);
    return { ...found, ...relation, offer };
  };
  const relation = await load();
  if (relation === null) {
    return messageView(
      t("agent.unknown.title"),
      t("agent.unknown.text"),
      h(
        "a",
        { class: "btn btn-solid", href: `/add?agent=${encodeURIComponent(id)}` },
        t("agent.unknown.add"),
      ),
    );
  }
  const content = h("div");
  const line = statusLine();
  const page = { content, line, relation };
  page.reload = async () => {
    const fresh = await load();
    if (signal.aborted) return;
    if (fresh === null) return navigate("/agents", { replace: true });
    page.relation = fresh;
    paint(page);
  };
  onDeviceEvent(["relation.", "keys.", "review."], () => page.reload().catch(() => {}), signal);
  paint(page);
  return { title: relation.agent.name, content };
}

function paint(page) {
  const { content, line, relation } = page;
  replace(
    content,
    crumb("/agents", t("nav.agents")),
    head(relation),
    tabs(relation),
    line.element,
    h(
      "div",
      { class: "stack stack-8" },
      notices(relation),
      granted(page),
      h("div", { class: "cols-2" }, denied(page), notGranted(page)),
      ledger(relation),
      ending(page),
    ),
  );
}

function head(relation) {
  const sealed = isFullySealed(relation.layers);
  return h(
    "div",
    { class: "page-head mb-4" },
    h(
      "div",
      { class: "row gap-4" },
      mark(relation.agent.agent_id, "lg"),
      h(
        "div",
        null,
        h("h1", null, ...visible(relation.agent.name)),
        h(
          "p",
          { class: "row row-wrap gap-x" },
          verification(relation.agent.verified),
          stateOf(
            sealed ? "jade" : "ochre",
            "lock",
            t(sealed ? "layers.full.short" : "layers.stateless.short"),
          ),
        ),
      ),
    ),
  );
}

function tabs(relation) {
  const link = (href, key, isCurrent) =>
    h("a", { href, "aria-current": isCurrent ? "page" : null }, t(key));
  return h(
    "nav",
    { class: "tabs", "aria-label": relation.agent.name },
    link(`/agents/${relation.agent.agent_id}`, "agent.permissions", true),
    relation.conversation_id
      ? link(`/conversations/${relation.conversation_id}`, "agent.conversation", false)
      : null,
    link(`/activity?agent=${relation.agent.agent_id}`, "nav.activity", false),
    link(`/keys/${relation.agent.agent_id}`, "agent.identity", false),
  );
}

function notices(relation) {
  const notices = [];
  if (relation.state === "suspended") notices.push(note("warn", "pause", t("agent.suspended")));
  if (relation.rejected_manifest) {
    notices.push(
      note("stop", "alert", t("agent.rejected", { version: relation.rejected_manifest.version })),
    );
  }
  if (relation.keys_changed) {
    notices.push(
      note(
        "stop",
        "key",
        h("b", null, t("keys.changed.title", { agent: relation.agent.name })),
        " ",
        h("a", { href: `/keys/${relation.agent.agent_id}` }, t("keys.look")),
      ),
    );
  }
  if (relation.review) {
    notices.push(
      note(
        "warn",
        "pause",
        h("b", null, t("review.title", { agent: relation.agent.name })),
        " ",
        h(
          "a",
          { href: `/reviews/${relation.relation_id}` },
          t("inbox.changes", { agent: relation.agent.name }),
        ),
      ),
    );
  }
  return notices.length > 0 ? h("div", { class: "stack stack-2" }, notices) : null;
}

const sensitivityOf = (relation, scope) =>
  relation.offer?.scopes.find((candidate) => candidate.id === scope)?.sensitivity;

const toolsOf = (relation, scope) => (relation.tools ?? []).filter((tool) => tool.scope === scope);

function granted(page) {
  const { relation } = page;
  const rows = relation.granted_scopes.map((scope) => grantRow(page, scope));
  return h(
    "section",
    { "aria-labelledby": "g" },
    sectionHead("g", t("agent.granted")),
    rows.length === 0
      ? h("p", { class: "card pad muted" }, t("agents.none"))
      : h("ul", { class: "card rows grants" }, rows),
  );
}

function grantRow(page, scope) {
  const { relation, line } = page;
  const level = sensitivityOf(relation, scope);
  const quiet = toolsOf(relation, scope).filter((tool) => tool.silent_until);
  const revoke = h(
    "button",
    {
      class: "btn btn-sm btn-stop-quiet",
      type: "button",
      "aria-label": t("agent.revoke.label", { permission: scopeName(scope) }),
    },
    t("agent.revoke"),
  );
  revoke.addEventListener("click", async () => {
    const before = [...relation.granted_scopes];
    const left = before.filter((other) => other !== scope);
    if (await run(revoke, line, () => changeGrants(page, left))) offerUndo(page, scope, before);
  });
  return h(
    "li",
    null,
    icon(scopeIcon(scope), "i-lg"),
    h(
      "div",
      { class: "grow stack stack-2" },
      h(
        "p",
        { class: "row row-wrap gap-x" },
        h("b", null, scopeTitle(scope)),
        level ? sensitivity(level) : null,
        h("code", { class: "faint xs" }, scope),
      ),
      quiet.length === 0
        ? h(
            "p",
            { class: "small muted" },
            level ? t(`agent.asks.${level}`) : t("agent.asks.medium"),
          )
        : quiet.map((tool) => silenceWindow(tool)),
    ),
    h(
      "p",
      { class: "do" },
      quiet.map((tool) => askAgain(page, tool)),
      revoke,
    ),
  );
}

function askAgain(page, tool) {
  const label = t("agent.ask-again.label", { tool: tool.name });
  const button = h(
    "button",
    { class: "btn btn-sm", type: "button", "aria-label": label },
    t("agent.ask-again"),
  );
  button.addEventListener("click", async () => {
    const done = await run(button, page.line, () =>
      post(`/relations/${page.relation.relation_id}/ask-again`, { tool: tool.name }),
    );
    if (!done) return;
    await page.reload();
    page.line.say(t("agent.asks-again", { tool: tool.name }));
    page.line.focus();
  });
  return button;
}

async function changeGrants(page, scopes) {
  const offer = await get(`/directory/${page.relation.agent.agent_id}`);
  const body = {
    granted_scopes: scopes,
    manifest_hash: offer.manifest_hash,
    view_digest: offer.view_digest,
  };
  await patch(`/relations/${page.relation.relation_id}`, body);
  await page.reload();
}

function offerUndo(page, scope, before) {
  const { line } = page;
  const undo = h("button", { class: "btn btn-sm", type: "button" }, t("undo"));
  undo.addEventListener("click", async () => {
    if (await run(undo, line, () => changeGrants(page, before)))
      line.say(t("agent.undone", { permission: scopeName(scope) }));
    line.focus();
  });
  line.say(t("agent.revoked", { permission: scopeName(scope) }));
  line.element.querySelector(".note").append(undo);
  line.focus();
  setTimeout(() => undo.remove(), UNDO_MS);
}

function denied(page) {
  const tools = (page.relation.tools ?? []).filter(
    (tool) => tool.always_denied || tool.embargoed_until,
  );
  if (tools.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "d" },
    sectionHead("d", t("agent.denied")),
    h(
      "ul",
      { class: "card rows" },
      tools.map((tool) =>
        h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "grow" },
            h("code", null, ...visible(tool.name)),
            h("br"),
            h(
              "span",
              { class: "small muted" },
              tool.always_denied
                ? t("agent.denied.by-you")
                : [t("agent.denied.until"), " ", time(tool.embargoed_until)],
            ),
          ),
          askAgain(page, tool),
        ),
      ),
    ),
  );
}

function notGranted(page) {
  const { relation, line } = page;
  const scopes = (relation.offer?.scopes ?? []).filter(
    (scope) => !relation.granted_scopes.includes(scope.id),
  );
  if (scopes.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "n" },
    sectionHead("n", t("agent.not-granted")),
    h(
      "ul",
      { class: "card rows" },
      scopes.map((scope) => {
        const grant = h(
          "button",
          {
            class: "btn btn-sm",
            type: "button",
            "aria-label": t("agent.grant.label", { permission: scopeName(scope.id) }),
          },
          t("agent.grant"),
        );
        grant.addEventListener("click", async () => {
          const done = await run(grant, line, () =>
            changeGrants(page, [...relation.granted_scopes, scope.id]),
          );
          if (done) line.say(t("agent.now-granted", { permission: scopeName(scope.id) }));
          line.focus();
        });
        return h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "grow" },
            scopeTitle(scope.id),
            " ",
            sensitivity(scope.sensitivity),
            h("br"),
            h("span", { class: "small muted" }, t("agent.not-granted.text")),
          ),
          grant,
        );
      }),
    ),
  );
}

function ledger(relation) {
  if (!relation.ledger || relation.ledger.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "l" },
    sectionHead("l", t("agent.signed")),
    ledgerList(relation.ledger),
    h("p", { class: "hint mt-2" }, t("agent.signed.text")),
  );
}

function ending(page) {
  const { relation, line } = page;
  const name = relation.agent.name;
  const place = h("div", { class: "pad" });
  const revoke = h("button", { class: "btn btn-stop", type: "button" }, t("agent.end"));
  const keep = h("button", { class: "btn btn-no", type: "button" }, t("agent.end.keep"));
  const confirm = h(
    "button",
    { class: "btn btn-stop", type: "button" },
    t("agent.end.confirm", { agent: name }),
  );
  const calm = () =>
    h(
      "div",
      { class: "row row-wrap between" },
      h(
        "div",
        null,
        h("h2", { id: "end" }, t("agent.end.title", { agent: name })),
        h("p", { class: "muted" }, t("agent.end.text")),
      ),
      revoke,
    );
  const question = () =>
    h(
      "div",
      { class: "stack stack-3", role: "group", "aria-labelledby": "end" },
      h("h2", { id: "end" }, t("agent.end.sure", { agent: name })),
      h("p", { class: "muted" }, t("agent.end.text")),
      h("p", { class: "row row-wrap" }, keep, confirm),
    );
  revoke.addEventListener("click", () => {
    replace(place, question());
    keep.focus();
  });
  keep.addEventListener("click", () => {
    replace(place, calm());
    revoke.focus();
  });
  confirm.addEventListener("click", async () => {
    if (await run(confirm, line, () => remove(`/relations/${relation.relation_id}`)))
      navigate("/agents");
    else line.focus();
  });
  replace(place, calm());
  return h("section", { class: "card", "aria-labelledby": "end" }, place);
}
