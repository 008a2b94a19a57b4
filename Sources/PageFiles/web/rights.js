// The rights of the token, for which the service is asked once.
import { fetchJSON, get, token } from "./api.js";

/** The rights of the token for which they were asked last. */
let known;

async function isAllowed(wanted, signal) {
  try { await fetchJSON(wanted, signal); } catch (error) {
    if (error.status === 403) return false;
    throw error;
  }
  return true;
}

/** Whether the token is a service's, and whether it only reads; a service may also use webhooks. */
export async function rights(signal) {
  if (known?.of === token()) return known;
  const of = token();
  const isService = await isAllowed(get("/v1/ingest"), signal);
  const onlyReads = isService && !await isAllowed(get("/v1/webhooks", { limit: 1 }), signal);
  known = { of, isService, onlyReads };
  return known;
}
