// Who an agent is: its safety number and keys; and how messages to it travel.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n.js";
import { qrCode } from "../ui/qr.js";
import { safetyNumber, verification } from "../ui/parts.js";

export function identityCard(agent) {
  return h(
    "section",
    { class: "card", "aria-labelledby": "id-h" },
    h(
      "header",
      { class: "row between row-wrap" },
      h("h2", { id: "id-h" }, t("add.really", { agent: agent.name })),
      verification(agent.verified),
    ),
    h(
      "div",
      { class: "pad ident" },
      h(
        "div",
        { class: "stack stack-3" },
        h("p", null, agent.verified ? t("add.link-checked") : t("add.compare")),
        safetyNumber(agent.safety_number),
        agent.verified ? null : h("p", { class: "hint" }, t("add.compare-later")),
      ),
      qrCode(agent.safety_number),
    ),
    h(
      "footer",
      null,
      h(
        "details",
        { class: "disc" },
        h("summary", null, t("add.details")),
        h(
          "dl",
          { class: "facts mt-2" },
          h("dt", null, t("add.agent-id")),
          h("dd", null, h("code", { class: "break" }, agent.agent_id)),
          h("dt", null, t("add.manifest", { version: agent.manifest_version ?? "" })),
          h("dd", null, h("code", { class: "break" }, agent.manifest_hash)),
        ),
      ),
    ),
  );
}

export function layersCard(agent) {
  const isFull = isFullySealed(agent.layers);
  const tag = h(
    "span",
    { class: isFull ? "tag tag-jade" : "tag tag-ochre" },
    icon("lock"),
    t(isFull ? "layers.full" : "layers.stateless"),
  );
  const yes = (key) => h("li", null, icon("check"), h("span", null, t(key, { agent: agent.name })));
  const no = (key) => h("li", null, icon("alert"), h("span", null, t(key, { agent: agent.name })));
  return h(
    "section",
    { class: "card", "aria-labelledby": "enc-h" },
    h(
      "header",
      { class: "row between row-wrap" },
      h("h2", { id: "enc-h" }, t("layers.title")),
      tag,
    ),
    h(
      "div",
      { class: "pad" },
      h(
        "ul",
        { class: "yn" },
        yes("layers.read"),
        yes("layers.signed"),
        isFull ? [yes("layers.past"), yes("layers.future")] : [no("layers.no-past")],
      ),
    ),
    h("footer", null, t("layers.remembered", { agent: agent.name })),
  );
}

/** Returns `true` if messages have all layers. The device names them, or lists their numbers. */
export function isFullySealed(layers) {
  if (Array.isArray(layers))
    return layers.includes(4) || layers.includes("ratchet") || layers.includes("L4");
  return layers === "full";
}
