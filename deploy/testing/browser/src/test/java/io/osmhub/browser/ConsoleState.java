package io.osmhub.browser;

import java.util.ArrayList;
import java.util.List;

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

    /** Every page in every state, those of a signed-out user and of an owner of one tenant last. */
    static List<ConsoleState> all(BrowserFleet fleet) {
        List<ConsoleState> states = new ArrayList<>();
        fleet(states);
        tenants(states, fleet);
        machineDeployments(states);
        profiles(states);
        lists(states);
        registration(states, fleet);
        documents(states);
        signIn(states, fleet);
        return states;
    }

    private static void fleet(List<ConsoleState> states) {
        page(states, "fleet", "/");
        page(states, "fleet-filtered", "/?state=Unauthorized");
        page(states, "fleet-sorted", "/?sort=name");
        page(states, "fleet-no-match", "/?search=no-such-cluster&newNodes=Blocked");
        state(states, "fleet-keys", "/", click("#keys-button"), open("#keys"));
        state(states, "fleet-user", "/", click("[popovertarget=you]"), open("#you"));
        state(
                states,
                "fleet-filter-typed",
                "/",
                type("#filter", "edge"),
                "document.querySelectorAll('#cluster-rows tr:not([hidden])').length === 1");
        state(
                states,
                "fleet-find-typed",
                "/",
                type("#find", "work"),
                "document.querySelectorAll('#found-now a').length > 0");
        state(states, "fleet-held", "/", click("#live"), "!document.querySelector('#not-live').hidden");
    }

    private static void tenants(List<ConsoleState> states, BrowserFleet fleet) {
        page(states, "tenant", SHOP);
        page(states, "tenant-events", SHOP + "?events=50");
        page(states, "tenant-no-match", SHOP + "?search=no-such-name");
        page(states, "tenant-unreachable", "/clusters/tenant-dark/edge-042");
        page(states, "tenant-unauthorized", "/clusters/tenant-locked/sandbox");
        page(states, "tenant-healthy", PLAIN);
        for (String dialog : List.of("pause", "rotate", "remove")) {
            state(states, "tenant-" + dialog, SHOP, click("[popovertarget=" + dialog + "]"), open("#" + dialog));
        }
        state(
                states,
                "tenant-test-passed",
                SHOP,
                submit("form[action$='/test']"),
                "document.querySelector('.verdict.ok') !== null");
        state(
                states,
                "tenant-test-failed",
                "/clusters/tenant-locked/sandbox",
                submit("form[action$='/test']"),
                "document.querySelector('.verdict') !== null");
        state(
                states,
                "tenant-remove-refused",
                SHOP,
                type("#confirm", "another") + submit("#remove form"),
                text(".notice.bad", "does not match"));
        state(
                states,
                "tenant-rotate-refused",
                SHOP,
                type("#kubeconfig", "kind: Config") + submit("#rotate form"),
                text(".notice.bad", "Nothing was changed"));
        state(
                states,
                "tenant-rotated",
                PLAIN,
                type("#kubeconfig", fleet.newKubeconfig("tenant-plain")) + submit("#rotate form"),
                text("[role=status].notice", "is in use"));
        state(
                states,
                "tenant-paused",
                PLAIN,
                submit("#pause form"),
                "document.querySelector('[name=paused][value=false]') !== null");
        state(
                states,
                "tenant-resumed",
                PLAIN,
                submit("form[action$='/pause']"),
                "document.querySelector('#pause') !== null");
    }

    private static void machineDeployments(List<ConsoleState> states) {
        for (String document : List.of("Bootstrap", "Provisioning", "Changes")) {
            page(states, "machine-deployment-" + document, WORKERS + "?doc=" + document);
        }
        page(states, "history", WORKERS + "/history");
        page(states, "history-no-match", WORKERS + "/history?search=no-such-reason");
        for (MachineDeploymentFault fault : MachineDeploymentFault.values()) {
            state(
                    states,
                    "fault-" + fault.machineDeployment(),
                    MACHINE_DEPLOYMENTS + fault.machineDeployment(),
                    "",
                    text(".answer", fault.reason()));
        }
        page(states, "fault-too-large-changes", MACHINE_DEPLOYMENTS + "too-large?doc=Changes");
        state(states, "fault-hostile", MACHINE_DEPLOYMENTS + "hostile", "", text("main", "U+202E"));
        page(states, "fault-unreachable", "/tenants/tenant-dark/machine-deployments/kube-system/workers-a");
        page(states, "fault-unauthorized", "/tenants/tenant-locked/machine-deployments/kube-system/workers-a");
        page(
                states,
                "machine-deployment-longest-name",
                "/tenants/tenant-locked/machine-deployments/kube-system/" + BrowserFleet.LONGEST_NAME);
    }

    private static void profiles(List<ConsoleState> states) {
        page(states, "profiles", "/profiles");
        page(states, "profiles-no-match", "/profiles?search=no-such-profile");
        state(states, "profile", PROFILE, "", "document.querySelectorAll('#user-rows summary').length >= 3");
        page(states, "profile-flatcar", "/profiles/osm-profiles/osp-flatcar-example");
        page(states, "profile-findings", "/profiles/osm-profiles/osp-typo");
        page(states, "profile-large", "/profiles/osm-profiles/osp-large");
        for (String document : List.of("Bootstrap", "Provisioning")) {
            page(states, "profile-preview-" + document, PREVIEW + "&doc=" + document);
        }
        state(
                states,
                "profile-preview-filter",
                PREVIEW,
                type("[data-filters=doc-lines]", "kubelet"),
                text("#doc-found", "match"));
        page(
                states,
                "profile-preview-failed",
                "/profiles/osm-profiles/osp-typo?preview=1&provider=aws&kubernetes=1.34");
        page(states, "profile-preview-unknown-tenant", PREVIEW + "&tenant=no-such-tenant");
        page(states, "profile-compare-edit", PROFILE + "?compare=edit");
        state(
                states,
                "profile-diff-unchanged",
                PROFILE + "?compare=edit",
                submit("#compare"),
                text("#diff-wait", "Nothing would change"));
        state(
                states,
                "profile-diff-changed",
                PROFILE + "?compare=edit",
                edit("path: \\/[^\\n]*", "path: /etc/motd"),
                text("#diff-wait", "would change"));
        state(
                states,
                "profile-diff-rejected",
                PROFILE + "?compare=edit",
                edit("set -euo pipefail", "{{ toYamll . }}"),
                text("#diff-wait", "would be rejected"));
        state(
                states,
                "profile-diff-refused",
                PROFILE,
                type("#profile-text", "kind: Pod") + submit("#compare"),
                "document.querySelector('#diff-wait .notice') !== null");
    }

    private static void lists(List<ConsoleState> states) {
        page(states, "problems", "/problems");
        page(states, "problems-of-reason", "/problems?reason=ProfileNotFound");
        page(states, "problems-of-tenant", "/problems?namespace=tenant-shop&severity=Error");
        page(states, "problems-no-match", "/problems?search=no-such-problem");
        page(states, "problems-resolved", "/problems/resolved");
        page(states, "find", "/find?q=work");
        page(states, "find-secret", "/find?q=bootstrap-config");
        page(states, "find-empty", "/find");
        page(states, "find-no-match", "/find?q=no-such-name");
        page(states, "not-found", "/nowhere");
        page(states, "hidden-or-missing", "/clusters/tenant-none/no-such-cluster");
        state(
                states,
                "form-refused",
                "/register",
                "document.querySelector('main [name=form]').value = 'x';" + register("a", "tenant-shop", "x", "test"),
                "document.querySelector('.door') !== null");
    }

    private static void registration(List<ConsoleState> states, BrowserFleet fleet) {
        String kubeconfig = fleet.newKubeconfig("tenant-shop");
        page(states, "register", "/register");
        state(
                states,
                "register-invalid",
                "/register",
                register("new-cluster", "tenant-shop", "kind: Config", "test"),
                "document.querySelector('.verdict, .notice.bad') !== null");
        state(
                states,
                "register-known-cluster",
                "/register",
                register("new-cluster", "tenant-shop", kubeconfig, "test"),
                "document.querySelector('.verdict') !== null");
        state(
                states,
                "register-refused",
                "/register",
                register("new-cluster", "tenant-shop", kubeconfig, "register"),
                "document.querySelector('.notice.bad') !== null");
    }

    private static void documents(List<ConsoleState> states) {
        for (String path : List.of(
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
                "/search",
                "/search?q=token",
                "/search?q=no-such-word")) {
            page(states, "docs" + path.replaceAll("[^a-z]+", "-"), "/docs" + path);
        }
    }

    private static void signIn(List<ConsoleState> states, BrowserFleet fleet) {
        String there = "document.querySelector('.notice.bad') !== null";
        page(states, "sign-in", "/signin");
        state(states, "sign-in-refused", "/signin", type("#token", "no-token") + submit("form"), there);
        state(states, "sign-in-oidc-unreachable", "/signin/oidc", "", there);
        state(states, "sign-in-oidc-refused", "/signin/oidc/callback?error=access_denied&state=x", "", there);
        state(states, "sign-in-link-used", "/signin/once?code=x", "", there);
        state(
                states,
                "owner",
                "/signin",
                type("#token", fleet.ownerToken()) + submit("form"),
                "location.pathname === '" + SHOP + "'");
        page(states, "owner-problems", "/problems");
        page(states, "owner-profile", PROFILE);
        page(states, "owner-no-match", "/find?q=edge");
    }

    private static void page(List<ConsoleState> states, String name, String path) {
        state(states, name, path, "", "document.querySelector('h1') !== null");
    }

    private static void state(List<ConsoleState> states, String name, String path, String action, String ready) {
        states.add(new ConsoleState(name, path, action, ready));
    }

    private static String click(String selector) {
        return "document.querySelector(\"" + selector + "\").click();";
    }

    private static String open(String selector) {
        return "document.querySelector('" + selector + "').matches(':popover-open')";
    }

    private static String text(String selector, String text) {
        return "document.querySelector('" + selector + "')?.textContent.includes('" + text + "') === true";
    }

    private static String type(String selector, String text) {
        return "(() => { const field = document.querySelector('" + selector + "'); field.focus(); field.value = `"
                + text + "`; field.dispatchEvent(new Event('input', {bubbles: true})); })();";
    }

    /** Replaces the document by the response to a form. */
    private static String submit(String selector) {
        return "document.querySelector(\"" + selector + "\").requestSubmit();";
    }

    private static String edit(String pattern, String replacement) {
        return "document.querySelector('#compare [name=lines]').checked = true;"
                + "(() => { const field = document.querySelector('#profile-text'); field.value = field.value.replace(/"
                + pattern + "/, '"
                + replacement + "'); })();" + submit("#compare");
    }

    private static String register(String name, String namespace, String kubeconfig, String button) {
        return type("#name", name)
                + type("#ns", namespace)
                + type("#kubeconfig", kubeconfig)
                + click("button[value=" + button + "]");
    }
}
