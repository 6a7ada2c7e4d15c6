/** The console: finds the view of the address, shows it in the frame of all pages, and keeps it current by polling. */
import { render } from "./lit-html/lit-html.js";
import { changeCount, get, send } from "./api.js";
import { filterRows, listenForKeys, themeWord, toggleKeys, nextTheme, keysAreOn } from "./keys.js";
import { html, nothing, mark, notice, release } from "./parts.js";
import { advanceTimes, capital, code, count, flat, name, number, show, span, time } from "./text.js";
import { suggest } from "./find.js";

/**
 * A page.
 *
 * @typedef {object} View
 * @property {string} page entry of the navigation; empty for none
 * @property {boolean} live whether it is polled
 * @property {(context: Context) => Promise<object>} load reads what it shows
 * @property {(data: object, context: Context) => import("./lit-html/lit-html.js").TemplateResult} content
 * @property {(data: object, context: Context) => string} title
 */

/**
 * @typedef {object} Context
 * @property {string[]} path parameters of the address
 * @property {(name: string) => string} query a trimmed parameter; empty if absent
 * @property {object} me schema Me, once the page is loaded
 * @property {Promise<object>} identified the same while it loads
 * @property {object} summary schema Summary, once the page is loaded
 * @property {Promise<object>} summarized the same while it loads
 * @property {boolean} fleetwide whether the caller may see more than one cluster
 * @property {(action: string, namespace?: string) => boolean} may whether the caller may do this there, or anywhere
 * @property {(read?: boolean) => Promise<void>} refresh shows the page again, after reading it again
 */

/** Pages by address; each ":" is a parameter. */
const ROUTES = [
  ["/", "./views/fleet.js"],
  ["/problems", "./views/problems.js"],
  ["/problems/resolved", "./views/resolved.js"],
  ["/clusters/:/:", "./views/cluster.js"],
  ["/tenants/:/machine-deployments/:/:", "./views/machine-deployment.js"],
  ["/tenants/:/machine-deployments/:/:/history", "./views/history.js"],
  ["/tenants/:/machines/:/:", "./views/machine.js"],
  ["/profiles", "./views/profiles.js"],
  ["/profiles/:/:", "./views/profile.js"],
  ["/register", "./views/register.js"],
  ["/find", "./views/find.js"],
];

const POLL = 4_000;
/** Most doublings of the interval while polls fail. */
const DOUBLINGS = 3;
const LONGEST_PARAMETER = 2_048;

let view;
let data;
let failure;
/** Why the page is not current; empty if it is. */
let stopped = "";
let holding = false;
let over = false;
let changedAt = 0;
let polling = 0;
let reading = false;
/** Polls in a row that failed. */
let failures = 0;

const parameters = new URLSearchParams(location.search);
const context = {
  path: [],
  query: (field) => {
    const value = (parameters.get(field) ?? "").trim();
    return value.length <= LONGEST_PARAMETER ? value : "";
  },
  get fleetwide() { return context.me.seesAllTenants || context.me.tenants !== 1; },
  may: (action, namespace) => context.me.may.some((right) => right.action === action
    && (namespace === undefined || right.namespaces === undefined || right.namespaces.includes(namespace))),
  refresh: async (read = false) => {
    draw();
    if (read) {
      await load();
      draw();
    }
  },
};

function route() {
  const given = location.pathname.split("/");
  for (const [pattern, module] of ROUTES) {
    const wanted = pattern.split("/");
    if (wanted.length === given.length && wanted.every((part, at) => (part === ":" ? given[at] !== "" : part === given[at]))) {
      context.path = given.filter((_, at) => wanted[at] === ":").map(decodeURIComponent);
      return import(module);
    }
  }
  return Promise.reject(Object.assign(new Error("no page"), { status: 404, problem: {} }));
}

async function start() {
  context.identified = get("/me").then((me) => { context.me = me; return me; });
  try {
    await Promise.all([context.identified, route().then((found) => { view = found; return load(); })]);
  } catch (error) {
    if (error.status === 401) return signIn();
    failure = error;
  }
  context.me ??= await get("/me").catch(() => undefined);
  draw();
  document.body.removeAttribute("aria-busy");
  if (location.hash) toHash();
  listenForKeys(() => context.refresh());
  setInterval(advanceTimes, 1_000);
  if (view?.live && !failure) {
    setTimeout(poll, POLL);
    document.addEventListener("visibilitychange", poll);
  }
}

