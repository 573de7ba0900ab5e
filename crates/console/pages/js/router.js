// Which page belongs to an address.

const ROUTES = [
  ["/", () => import("./pages/inbox.js")],
  ["/signin", () => import("./pages/signin.js")],
  ["/add", () => import("./pages/add.js")],
  ["/prompts/:id", () => import("./pages/prompt.js")],
  ["/reviews/:id", () => import("./pages/review.js")],
  ["/agents", () => import("./pages/agents.js")],
  ["/agents/:id", () => import("./pages/agent.js")],
  ["/activity", () => import("./pages/activity.js")],
  ["/activity/:id", () => import("./pages/activity.js")],
  ["/conversations", () => import("./pages/conversations.js")],
  ["/conversations/:id", () => import("./pages/conversation.js")],
  ["/devices", () => import("./pages/devices.js")],
  ["/keys/:id", () => import("./pages/keys.js")],
  ["/audit", () => import("./pages/audit.js")],
  ["/settings", () => import("./pages/settings.js")],
].map(([path, load]) => ({
  path,
  pattern: new RegExp(`^${path.replace(":id", "([^/]+)")}/?$`),
  load,
}));

/** @returns {{path: string, id: string | null, load: () => Promise<any>} | null} */
export function match(pathname) {
  for (const { path, pattern, load } of ROUTES) {
    const found = pattern.exec(pathname);
    if (found !== null)
      return { path, id: found[1] === undefined ? null : decodeURIComponent(found[1]), load };
  }
  return null;
}

let show = () => {};

/** Calls `onNavigate` for every change of the address, and takes over the links of the page. */
export function startRouter(onNavigate) {
  show = onNavigate;
  window.addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (
      event.defaultPrevented ||
      !isPlain ||
      link === null ||
      link.target ||
      link.hasAttribute("download")
    )
      return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.hash !== "" || match(url.pathname) === null) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}

/** Opens an address of the console. */
export function navigate(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  show();
}
