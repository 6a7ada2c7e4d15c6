package io.osmhub.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page of the console in one state.
 *
 * @param name of its screenshots
 * @param path of the page
 * @param action a script that brings the page into the state; empty if it is loaded in it
 * @param ready an expression that is true in the state and stays true
 */
record ConsoleState(String name, String path, String action, String ready) {
    static final String SHOP = "/clusters/tenant-shop/shop";
    static final String MACHINE_DEPLOYMENTS = "/tenants/tenant-shop/machine-deployments/kube-system/";
    static final String WORKERS = MACHINE_DEPLOYMENTS + "workers-a";
    static final String PROFILE = "/profiles/osm-profiles/osp-example";
    private static final String PLAIN = "/clusters/tenant-plain/search-index-ap-southeast-1-replica-of-eu-central-1-b";
    private static final String PREVIEW = PROFILE + "?preview=1&provider=aws&kubernetes=1.34";

    /** The first word of its name, which states of similar pages share. */
    String page() {
        return name.split("-", 2)[0];
    }

    /**
     * Every page in every state, in groups that do not depend on each other. The states of a group follow each other in one tab, signed
     * in as an administrator. The last group ends with the states of a signed-out user and of an owner of one tenant.
     */
    static List<List<ConsoleState>> groups(BrowserFleet fleet) {
        return List.of(
                fleet(),
                tenants(fleet),
                machineDeployments(),
                profiles(),
                lists(),
                registration(fleet),
                documents(),
                signIn(fleet));
    }

    private static List<ConsoleState> fleet() {
        return List.of(
                page("fleet", "/"),
                page("fleet-filtered", "/?state=Unauthorized"),
                page("fleet-sorted", "/?sort=name"),
                page("fleet-no-match", "/?search=no-such-cluster&newNodes=Blocked"),
                state("fleet-keys", "/", click("#keys-button"), open("#keys")),
                state("fleet-user", "/", click("[popovertarget=you]"), open("#you")),
                state(
                        "fleet-filter-typed",
                        "/",
                        type("#filter", "edge"),
                        count("#cluster-rows tr:not([hidden])") + " === 1"),
                state("fleet-find-typed", "/", type("#find", "work"), shown("#found-now a")),
                state("fleet-held", "/", click("#live"), shown("#not-live:not([hidden])")));
    }

    private static List<ConsoleState> tenants(BrowserFleet fleet) {
        String locked = "/clusters/tenant-locked/sandbox";
        String test = submit("#test");
        return List.of(
                page("tenant", SHOP),
                page("tenant-events", SHOP + "?events=50"),
                page("tenant-no-match", SHOP + "?search=no-such-name"),
                page("tenant-unreachable", "/clusters/tenant-dark/edge-042"),
                page("tenant-unauthorized", locked),
                page("tenant-healthy", PLAIN),
                dialog("pause"),
                dialog("rotate"),
                dialog("remove"),
                state("tenant-test-passed", SHOP, test, shown(".verdict.ok")),
                state("tenant-test-failed", locked, test, shown(".verdict")),
                state(
                        "tenant-remove-refused",
                        SHOP,
                        type("#confirm", "another") + submit("#remove form"),
                        text(".notice.bad", "does not match")),
                state(
                        "tenant-rotate-refused",
                        SHOP,
                        rotate("kind: Config"),
                        text(".notice.bad", "Nothing was changed")),
                state(
                        "tenant-rotated",
                        PLAIN,
                        rotate(fleet.newKubeconfig("tenant-plain")),
                        text("[role=status].notice:not(#not-live)", "is in use")),
                state("tenant-paused", PLAIN, submit("#pause form"), text("#md-rows", "At risk")),
                state(
                        "tenant-resumed",
                        PLAIN,
                        submit("#resume"),
                        shown("#pause") + " && " + text("h1 ~ .st", "Synced")));
    }

