/** Tests a kubeconfig and registers its worker cluster. The kubeconfig is nowhere but in the form. */
import { pathOf, send } from "../api.js";
import { clusterPage, html, nothing } from "../parts.js";
import { attempt, refusal, reportView } from "../report.js";

export const page = "register";
export const live = false;
export const title = () => "Register";

const NAME = "[a-z0-9]([a-z0-9\\-]*[a-z0-9])?";

let outcome = {};

export const load = async ({ identified }) => ({ namespaces: (await identified).may.find(({ action }) => action === "Register")?.namespaces ?? [] });

async function submit(event, context) {
  event.preventDefault();
  const form = event.target;
  const { value: action } = event.submitter;
  const { namespace, name, kubeconfig, credential } = Object.fromEntries(new FormData(form));
  const path = `/namespaces${pathOf(namespace)}/worker-clusters${pathOf(name)}`;
  const { reply, error } = await attempt(() => action === "test"
    ? send("POST", `${path}/test`, { kubeconfig, scoped: false })
    : send("PUT", path, { kubeconfig, scoped: credential === "scoped", skipTest: false, ...(action === "paused" ? { spec: { paused: true } } : {}) }), form);
  if (error) {
    outcome = { error };
  } else if (action === "test") {
    outcome = { report: reply, at: new Date().toISOString() };
  } else {
    location.assign(clusterPage(namespace, name));
    return;
  }
  await context.refresh();
  document.querySelector("#report, .notice.bad")?.scrollIntoView({ block: "nearest" });
}

export function content({ namespaces }, context) {
  return html`
<header class="head">
  <h1>Register a worker cluster</h1>
  <p class="lede">Provide a kubeconfig. It is checked before it is stored. A stored one is never shown. From a terminal: <code>hub cluster add</code>.</p>
</header>
${outcome.error ? refusal(outcome.error) : nothing}
<div class="cols even">
  <form class="fields" autocomplete="off" aria-label="Worker cluster" @submit=${(event) => submit(event, context)}>
    <div class="field"><label for="name">Name</label><input type="text" id="name" name="name" required maxlength="63" pattern=${NAME} spellcheck="false" aria-describedby="name-h"><span class="hint" id="name-h">Lower-case letters, digits and hyphens; unique in its namespace.</span></div>
    <div class="field"><label for="ns">Tenant namespace</label><input type="text" id="ns" name="namespace" required maxlength="63" pattern=${NAME} spellcheck="false" list="namespaces" aria-describedby="ns-h"><datalist id="namespaces">${namespaces.map((namespace) => html`<option value=${namespace}></option>`)}</datalist><span class="hint" id="ns-h">Namespace of the management cluster in which you may create WorkerClusters.</span></div>
    <div class="field"><label for="kubeconfig">Kubeconfig</label><textarea id="kubeconfig" name="kubeconfig" rows="10" class="mono" required maxlength="262144" spellcheck="false" aria-describedby="kc-h" placeholder="Paste the complete file"></textarea><span class="hint" id="kc-h">Kept in this form only, until you leave the page. One usable context; https; CA and credential inline. Never accepted: <code>exec</code>, <code>auth-provider</code>, file paths, basic auth, impersonation.</span></div>
    <fieldset class="field">
      <legend class="label"><strong>Credential the hub keeps</strong></legend>
      <label class="check"><input type="radio" name="credential" value="scoped" checked><span>A scoped one<span class="hint">The hub creates a ServiceAccount with the permissions listed in the report, renews its token, and discards this kubeconfig.</span></span></label>
      <label class="check"><input type="radio" name="credential" value="given"><span>The one in this kubeconfig<span class="hint">You renew it. The hub warns before it expires.</span></span></label>
    </fieldset>
    <div class="actions"><button class="btn primary" type="submit" name="do" value="test">Test connection</button><button class="btn" type="submit" name="do" value="register">Register</button><button class="btn" type="submit" name="do" value="paused">Register paused</button></div>
    <p class="small muted">Paused: the hub connects and shows the cluster, but writes nothing until you resume it.</p>
  </form>
  ${outcome.report ? reportView(outcome.report, outcome.at) : html`<section class="report" aria-labelledby="before"><div class="empty"><h2 id="before">What is tested</h2><p>That the kubeconfig executes no programs and reads no files, the server's address and certificate, its version and clock, and each required permission.</p></div></section>`}
</div>`;
}