/* Elements of a fragment exist only now. */
function toHash() {
  let id;
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const target = document.getElementById(id);
  if (target?.matches("details")) target.open = true;
  location.replace(location.hash);
}

/* What does not depend on each other is read at once. */
async function load() {
  context.summarized = get("/summary").then((summary) => { context.summary = summary; return summary; });
  [data] = await Promise.all([view.load(context), context.summarized]);
}

/* Reads everything again. A hidden tab is current within a moment after it is shown; one that is held reads when it is released. */
async function poll() {
  clearTimeout(polling);
  if (over || holding || reading) return;
  let wait = POLL;
  if (!document.hidden) {
    const before = changeCount();
    reading = true;
    try {
      await load();
      failures = 0;
      if (!holding) stopped = "";
      if (changeCount() !== before) changedAt = Date.now();
    } catch (error) {
      if (error.status === undefined) reportError(error);
      over = [401, 403, 404].includes(error.status);
      wait = Math.max(POLL * 2 ** Math.min(failures++, DOUBLINGS), 1_000 * (Number(error.retryAfter) || 0));
      const why = over ? ": you are signed out, or may not view it any more. Reload the page."
        : error.status === 0 ? ": connection to the hub lost, retrying." : `: ${error.message}; retrying.`;
      if (over || stopped === "") stopped = `Not live since ${new Date().toISOString().slice(11, 19)}${why}`;
    } finally {
      reading = false;
    }
    if (holding && !over) return;
    draw();
    // Marks of changed rows end.
    if (changedAt > Date.now() - 1_000) setTimeout(draw, 2_100);
  }
  polling = setTimeout(poll, wait);
}

function signIn() {
  location.replace(`/signin?back=${encodeURIComponent(location.pathname + location.search)}`);
}

function hold() {
  if (over) return;
  holding = !holding;
  stopped = holding ? `Not live since ${new Date().toISOString().slice(11, 19)}: held by you.` : "";
  draw();
  if (!holding) poll();
}

function draw() {
  document.title = `${failure ? failureTitle(failure) : flat(view.title(data, context))} · OSM Hub`;
  render(frame(failure ? failed(failure) : view.content(data, context)), document.body);
  filterRows();
}

/* ---------------------------------------------------------------------- frame */

const entry = (href, key, label, page) => html`<li><a href=${href} data-go=${key} aria-current=${view?.page === page ? "page" : nothing}>${label}</a></li>`;

function frame(content) {
  return html`
<a class="skip" href="#main">Skip to content</a>
${context.me ? header() : nothing}
<main id="main">
  ${view?.live ? html`<div class="notice warn" id="not-live" role="status" ?hidden=${stopped === ""}>${mark("m-degraded")}<p>${stopped}</p></div>` : nothing}
  ${content}
</main>
<footer class="foot">
  <span>OSM Hub ${show(context.summary?.version)}</span>
  <span>Times are UTC</span>
  <span><a href="/docs/how-to/use-the-console">About this console</a></span>
  <span><a href="/docs/api">API</a></span>
</footer>`;
}