    private static List<ConsoleState> machineDeployments() {
        List<ConsoleState> states = new ArrayList<>();
        for (String document : List.of("Bootstrap", "Provisioning", "Changes")) {
            states.add(page("machine-deployment-" + document, WORKERS + "?doc=" + document));
        }
        for (MachineDeploymentFault fault : MachineDeploymentFault.values()) {
            String name = fault.machineDeployment();
            states.add(state("fault-" + name, MACHINE_DEPLOYMENTS + name, "", text(".answer", fault.reason())));
        }
        String locked = "/tenants/tenant-locked/machine-deployments/kube-system/";
        states.addAll(List.of(
                page("history", WORKERS + "/history"),
                page("history-no-match", WORKERS + "/history?search=no-such-reason"),
                page("fault-too-large-changes", MACHINE_DEPLOYMENTS + "too-large?doc=Changes"),
                state("fault-hostile", MACHINE_DEPLOYMENTS + "hostile", "", text(".answer", "gpj.exe")),
                page("fault-unreachable", "/tenants/tenant-dark/machine-deployments/kube-system/workers-a"),
                page("fault-unauthorized", locked + "workers-a"),
                state(
                        "machine-deployment-longest-name",
                        locked + BrowserFleet.LONGEST_NAME,
                        "",
                        text(".answer", "NameTooLong"))));
        return states;
    }

    private static List<ConsoleState> profiles() {
        String compare = PROFILE + "?compare=edit";
        String typo = "/profiles/osm-profiles/osp-typo";
        return List.of(
                page("profiles", "/profiles"),
                page("profiles-no-match", "/profiles?search=no-such-profile"),
                state("profile", PROFILE, "", count("#user-rows summary") + " >= 3"),
                page("profile-flatcar", "/profiles/osm-profiles/osp-flatcar-example"),
                page("profile-findings", typo),
                page("profile-large", "/profiles/osm-profiles/osp-large"),
                page("profile-preview-Bootstrap", PREVIEW + "&doc=Bootstrap"),
                page("profile-preview-Provisioning", PREVIEW + "&doc=Provisioning"),
                state(
                        "profile-preview-filter",
                        PREVIEW,
                        type("[data-filters=doc-lines]", "kubelet"),
                        text("#doc-found", "match")),
                page("profile-preview-failed", typo + "?preview=1&provider=aws&kubernetes=1.34"),
                page("profile-preview-unknown-tenant", PREVIEW + "&tenant=no-such-tenant"),
                page("profile-compare-edit", compare),
                state(
                        "profile-diff-unchanged",
                        compare,
                        submit("#compare"),
                        text("#diff-wait", "Nothing would change")),
                state(
                        "profile-diff-longest-name",
                        "/profiles/osm-profiles/osp-flatcar-example?compare=edit",
                        submit("#compare"),
                        text("#diff-wait", "Nothing would change")),
                state(
                        "profile-diff-changed",
                        compare,
                        edit("path: \\/[^\\n]*", "path: /etc/motd"),
                        text("#diff-wait", "would change")),
                state(
                        "profile-diff-rejected",
                        compare,
                        edit("set -euo pipefail", "{{ toYamll . }}"),
                        text("#diff-wait", "would be rejected")),
                state(
                        "profile-diff-refused",
                        PROFILE,
                        type("#profile-text", "kind: Pod") + submit("#compare"),
                        shown("#diff-wait .notice")));
    }

    private static List<ConsoleState> lists() {
        return List.of(
                page("problems", "/problems"),
                page("problems-of-reason", "/problems?reason=ProfileNotFound"),
                page("problems-of-tenant", "/problems?namespace=tenant-shop&severity=Error"),
                page("problems-no-match", "/problems?search=no-such-problem"),
                page("problems-resolved", "/problems/resolved"),
                page("find", "/find?q=work"),
                page("find-secret", "/find?q=workers-a-kube-system-bootstrap"),
                page("find-empty", "/find"),
                page("find-no-match", "/find?q=no-such-name"),
                page("not-found", "/nowhere"),
                page("hidden-or-missing", "/clusters/tenant-none/no-such-cluster"));
    }

