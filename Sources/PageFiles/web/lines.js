// A list of people whose lines keep their elements, and so the focus, while their text changes.
import { openCard } from "./card.js";
import { element } from "./dom.js";

/** Manages the lines of a list, each with a button that opens a person's card. */
export function personLines(list) {
  const lines = new Map();

  function lineOf(id) {
    const button = element("button", { type: "button", onclick: () => openCard("person", { id, ...lines.get(id).known }) });
    return element("li", {}, button, element("small"));
  }

  function forget(id) {
    lines.get(id)?.remove();
    lines.delete(id);
  }

  /** Writes the line of a person at an index, with `words` beside the name. */
  function write({ id, name, words, look, place }, index) {
    if (!lines.has(id)) lines.set(id, lineOf(id));
    const line = lines.get(id);
    line.known = { name, lat: place?.lat, lon: place?.lon };
    const [button, small] = line.children;
    if (button.textContent !== name) button.textContent = name;
    if (small.textContent !== words) small.textContent = words;
    if (look) line.className = look;
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
  }

  return {
    get size() { return lines.size; },
    forget,
    clear() { for (const id of [...lines.keys()]) forget(id); },
    /** Shows exactly these people, in this order. */
    write(wanted) {
      const ids = new Set(wanted.map(({ id }) => id));
      for (const id of [...lines.keys()]) if (!ids.has(id)) forget(id);
      wanted.forEach(write);
    },
  };
}
