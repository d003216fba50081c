// Where the game comes from: the server, which may still be adding turns, or the file that this page is.

const embedded = () => document.getElementById("data");

/** Unpack base64 text of gzip-compressed bytes. */
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function fromServer() {
  const base = `/data${location.pathname}`, id = location.pathname.split("/").pop();
  const again = async (which = "") => {
    const response = await fetch(base + which);
    const document = await response.json();
    if (!response.ok) throw new Error(document.error ?? `the server answered ${response.status}`);
    return document;
  };
  const document = await again();
  const which = document.game_number ? `?game=${document.game_number}` : "";  // the address of a person leads to the latest game
  const [drawing, shapes] = await Promise.all([
    document.drawing ? import(document.drawing) : null, document.drawing ? import("./shapes.js") : null,
  ]);
  return {
    document, drawing, shapes, id, again: () => again(which),
    record: async () => (await fetch(`${base}/record${which}`)).arrayBuffer(),
    stderr: () => again("/stderr"),
    follow: (handlers) => follow(base, `newest=${document.newest ?? ""}&game=${document.game_number ?? ""}`, handlers),
    send: (said) => fetch(`${base}/answer${which}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(said) }),
  };
}

/** Hand over turns as they are played, questions to the person who plays, the result, and the next game of a series. */
function follow(base, about, { count, onTurns, onQuestion, onOver, onNext, onLost }) {
  let over = false;
  const open = () => {
    const events = new EventSource(`${base}/live?after=${count()}&${about}`);
    const close = () => { events.close(); removeEventListener("pagehide", close); };
    addEventListener("pagehide", close);
    events.addEventListener("turns", (event) => { const data = JSON.parse(event.data); onTurns(data.after, data.turns); });
    events.addEventListener("question", (event) => onQuestion(JSON.parse(event.data)));
    events.addEventListener("over", (event) => { over = true; onOver(JSON.parse(event.data)); });
    events.addEventListener("next", (event) => { close(); onNext(JSON.parse(event.data).game); });
    // The browser would ask again for turns it already has: reconnect with the current count instead.
    events.onerror = () => { close(); onLost(over); if (!over) setTimeout(open, 1000); };
  };
  open();
}

/** The bundle of an exported file defines the modules; the drawing is one of them. */
export async function load(modules) {
  if (!embedded()) return fromServer();
  const document = JSON.parse(new TextDecoder().decode(await unpacked(embedded().textContent)));
  return {
    document, drawing: modules["drawing.js"] ?? null, shapes: modules["shapes.js"] ?? null, id: document.id,
    record: () => unpacked(window.document.getElementById("record").textContent), follow: null,
  };
}
