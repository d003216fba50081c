// The keyboard. Digits followed by Enter go to a turn, digits and a letter to a round or a ply; everything else is one key.

import { byId } from "./dom.js";

const OWN_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

/** Whether the focused element has a use of its own for a key. */
function isTaken(target, key) {
  if (target.closest("input:not([type=range]), select, textarea, dialog[open]")) return true;
  if (target.closest("input[type=range], [role=tablist]") && OWN_KEYS.has(key)) return true;
  if (target.closest(".scrolls, pre[tabindex]") && (key === "ArrowUp" || key === "ArrowDown")) return true;
  return Boolean(target.closest("button, a, summary")) && (key === " " || key === "Enter");
}

export function listen(actions) {
  let digits = "", word = "turn";
  const table = {
    ArrowRight: actions.next, ArrowLeft: actions.previous, Home: actions.first, End: actions.last, " ": actions.toggle,
    f: actions.nextFault, F: actions.previousFault, e: actions.nextEvent, E: actions.previousEvent,
    r: actions.reveal, t: actions.theme, w: actions.widen, "+": actions.faster, "=": actions.faster, "-": actions.slower, "?": actions.help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && isTaken(event.target, event.key)) return;
    if (actions.play(event.key)) { event.preventDefault(); return; }
    const counted = digits && actions.words().find((each) => each[0] === event.key);
    if (/^[0-9]$/.test(event.key)) digits = (digits + event.key).slice(-7);
    else if (counted) word = counted;
    else if (event.key === "Enter" && digits) { actions.goTo(word, Number(digits)); digits = ""; word = "turn"; event.preventDefault(); }
    else {
      digits = "";
      word = "turn";
      if (!table[event.key]) return;
      table[event.key]();
      event.preventDefault();
    }
    byId("typed").textContent = digits ? `go to ${word} ${digits} (Enter)` : "";
  });
}

/** Tabs: click, or arrow keys on the list of tabs. */
export function makeTabs(list, onChange) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab, focus) => {
    for (const each of tabs) {
      const chosen = each === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
      byId(each.getAttribute("aria-controls")).hidden = !chosen;
    }
    if (focus) tab.focus();
    onChange(tab.getAttribute("aria-controls"));
  };
  // After a click, arrow keys go on stepping through the game: the focus stays where it was.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => { const tab = event.target.closest("[role=tab]"); if (tab) choose(tab); });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at >= 0 && to !== undefined) choose(tabs[(to + tabs.length) % tabs.length], true);
  });
}
