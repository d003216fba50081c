// Where the game comes from: the server, which may still be adding turns, or the file that this page is.

const embedded = () => document.getElementById("data");

/** Unpack base64 text of gzip-compressed bytes. */
async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function fromServer() {
  const id = location.pathname.split("/").pop();
  const response = await fetch(`/data/game/${id}`);
  const document = await response.json();
  if (!response.ok) throw new Error(document.error ?? `the server answered ${response.status}`);
  const [drawing, shapes] = await Promise.all([
    document.drawing ? import(document.drawing) : null, document.drawing && document.shapes ? import("./shapes.js") : null,
  ]);
  return {
    document, drawing, shapes, id,
    record: async () => (await fetch(`/data/game/${id}/record`)).arrayBuffer(),
    follow: (handlers) => follow(id, document.newest, handlers),
  };
}

/** Hand over turns as they are played, the result, and the next game of a series. */
function follow(id, newest, { count, onTurns, onOver, onNext, onLost }) {
  let over = false;
  const open = () => {
    const events = new EventSource(`/data/game/${id}/live?after=${count()}&newest=${newest}`);
    const close = () => { events.close(); removeEventListener("pagehide", close); };
    addEventListener("pagehide", close);
    events.addEventListener("turns", (event) => { const data = JSON.parse(event.data); onTurns(data.after, data.turns); });
    events.addEventListener("over", (event) => { over = true; onOver(JSON.parse(event.data)); });
    events.addEventListener("next", (event) => { close(); onNext(JSON.parse(event.data).game); });
    // The browser would ask again for what it already has: connect anew with the current count instead.
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
