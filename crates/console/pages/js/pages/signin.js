// Signs the device in to a relay, or makes an account there.

import { post } from "../api.js";
import { h, uniqueId } from "../dom.js";
import { t } from "../i18n.js";
import { navigate } from "../router.js";
import { store } from "../store.js";
import { run, statusLine } from "../ui/status-line.js";

export async function render() {
  const line = statusLine();
  const relay = field("signin.relay", {
    type: "url",
    value: store.state.relay?.url ?? "",
    required: true,
    autocomplete: "url",
  });
  const email = field("signin.email", {
    type: "email",
    value: store.state.account?.email ?? "",
    required: true,
    autocomplete: "email",
  });
  const password = field("signin.password", {
    type: "password",
    required: true,
    autocomplete: "current-password",
  });
  const name = field("signin.name", { type: "text", autocomplete: "name" }, "signin.name.hint");
  const login = h("button", { class: "btn btn-solid btn-lg", type: "submit" }, t("signin.login"));
  const register = h("button", { class: "btn btn-lg", type: "button" }, t("signin.register"));
  const form = h(
    "form",
    {
      class: "card pad-lg narrow alone stack",
      "aria-labelledby": "signin-title",
      novalidate: true,
    },
    h(
      "div",
      null,
      h("h1", { id: "signin-title" }, t("signin.title")),
      h("p", { class: "muted mt-1" }, t("signin.text")),
    ),
    relay.element,
    email.element,
    password.element,
    name.element,
    line.element,
    h("p", { class: "row row-wrap" }, login, register),
    h("p", { class: "hint" }, t("signin.keys")),
  );

  async function send(button, path, isNew) {
    const missing = firstMissing([relay, email, password, ...(isNew ? [name] : [])]);
    if (missing !== null) return;
    const body = { relay: relay.value(), email: email.value(), account_password: password.value() };
    if (isNew) body.display_name = name.value();
    const done = await run(button, line, () => post(path, body));
    if (!done) return line.focus();
    password.clear();
    await store.load();
    navigate("/", { replace: true });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(login, "/account/login", false);
  });
  register.addEventListener("click", () => send(register, "/account/register", true));
  return { title: t("signin.title"), isPlain: true, classes: "slip-wrap", content: form };
}

function field(key, attributes, hintKey) {
  const id = uniqueId("field");
  const error = h("p", { class: "field-error", id: `${id}-error`, hidden: true });
  const hint = hintKey ? h("p", { class: "hint", id: `${id}-hint` }, t(hintKey)) : null;
  const describedBy = hint ? `${id}-hint ${id}-error` : `${id}-error`;
  const input = h("input", { class: "input", id, "aria-describedby": describedBy, ...attributes });
  const setError = (text) => {
    error.textContent = text;
    error.hidden = text === "";
    input.setAttribute("aria-invalid", String(text !== ""));
  };
  input.addEventListener("input", () => setError(""));
  return {
    element: h("div", null, h("label", { for: id }, t(key)), input, hint, error),
    value: () => (input.type === "password" ? input.value : input.value.trim()),
    clear: () => (input.value = ""),
    fail(text) {
      setError(text);
      input.focus();
    },
  };
}

function firstMissing(fields) {
  for (const candidate of fields) {
    if (candidate.value() !== "") continue;
    candidate.fail(t("signin.missing"));
    return candidate;
  }
  return null;
}
