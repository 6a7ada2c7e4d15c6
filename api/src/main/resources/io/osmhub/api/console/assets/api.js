/**
 * Client of the REST API. Reads are conditional, so a poll without changes transfers no body. Objects of the API are described by the
 * schemas of openapi.yaml, which comments name as "schema Summary".
 */

/** A response other than success. `errors` are those of the contract's schema Problem. */
export class ApiError extends Error {
  /** @param {number} status 0 without a response @param {{title?: string, detail?: string, errors?: object[], requestId?: string}} problem */
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** What was read, by address. */
const known = new Map();
let changes = 0;

/** Increases when a read returns something else than before. */
export const changeCount = () => changes;

/** `?a=b&c=d`; values that are empty or undefined are omitted. */
export function queryOf(parameters) {
  const pairs = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined && value !== "");
  return pairs.length === 0 ? "" : `?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&")}`;
}

/** Path of the API; each further segment is encoded, so that no name changes the target. */
export const pathOf = (...segments) => segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");

/** Reads; the same object as before if nothing changed. */
export async function get(path, parameters) {
  const address = `/api/v1${path}${queryOf(parameters)}`;
  const before = known.get(address);
  const reply = await request(address, { headers: before?.etag ? { "If-None-Match": before.etag } : {}, cache: "no-store" });
  if (before) before.at = Date.now();
  if (reply.status === 304) return before.body;
  const text = await reply.text();
  if (text === before?.text) return before.body;
  if (before === undefined || withoutClocks(text) !== withoutClocks(before.text)) changes++;
  const body = JSON.parse(text);
  known.set(address, { etag: reply.headers.get("ETag"), text, body, at: Date.now() });
  return body;
}

/** Time of the last answer, also of one without changes. */
export const readAt = (path) => new Date(known.get(`/api/v1${path}`).at).toISOString();

/** The same, at most once a minute: for what takes many requests, which all count for the caller's rate. */
export function getRarely(path, parameters) {
  const before = known.get(`/api/v1${path}${queryOf(parameters)}`);
  return before && Date.now() - before.at < 60_000 ? before.body : get(path, parameters);
}

/* Values that advance with time are no change. */
const withoutClocks = (text) => text.replace(/"(checkedAt|shortestTokenSeconds|oldestSeconds|depths?)":("[^"]*"|\[[^\]]*\]|[\d.-]+)/g, "");

/** The same; undefined if it does not exist or may not be seen. */
export async function getIfAllowed(path, parameters) {
  try {
    return await get(path, parameters);
  } catch (error) {
    if (error.status === 403 || error.status === 404) return undefined;
    throw error;
  }
}

/** Writes, or asks for a preview; undefined without a body in the response. */
export async function send(method, path, body) {
  const reply = await request(`/api/v1${path}`, {
    method,
    headers: { "X-OSMHub-CSRF": "console", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return text === "" ? undefined : JSON.parse(text);
}

async function request(address, options) {
  let reply;
  try {
    reply = await fetch(address, { ...options, headers: { Accept: "application/json", ...options.headers } });
  } catch {
    throw new ApiError(0, { title: "No response", detail: "The hub does not respond." });
  }
  if (reply.ok || reply.status === 304) return reply;
  const problem = (reply.headers.get("Content-Type") ?? "").includes("json") ? await reply.json() : { title: reply.statusText };
  throw new ApiError(reply.status, problem, reply.headers.get("Retry-After"));
}
