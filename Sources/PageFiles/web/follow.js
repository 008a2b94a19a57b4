// Streams of events (Server-Sent Events), which come back when they end.
import { address, ask, command, question, token } from "./api.js";

/** Before a stream that ended is opened again, in milliseconds. */
const pause = 3000;

/**
 * Follows events until the function that is returned is called.
 *
 * `told` gets each event as it is written, or undefined for those that are missing: whoever follows reads again. `failed`
 * gets what went wrong, undefined when it goes on. A browser sends no header with a stream, so a ticket stands for the token.
 */
export function follow(parameters, told, failed) {
  const types = parameters.type.split(",");
  let [source, last, timer, isOver, wasOpen] = [];

  async function open() {
    try {
      const ticket = token() ? (await ask(command("POST", "/v1/events/tickets"))).ticket : undefined;
      if (isOver) return;
      source = new EventSource(address(question("/v1/events", { ...parameters, cursor: last, ticket })));
    } catch (error) { return again(error); }
    source.addEventListener("reset", () => told());
    for (const type of types) {
      source.addEventListener(type, ({ data, lastEventId }) => {
        last = lastEventId;
        told(JSON.parse(data));
      });
    }
    source.onopen = () => {
      failed();
      // Without a last event the stream cannot go on where it ended.
      if (wasOpen && last === undefined) told();
      wasOpen = true;
    };
    // A ticket is good once, so the browser cannot come back by itself.
    source.onerror = () => { source.close(); again(); };
  }

  /** Opens it again later; a stream does not say why it was refused, a page of events does. */
  async function again(error) {
    if (isOver) return;
    timer = setTimeout(open, pause);
    failed(error ?? await ask(question("/v1/events", { ...parameters, limit: 1 })).then(() => undefined, (one) => one));
  }

  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}
