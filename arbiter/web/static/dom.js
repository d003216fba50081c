// HTML elements from plain values. Text only ever becomes text: there is no way to pass markup.

/** An element; `properties` are attributes, `on` + event name a listener, true an empty attribute, null or false none. */
export function h(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Set the text of an element that has nothing but text in it; the same text costs nothing. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set a property of an element; the same value costs nothing, where a browser would compute styles again. */
export function set(node, name, value) {
  if (node[name] !== value) node[name] = value;
}

export const byId = (id) => document.getElementById(id);

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What is cut off is replaced by a note of about this length, so nothing shorter is. */
const NOTE = 24;

/** Text from an agent, made visible: control characters, direction marks and halves of surrogate pairs show as codes. */
export function shown(text, most = 4000) {
  const code = (letter) => `‹U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`;
  const whole = String(text);
  const cut = whole.length > most + NOTE ? `${whole.slice(0, most)}… (${whole.length - most} more characters)` : whole;
  return cut.replace(HIDDEN, code).replace(LONE, code);
}

/** Text from an agent as an element that keeps its direction to itself. */
export const quote = (text, most) => h("bdi", { class: "said" }, shown(text, most));

/** The badge of a seat: its colour, its shape and its number, which the protocol may count from 1. */
export const badge = (seat, number) => h("span", { class: `badge seat-${seat % 4}`, "aria-hidden": "true" }, h("span", {}, String(number)));

export const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A number of points, without a needless fraction. */
export const points = (value) => (Number.isInteger(value) ? String(value) : value === null ? "–" : value.toFixed(2));

/** A duration as text. */
export function duration(us) {
  const short = (value, digits) => String(Number(value.toFixed(digits)));
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return `${short(us / 1000, us < 1e4 ? 1 : 0)} ms`;
  if (us < 6e7) return `${short(us / 1e6, us < 1e7 ? 2 : 1)} s`;
  return `${Math.floor(us / 6e7)} min ${Math.round((us % 6e7) / 1e6)} s`;
}

/** A button that copies what `text()` returns. */
export function copyButton(label, text) {
  const button = h("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying is not allowed here";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/** Offer bytes as a download. */
export function download(name, data, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
