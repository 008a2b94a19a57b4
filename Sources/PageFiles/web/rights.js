// The rights of the token, requested once.
import { fetchJSON, get, token } from "./api.js";

/** The last requested rights, with their token. */
let known;

async function isAllowed(wanted, signal) {
  try { await fetchJSON(wanted, signal); } catch (error) {
    if (error.status === 403) return false;
    throw error;
  }
  return true;
}

/** Whether the token is a service's, and whether it is a reader's, which may not use webhooks. */
export async function rights(signal) {
  if (known?.of === token()) return known;
  const of = token();
  const isService = await isAllowed(get("/v1/ingest"), signal);
  const onlyReads = isService && !await isAllowed(get("/v1/webhooks", { limit: 1 }), signal);
  known = { of, isService, onlyReads };
  return known;
}