function header() {
  const { me, summary } = context;
  const causes = summary?.causes.length ?? 0;
  return html`
<header class="bar">
  <a class="brand" href="/"><svg aria-hidden="true"><use href="#brand"></use></svg>OSM Hub</a>
  <nav class="nav" aria-label="Main">
    <ul>
      ${context.fleetwide ? entry("/", "f", "Fleet", "fleet") : nothing}
      ${entry("/problems", "p", html`Problems <span class="tally" ?hidden=${causes === 0}>${number(causes)}<span class="vh"> open causes</span></span>`, "problems")}
      ${entry("/profiles", "o", "Profiles", "profiles")}
      ${context.may("Register") ? entry("/register", "r", "Register", "register") : nothing}
      <li><a href="/docs">Docs</a></li>
    </ul>
  </nav>
  <form class="find" role="search" action="/find" method="get">
    <label class="vh" for="find">Find a cluster, MachineDeployment, machine, secret or profile</label>
    ${mark("m-search")}
    <input type="search" id="find" name="q" value=${flat(context.query("q"))} maxlength="200" placeholder="Find a cluster, machine or profile" autocomplete="off" spellcheck="false" @input=${suggest}>
    <kbd aria-hidden="true">/</kbd>
    <ul class="found" id="found-now" hidden aria-label="Matches"></ul>
  </form>
  <div class="bar-end">
    ${view?.live ? html`<button type="button" class="btn quiet live" id="live" aria-pressed=${String(!holding)} @click=${hold}><span class="pulse"></span><span>${holding ? "Held" : "Live"}</span> <span class="age">${changedAt ? `changed ${span((Date.now() - changedAt) / 1_000)} ago` : ""}</span></button>` : nothing}
    <button type="button" class="btn quiet" @click=${() => { nextTheme(); draw(); }}>${mark("m-theme")}<span class="vh">Theme: </span><span class="theme-word">${themeWord()}</span></button>
    <button type="button" class="btn quiet" id="keys-button" popovertarget="keys"><kbd aria-hidden="true">?</kbd><span class="vh">Keyboard shortcuts</span></button>
    <button type="button" class="btn quiet" popovertarget="you">${mark("m-user")}<span class="vh">Signed in as </span><span class="who">${name(me.user)}</span></button>
  </div>
</header>
<dialog class="pop" id="keys" popover aria-labelledby="keys-h">
  <h2 id="keys-h">Keyboard</h2>
  <dl class="keys">
    <dt><kbd>/</kbd></dt><dd>Find anything</dd>
    <dt><kbd>f</kbd></dt><dd>Filter the table on this page</dd>
    <dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>Next, previous row</dd>
    <dt><kbd>Enter</kbd></dt><dd>Open the row</dd>
    <dt><kbd>u</kbd></dt><dd>Show held changes</dd>
    <dt><kbd>l</kbd></dt><dd>Hold or resume live changes</dd>
    <dt><kbd>[</kbd> <kbd>]</kbd></dt><dd>Previous, next page</dd>
    <dt><kbd>g</kbd> <kbd>f</kbd></dt><dd>Go to Fleet</dd>
    <dt><kbd>g</kbd> <kbd>p</kbd></dt><dd>Go to Problems</dd>
    <dt><kbd>g</kbd> <kbd>o</kbd></dt><dd>Go to Profiles</dd>
    <dt><kbd>g</kbd> <kbd>r</kbd></dt><dd>Go to Register</dd>
    <dt><kbd>t</kbd></dt><dd>Change theme</dd>
    <dt><kbd>?</kbd></dt><dd>This list</dd>
  </dl>
</dialog>
<dialog class="pop" id="you" popover aria-labelledby="you-h">
  <h2 id="you-h">${name(me.user)}</h2>
  <dl class="facts">
    <dt>Sees</dt><dd>${count(me.tenants, "tenant", "tenants")}${me.seesAllTenants ? " (all)" : ""}</dd>
    ${me.sessionEndsAt ? html`<dt>Signed in until</dt><dd>${time("clock", me.sessionEndsAt)} UTC</dd>` : nothing}
    <dt>Single keys</dt><dd><button type="button" class="btn quiet" id="single-keys" aria-pressed=${String(keysAreOn())} @click=${() => { toggleKeys(); draw(); }}>${keysAreOn() ? "on" : "off"}</button></dd>
  </dl>
  <form id="signout" @submit=${signOut}><button class="btn" type="submit">Sign out</button></form>
</dialog>`;
}

async function signOut(event) {
  event.preventDefault();
  try {
    await send("DELETE", "/session");
  } catch (error) {
    // Without a session there is nothing to end.
    if (error.status !== 401) {
      failure = error;
      draw();
      return;
    }
  }
  location.assign("/signin");
}

/* -------------------------------------------------------------------- failures */

const failureTitle = ({ status, problem }) => status === 404 ? "Page not found, or you may not view it" : problem?.title ?? "The console failed";

/** Why there is no page. What is missing and what may not be viewed read the same. */
function failed(error) {
  const { status, problem = {}, retryAfter } = error;
  if (status === undefined) reportError(error);
  return html`
<div class="door">
  <div class="head">
    <h1>${show(failureTitle(error))}</h1>
    <p class="soft">${status === 404 ? "Both cases show the same message." : show(capital(error.message))}</p>
  </div>
  ${problem.errors ? notice("bad", "m-blocked", html`<ul>${problem.errors.map((one) => html`<li>${one.field ? html`${code(one.field)}: ` : nothing}${show(one.detail)}</li>`)}</ul>`) : nothing}
  <dl class="facts">
    ${status ? html`<dt>Status</dt><dd>${status}</dd>` : nothing}
    ${problem.requestId ? html`<dt>Request</dt><dd>${code(problem.requestId)}</dd>` : nothing}
    ${retryAfter ? html`<dt>Try again</dt><dd>in ${retryAfter} s</dd>` : nothing}
  </dl>
  <p><a class="btn" href="/">Go to the first page</a></p>
</div>`;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#show-held")) { release(); draw(); }
});

start();
