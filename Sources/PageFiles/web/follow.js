// Streams of events (Server-Sent Events) with reconnection.
import { address, command, fetchJSON, get, token } from "./api.js";

/** The delay before a reconnection, in milliseconds. */
const pause = 3000;

/**
 * Follows events until the returned function is called.
 *
 * `onEvent` gets each event, or undefined if events are missing and the state must be read again. `onError` gets an
 * error when the stream breaks, and undefined when it is open. EventSource sends no headers, so a ticket replaces the
 * token.
 */
export function follow(parameters, onEvent, onError) {
  const types = parameters.type.split(",");
  let [source, last, timer, isOver, wasOpen] = [];

  async function open() {
    try {
      const ticket = token() ? (await fetchJSON(command("POST", "/v1/events/tickets"))).ticket : undefined;
      if (isOver) return;
      source = new EventSource(address(get("/v1/events", { ...parameters, cursor: last, ticket })));
    } catch (error) { return again(error); }
    source.addEventListener("reset", () => onEvent());
    for (const type of types) {
      source.addEventListener(type, ({ data, lastEventId }) => {
        last = lastEventId;
        onEvent(JSON.parse(data));
      });
    }
    source.onopen = () => {
      onError();
      // Without a last event the stream cannot resume where it ended.
      if (wasOpen && last === undefined) onEvent();
      wasOpen = true;
    };
    // A ticket is valid once, so the browser cannot reconnect by itself.
    source.onerror = () => { source.close(); again(); };
  }

  /** Reconnects later, and reports the reason, which EventSource hides but a plain request returns. */
  async function again(error) {
    if (isOver) return;
    timer = setTimeout(open, pause);
    onError(error ?? await fetchJSON(get("/v1/events", { ...parameters, limit: 1 })).then(() => undefined, (one) => one));
  }

  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}
