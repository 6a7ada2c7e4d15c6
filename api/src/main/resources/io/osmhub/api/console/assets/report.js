/** A kubeconfig test report: passed checks are quiet, failed ones stand out. */
import { badgeOf } from "./badges.js";
import { html, look, mark, nothing } from "./parts.js";
import { code, name, number, sentence, show, time } from "./text.js";

const TITLES = {
  Kubeconfig: "One usable context; executes and reads nothing",
  Address: "The address is allowed",
  Connection: "TCP and TLS connect",
  Certificate: "The certificate matches the given CA",
  HTTP2: "HTTP/2: one connection is enough",
  Version: "The Kubernetes version is supported",
  Clock: "Clocks agree",
  Credential: "The credential is accepted and long-lived",
  Permissions: "All required permissions",
  Prerequisites: "All prerequisites exist",
};

const CLASSES = { ok: "is-ok", bad: "is-bad" };

/* What a check found, and its fix. */
const sentences = ({ message = "", cure }) => cure ? `${sentence(message)} ${sentence(cure)}` : message;

function check(one) {
  const { tone, symbol, word } = badgeOf("check", one.state);
  const text = sentences(one);
  return html`<li class=${CLASSES[tone] ?? "is-warn"}>${mark(symbol)}<span><span class="vh">${word}: </span>${TITLES[one.name] ?? one.name}</span><span class="val">${one.durationMilliseconds ? `${number(one.durationMilliseconds)} ms` : nothing}</span>${text ? html`<div class="more"><p>${show(text)}${one.reason ? html` <code>${one.reason}</code>` : nothing}</p></div>` : nothing}</li>`;
}

/* A row for each resource, a column for each required verb. */
function permissions(all) {
  const verbs = [...new Set(all.map(({ verb }) => verb))];
  const rows = Map.groupBy(all, ({ group, resource, namespace, name: object }) => [group, resource, namespace, object].join("/"));
  const cell = (permission) => permission === undefined ? html`<td class="na"><span aria-hidden="true">·</span><span class="vh">not needed</span></td>`
    : permission.allowed ? html`<td class="yes">${mark("m-synced")}<span class="vh">has</span></td>`
      : html`<td class="no">${mark("m-blocked")} missing</td>`;
  return html`
<div class="sect">
  <h3>Permissions</h3>
  <div class="scroll" tabindex="0" role="region" aria-label="Permissions">
    <table class="matrix">
      <thead><tr><th scope="col"><span class="vh">Resource</span></th>${verbs.map((verb) => html`<th scope="col">${name(verb)}</th>`)}</tr></thead>
      <tbody>${[...rows.values()].map((row) => html`<tr><th scope="row">${code([row[0].resource, row[0].name].filter(Boolean).join(" "))}<br><span class="muted">${name(row[0].namespace || "all namespaces")}</span></th>${verbs.map((verb) => cell(row.find((permission) => permission.verb === verb)))}</tr>`)}</tbody>
    </table>
  </div>
</div>`;
}

/** @param {object} report schema TestReport @param {string} at when it was made */
export function reportView(report, at) {
  const passed = report.checks.filter(({ state }) => state === "Ok").length;
  const failed = [...new Set(report.checks.filter(({ state }) => state === "Failed").map(sentences))];
  return html`
<section class="report" id="report" aria-labelledby="verdict" tabindex="-1">
  <div class="verdict ${report.passed ? "ok" : ""}">
    <p>${report.passed ? look("check", "Ok", "Ready") : look("check", "Failed", "Not ready")} <span class="muted">tested ${time("clock", at)}, nothing written</span></p>
    <h2 id="verdict">The hub ${report.passed ? "can serve it" : "cannot serve it yet"}; ${passed} of ${report.checks.length} checks pass</h2>
    ${failed.map((text) => html`<p>${show(text)}</p>`)}
  </div>
  <div class="sect">
    <h3>Kubeconfig and connection</h3>
    <ul class="checks">${report.checks.map(check)}</ul>
    <dl class="facts">
      ${report.endpoint ? html`<dt>API server</dt><dd>${code(report.endpoint)}${report.address ? html`, ${name(report.address)}` : nothing}</dd>` : nothing}
      ${report.kubernetesVersion ? html`<dt>Kubernetes</dt><dd>${name(report.kubernetesVersion)}</dd>` : nothing}
      ${report.user ? html`<dt>User</dt><dd>${code(report.user)}</dd>` : nothing}
      ${report.expiresAt ? html`<dt>Credential ends</dt><dd>${time("left", report.expiresAt)}</dd>` : nothing}
    </dl>
  </div>
  ${report.permissions?.length > 0 ? permissions(report.permissions) : nothing}
</section>`;
}

/** Why a request was rejected, with its errors. */
export const refusal = (error, prefix = "") => html`
<div class="notice bad" role="alert">${mark("m-blocked")}<p>${prefix}${show(sentence(error.message))}</p>${error.problem.errors ? html`<ul>${error.problem.errors.map((one) => html`<li>${one.field || one.pointer ? html`${code(one.field || one.pointer)}: ` : nothing}${show(one.detail)}${one.cure ? html`; ${show(one.cure)}` : nothing}</li>`)}</ul>` : nothing}</div>`;

/**
 * Runs a request; an error that the caller can correct is returned as a refusal.
 *
 * @param {() => Promise<object>} request
 * @param {HTMLFormElement} [form] whose buttons are disabled meanwhile
 */
export async function attempt(request, form) {
  const buttons = [...form?.querySelectorAll("button") ?? []];
  const focused = document.activeElement;
  const reply = request();
  buttons.forEach((button) => { button.disabled = true; });
  try {
    return { reply: await reply };
  } catch (error) {
    if (error.status === undefined) throw error;
    return { error };
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
    if (form?.contains(focused)) focused.focus();
  }
}
