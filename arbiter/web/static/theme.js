// Dark and light: as the page or the system prefers, until the user chooses.

const KEY = "arbiter-theme";
const listeners = [];
const dark = matchMedia("(prefers-color-scheme: dark)");

/** A value kept in the browser; null where that is not possible. */
export function remembered(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* a private window, or a file on disk */ }
}

export const theme = () => remembered(KEY) ?? document.documentElement.dataset.prefers ?? (dark.matches ? "dark" : "light");

function show() {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener(theme());
}

export function onTheme(listener) {
  listeners.push(listener);
  listener(theme());
}

export function toggleTheme() {
  remember(KEY, theme() === "dark" ? "light" : "dark");
  show();
}

dark.addEventListener("change", show);
show();
