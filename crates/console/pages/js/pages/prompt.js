// One prompt as a page of its own. The next ones follow in its place.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { promptFlow } from "../prompt/flow.js";
import { overlay } from "../prompt/overlay.js";
import { navigate } from "../router.js";
import { store } from "../store.js";
import { sentenceText } from "../words.js";
import { messageView } from "../ui/views.js";

export async function render({ id, signal }) {
  await store.loadPrompts();
  const wanted = store.prompts.find((prompt) => prompt.prompt_id === id);
  if (wanted === undefined) {
    return messageView(
      t("prompt.gone.title"),
      t("prompt.gone.text"),
      h("a", { class: "btn", href: "/activity" }, t("nav.activity")),
    );
  }
  const place = h("div", { class: "slip-wrap" });
  // The flow measures what is on screen, so it starts when the page is in the document.
  queueMicrotask(() => setTimeout(() => begin(place, wanted, signal)));
  return {
    title: sentenceText("wants", wanted.agent.name, wanted.tool),
    isPlain: true,
    content: place,
    focus: () => place.querySelector("[data-answer=deny]"),
  };
}

function begin(place, wanted, signal) {
  if (signal.aborted) return;
  let isFirst = true;
  const leave = () => {
    overlay.putAside();
    navigate("/");
  };
  promptFlow({
    container: place,
    next: () => {
      const first = isFirst
        ? store.prompts.find((prompt) => prompt.prompt_id === wanted.prompt_id)
        : undefined;
      isFirst = false;
      return first ?? store.prompts[0];
    },
    onShow: (prompt) => history.replaceState(null, "", `/prompts/${prompt.prompt_id}`),
    onEmpty: () => navigate("/"),
    onLeave: leave,
    signal,
  });
}
