// Token and language at the top of the page: a typed token is checked, and on a phone Escape closes the controls.
import { keepToken, token } from "./api.js";
import { byId } from "./dom.js";
import { rights } from "./rights.js";
import { language, setLanguage, t } from "./words.js";

/** The milliseconds for which the result of a check is shown. */
const shownFor = 8000;
let timer;

/** Shows whether the token is accepted, with the key by which a change of language translates it. */
function say(key) {
  const line = byId("token-state");
  clearTimeout(timer);
  line.dataset.t = key;
  line.classList.toggle("fault", ["tokenWrong", "tokenUnchecked"].includes(key));
  line.textContent = t(key);
  timer = setTimeout(() => { line.textContent = ""; delete line.dataset.t; }, shownFor);
}

/** Checks whether the token is accepted. */
async function check() {
  const typed = token();
  if (!typed) return say("tokenGone");
  try {
    // A service without keys accepts any token.
    if ((await fetch("/v1/ingest")).ok) return say("tokenUnneeded");
    const { isService, onlyReads } = await rights();
    if (typed === token()) say(!isService ? "tokenOfPerson" : onlyReads ? "tokenOfReader" : "tokenOfService");
  } catch (error) { if (typed === token()) say(error.status === 401 ? "tokenWrong" : "tokenUnchecked"); }
  return undefined;
}

/** Shows on the map that the token is missing or refused; on a phone its field is out of sight. */
function tell(isRefused) {
  byId("map-token").hidden = !isRefused;
  const line = byId("map-token").querySelector("span");
  const key = token() ? "tokenBad" : "tokenAsked";
  if (!isRefused || line.dataset.t === key) return;
  line.dataset.t = key;
  line.textContent = t(key);
}

function enter() {
  byId("settings-open").setAttribute("aria-expanded", true);
  byId("token").focus();
  byId("token").select();
}

function close() {
  const button = byId("settings-open");
  if (button.getAttribute("aria-expanded") !== "true") return;
  button.setAttribute("aria-expanded", false);
  button.focus();
}

/** Starts the controls; `spoken` is called after a change of language, `admitted` after a change of token. */
export function startSettings(spoken, admitted) {
  byId("language").value = language();
  byId("token").value = token();
  byId("language").addEventListener("change", ({ target }) => { setLanguage(target.value); spoken(); });
  byId("token").addEventListener("change", ({ target }) => {
    keepToken(target.value.trim());
    check();
    admitted();
  });
  document.addEventListener("requests", ({ detail: { isRefused } }) => {
    if (isRefused !== undefined) tell(isRefused);
  });
  byId("token-enter").addEventListener("click", enter);
  for (const part of ["settings", "settings-open"]) {
    byId(part).addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
  }
}
