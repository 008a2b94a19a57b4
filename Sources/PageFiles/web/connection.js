// The connection to the service: a progress bar during slow answers, a line while the service is lost, and recovery.
import { fetchJSON, get } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

/** Milliseconds until the bar appears, between requests to a lost service, and for which its return is reported. */
const [slowThreshold, pause, farewell] = [400, 3000, 4000];
let isLost = false;
/** Runs until the next request to a lost service, or until the line about its return is removed. */
let timer;
let slow;

/** Writes the line with its key, by which a change of language translates it. */
function say(key) {
  const line = byId("connection");
  if (key) line.dataset.t = key;
  else delete line.dataset.t;
  line.textContent = key ? t(key) : "";
}

function showProgress(isShown) {
  byId("progress").hidden = !isShown;
  document.body.toggleAttribute("data-busy", isShown);
}

function lose() {
  if (!isLost) {
    clearTimeout(timer);
    timer = undefined;
    isLost = true;
    say("lost");
  }
  timer ??= setTimeout(look, pause);
}

/** Checks whether the service answers; the result is announced like any other. */
function look() {
  timer = undefined;
  fetchJSON(get("/livez")).catch(() => {});
}

/** Watches all requests; `recover` is called when the service answers again. */
export function startConnection(recover) {
  document.addEventListener("requests", ({ detail: { underway, isReached } }) => {
    if (underway) slow ??= setTimeout(showProgress, slowThreshold, true);
    else {
      clearTimeout(slow);
      slow = undefined;
      showProgress(false);
    }
    if (isReached === false) lose();
    if (!isReached || !isLost) return;
    isLost = false;
    clearTimeout(timer);
    say("foundAgain");
    timer = setTimeout(say, farewell);
    recover();
  });
  addEventListener("online", () => { if (isLost) look(); });
}
