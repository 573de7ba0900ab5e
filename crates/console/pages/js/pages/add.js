// Adds an agent: who it is, how messages travel, and what it may do. Nothing is ticked beforehand.

import { ApiError, get, post } from "../api.js";
import { h, replace } from "../dom.js";
import { t, tn } from "../i18n.js";
import { navigate } from "../router.js";
import { store } from "../store.js";
import { visible } from "../text/visible.js";
import { mark } from "../ui/mark.js";
import { crumb, note } from "../ui/parts.js";
import { run, statusLine } from "../ui/status-line.js";
import { identityCard, layersCard } from "./add-identity.js";
import { scopeGroups } from "./add-scopes.js";
import { directoryPage } from "./directory.js";
import { summaryCard } from "./add-summary.js";
import { messageView } from "../ui/views.js";

export async function render({ query, signal }) {
  const agentId = query.get("agent");
  if (agentId === null) return directoryPage({ query: query.get("q") ?? "", signal });
  const k = query.get("k");
  const relay = query.get("relay");
  if (relay !== null && !isSameRelay(relay)) {
    return messageView(
      t("add.other-relay.title"),
      t("add.other-relay.text", { relay, own: store.state.relay.url }),
    );
  }
  const path = `/directory/${encodeURIComponent(agentId)}${k === null ? "" : `?k=${encodeURIComponent(k)}`}`;
  let agent;
  try {
    agent = await get(path, signal);
  } catch (error) {
    if (error instanceof ApiError && error.code === "KEY_MISMATCH") {
      return messageView(t("add.key-mismatch.title"), t("add.key-mismatch.text"));
    }
    throw error;
  }
  if (agent.relation_id) navigate(`/agents/${agentId}`, { replace: true });
  const content = h("div");
  show(content, { agent, path, k, granted: new Set(), signal });
  return { title: t("add.title", { agent: agent.name }), content };
}

function isSameRelay(relay) {
  try {
    return new URL(relay).origin === new URL(store.state.relay.url).origin;
  } catch {
    return false;
  }
}

/** Shows what an agent declares. If that changes meanwhile, it is shown again and what changed is not ticked. */
function show(content, { agent, path, k, granted, signal, message = null }) {
  const line = statusLine();
  const button = h("button", { class: "btn btn-solid btn-lg", type: "submit" });
  const summary = summaryCard(agent, button);
  const update = () => {
    button.textContent =
      granted.size === 0 ? t("add.connect-none") : t("add.connect", { count: granted.size });
    summary.update(granted);
  };
  const form = h(
    "form",
    { class: "cols", "aria-label": t("add.form", { agent: agent.name }) },
    h(
      "div",
      { class: "stack stack-6" },
      message,
      identityCard(agent),
      layersCard(agent),
      scopeGroups(agent, granted, update),
      line.element,
    ),
    summary.element,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const connected = await run(button, line, () =>
      connect({ content, agent, path, k, granted, signal }),
    );
    if (!connected) line.focus();
  });
  update();
  replace(content, crumb("/", t("inbox.title")), head(agent), form);
}

async function connect({ content, agent, path, k, granted, signal }) {
  const body = {
    agent_id: agent.agent_id,
    manifest_hash: agent.manifest_hash,
    granted_scopes: [...granted],
    view_digest: agent.view_digest,
  };
  if (k !== null) body.k = k;
  try {
    const relation = await post("/relations", body);
    navigate(`/conversations/${relation.conversation_id}`);
  } catch (error) {
    if (error.code !== "MANIFEST_CHANGED" && error.code !== "VIEW_CHANGED") throw error;
    const fresh = await get(path, signal);
    const message = note(
      "warn",
      "refresh",
      h("b", null, t("add.changed.title")),
      " ",
      t("add.changed.text"),
    );
    show(content, {
      agent: fresh,
      path,
      k,
      granted: unchanged(agent, fresh, granted),
      signal,
      message,
    });
    content.querySelector(".note").scrollIntoView({ block: "center" });
  }
}

/** The ticked permissions that mean the same in both versions. */
function unchanged(before, after, granted) {
  const textOf = (agent, id) =>
    JSON.stringify([
      agent.scopes.find((scope) => scope.id === id),
      agent.tools.filter((tool) => tool.scope === id),
    ]);
  return new Set([...granted].filter((id) => textOf(before, id) === textOf(after, id)));
}

function head(agent) {
  const owner = agent.owner_name;
  return h(
    "div",
    { class: "page-head" },
    h(
      "div",
      { class: "row gap-4" },
      mark(agent.agent_id, "lg"),
      h(
        "div",
        null,
        h("h1", null, ...tn("add.title", { agent: h("span", null, ...visible(agent.name)) })),
        h(
          "p",
          null,
          owner
            ? tn("add.owner", { owner: h("span", { class: "said-in" }, ...visible(owner)) })
            : t("add.no-owner"),
        ),
      ),
    ),
  );
}
