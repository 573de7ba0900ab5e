// Light or dark: the choice of the person wins over that of the system.

const KEY = "assent.theme";

/** `light`, `dark` or `system`. */
export const theme = () => localStorage.getItem(KEY) ?? "system";

export function setTheme(value) {
  if (value === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, value);
  applyTheme();
}

export function applyTheme() {
  const value = theme();
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}