    private static List<ConsoleState> registration(BrowserFleet fleet) {
        String kubeconfig = fleet.newKubeconfig("tenant-shop");
        return List.of(
                page("register", "/register"),
                state(
                        "register-invalid",
                        "/register",
                        register("kind: Config", "test"),
                        shown(".verdict, .notice.bad")),
                state("register-known-cluster", "/register", register(kubeconfig, "test"), shown(".verdict")),
                state("register-refused", "/register", register(kubeconfig, "register"), shown(".notice.bad")));
    }

    private static List<ConsoleState> documents() {
        return Stream.of(
                        "",
                        "/api",
                        "/quick-start",
                        "/architecture",
                        "/performance",
                        "/how-to/install",
                        "/how-to/use-the-console",
                        "/reference/reasons",
                        "/reference/cli",
                        "/reference/chart",
                        "/no-such-page")
                .map(path -> page("docs" + path.replaceAll("[^a-z]+", "-"), "/docs" + path))
                .toList();
    }

    private static List<ConsoleState> signIn(BrowserFleet fleet) {
        String refused = shown(".notice.bad");
        String owner = type("#token", fleet.ownerToken()) + submit("form");
        return List.of(
                page("sign-in", "/signin"),
                state("sign-in-refused", "/signin", type("#token", "no-token") + submit("form"), refused),
                state("sign-in-oidc-unreachable", "/signin/oidc", "", refused),
                state("sign-in-oidc-refused", "/signin/oidc/callback?error=access_denied&state=x", "", refused),
                state("sign-in-link-used", "/signin/once?code=x", "", refused),
                state("owner", "/signin", owner, "location.pathname === '" + SHOP + "'"),
                page("owner-problems", "/problems"),
                page("owner-profile", PROFILE),
                page("owner-no-match", "/find?q=edge"));
    }

    private static ConsoleState page(String name, String path) {
        return state(name, path, "", shown("h1"));
    }

    private static ConsoleState state(String name, String path, String action, String ready) {
        return new ConsoleState(name, path, action, ready);
    }

    private static ConsoleState dialog(String id) {
        return state("tenant-" + id, SHOP, click("[popovertarget=" + id + "]"), open("#" + id));
    }

    private static String shown(String selector) {
        return "document.querySelector('" + selector + "') !== null";
    }

    private static String count(String selector) {
        return "document.querySelectorAll('" + selector + "').length";
    }

    private static String text(String selector, String text) {
        return "document.querySelector('" + selector + "')?.textContent.includes('" + text + "') === true";
    }

    private static String open(String selector) {
        return shown(selector + ":popover-open");
    }

    private static String click(String selector) {
        return "document.querySelector(\"" + selector + "\").click();";
    }

    private static String type(String selector, String text) {
        return "(() => { const field = document.querySelector('" + selector + "'); field.focus(); field.value = `"
                + text + "`; field.dispatchEvent(new Event('input', {bubbles: true})); })();";
    }

    private static String submit(String selector) {
        return "document.querySelector(\"" + selector + "\").requestSubmit();";
    }

    private static String rotate(String kubeconfig) {
        return type("#kubeconfig", kubeconfig) + submit("#rotate form");
    }

    private static String edit(String pattern, String replacement) {
        return "document.querySelector('#compare [name=lines]').checked = true;"
                + "(() => { const field = document.querySelector('#profile-text'); field.value = field.value.replace(/"
                + pattern + "/, '" + replacement + "'); })();" + submit("#compare");
    }

    private static String register(String kubeconfig, String button) {
        return type("#name", "new-cluster")
                + type("#ns", "tenant-shop")
                + type("#kubeconfig", kubeconfig)
                + click("button[value=" + button + "]");
    }
}
