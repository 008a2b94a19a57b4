// The connection to the service: a bar while answers take long, a line while none comes, and what happens when they come again.
import { fetchJSON, get } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

/** After how long the bar appears, how often a lost service is asked, and for how long its return is reported, in milliseconds. */
const [slowThreshold, pause, farewell] = [400, 3000, 4000];
let isLost = false;
/** Until the next request to a lost service, or until the line about its return goes. */
let timer;
let slow;

/** Writes the line; the words follow a change of language by their key. */
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

/** Asks whether the service is there; the answer is announced like any other. */
function look() {
  timer = undefined;
  fetchJSON(get("/livez")).catch(() => {});
}

/** Follows all requests; `recover` is called when the service answers again. */
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
