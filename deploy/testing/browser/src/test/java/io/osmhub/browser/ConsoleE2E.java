package io.osmhub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.osmhub.browser.devtools.BrowserTab;
import io.osmhub.browser.devtools.Chromium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User journeys through the console of a real hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ConsoleE2E {
    private static final int NARROW = 390;
    private static final int WIDE = 1440;
    private static final List<Integer> WIDTHS = List.of(320, 360, NARROW, 768, 900, 961, 1024, WIDE);
    private static final List<Integer> SOME_WIDTHS = List.of(NARROW, 961, WIDE);
    /** States checked at a time. */
    private static final int TABS = 2;

    private Chromium chromium;
    private BrowserFleet scene;
    private AccessibilityChecker axe;
    private BrowserTab tab;

    @BeforeAll
    void start() throws Exception {
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), "no Chromium: install the package chromium, or set OSMHUB_CHROMIUM");
        axe = new AccessibilityChecker();
        scene = new BrowserFleet();
        chromium = Chromium.start(program.orElseThrow());
    }

    @AfterAll
    void end() throws Exception {
        if (chromium != null) {
            chromium.close();
        }
        if (scene != null) {
            scene.close();
        }
    }

    @BeforeEach
    void signIn() {
        tab = signedIn();
    }

    private BrowserTab signedIn() {
        BrowserTab opened = chromium.open();
        opened.navigate(scene.at("/signin")).fill("#token", scene.adminToken()).click("button[type=submit]");
        return opened.awaitCondition("location.pathname === '/'").awaitLoaded();
    }

    @AfterEach
    void close() {
        if (tab != null) {
            tab.close();
        }
    }

    private void picture(String name) throws Exception {
        boolean update = Boolean.getBoolean("osmhub.update");
        Path root = Path.of(System.getProperty("osmhub.root", "../../.."));
        Path folder = update ? root.resolve("docs/images") : Path.of("target/pictures");
        tab.saveScreenshot(folder.resolve(name + ".png"), false);
    }

    // --- sign-in

    @Test
    void sendsStrangersToTheDoorAndThenWhereTheyWanted() {
        try (BrowserTab stranger = chromium.open()) {
            stranger.navigate(scene.at("/problems"));
            assertThat(stranger.evaluate("location.pathname").asText()).isEqualTo("/signin");
            assertThat(stranger.text()).doesNotContain("tenant-shop", "edge-042", "osp-example");

            stranger.fill("#token", "not-a-token").click("button[type=submit]");
            stranger.awaitText("does not accept this token");
            assertThat(stranger.evaluate("document.querySelector('#token').value")
                            .asText())
                    .isEmpty();

            stranger.fill("#token", scene.adminToken()).click("button[type=submit]");
            stranger.awaitCondition("location.pathname === '/problems'").awaitLoaded();
            assertThat(stranger.evaluate("document.cookie").asText())
                    .as("cookies visible to scripts")
                    .isEmpty();
        }
    }

    @Test
    void signsOutForGood() {
        tab.click("#signout button")
                .awaitCondition("location.pathname === '/signin'")
                .awaitLoaded();
        tab.navigate(scene.at("/"));

        assertThat(tab.evaluate("location.pathname").asText()).isEqualTo("/signin");
    }

    @Test
    void whoSeesOneClusterLandsOnItsPageAndFindsNoOther() {
        try (BrowserTab owner = chromium.open()) {
            owner.navigate(scene.at("/signin"))
                    .fill("#token", scene.ownerToken())
                    .click("button[type=submit]");
            owner.awaitCondition("location.pathname === '/clusters/tenant-shop/shop'")
                    .awaitLoaded();
            assertThat(owner.text()).contains("workers-a").doesNotContain("edge-042", "sandbox");
            assertThat(owner.text(".nav")).doesNotContain("Fleet", "Register");
            assertThat(owner.count("[popovertarget=remove], [popovertarget=rotate]"))
                    .isZero();

            owner.navigate(scene.at("/find?q=edge"));
            assertThat(owner.text("main")).contains("No match");
            owner.navigate(scene.at("/clusters/tenant-dark/edge-042"));
            String hidden = owner.text("h1");
            owner.navigate(scene.at("/clusters/tenant-dark/no-such-cluster"));
            assertThat(hidden).isEqualTo(owner.text("h1")).contains("not found, or you may not view it");
        }
    }

    // --- views

    @Test
    void theFirstPageSaysHowTheFleetIsAndWhatToFix() throws Exception {
        scene.awaitSettled(tab);
        tab.navigate(scene.at("/")).awaitText("Unauthorized");
        tab.awaitCondition("document.querySelector('#headline').textContent.includes('cannot start nodes')");

        assertThat(tab.text("#headline")).matches("\\d+ of \\d+ MachineDeployments cannot start nodes");
        assertThat(tab.count("#cluster-rows tr")).isGreaterThanOrEqualTo(4);
        // The first of many causes.
        assertThat(tab.text("[aria-labelledby=problems]"))
                .contains("1 blocked")
                .containsAnyOf("TemplateSyntaxError", "ProfileNotFound", "UserDataTooLarge");
        tab.resize(1440, 1000);
        picture("console-fleet");
    }

    @ParameterizedTest
    @EnumSource(MachineDeploymentFault.class)
    void aMachineDeploymentsPageNamesTheCause(MachineDeploymentFault situation) throws Exception {
        tab.navigate(scene.machineDeployment(situation.machineDeployment()));
        tab.awaitText(situation.reason());

        assertThat(tab.text(".answer")).contains("Broken at link", situation.reason(), "How to fix it");
        assertThat(tab.count(".links > .is-broken")).as("broken links").isGreaterThanOrEqualTo(1);
        assertThat(tab.count(".links > li")).isEqualTo(7);
        assertThat(tab.text(".answer")).as("a command stands apart").doesNotContain("U+000A");
        if (situation == MachineDeploymentFault.TOO_LARGE) {
            tab.resize(1440, 1200);
            picture("console-why");
        }
    }

    @Test
    void aWorkerThatDoesNotAnswerIsTheBrokenLink() {
        tab.navigate(scene.at("/tenants/tenant-dark/machine-deployments/kube-system/workers-a"));
        tab.awaitCondition(
                "document.querySelector('.links > .is-broken')?.textContent.includes('Worker connection') === true");

        assertThat(tab.text(".answer")).contains("WorkerCluster");
    }

    @Test
    void aRefusedCredentialIsTheBrokenLink() {
        tab.navigate(scene.at("/tenants/tenant-locked/machine-deployments/kube-system/workers-a"));
        tab.awaitCondition(
                "document.querySelector('.links > .is-broken')?.textContent.includes('Worker connection') === true");

        assertThat(tab.text(".answer")).contains("Credentials");
    }

    @Test
    void findsWhileSomebodyTypes() {
        tab.press("/");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("find");
        tab.fill("#find", "edge-0").awaitCondition("document.querySelectorAll('#found-now a').length > 0");
        assertThat(tab.text("#found-now .st")).isNotBlank();
        tab.press("ArrowDown", "Enter").awaitCondition("location.pathname === '/clusters/tenant-dark/edge-042'");

        tab.navigate(scene.at("/find?q=no-such-name"));
        assertThat(tab.text()).contains("No match");
    }

    @Test
    void previewsAProfileForAChosenProviderAndVersion() throws Exception {
        tab.navigate(scene.at(ConsoleState.PROFILE + "?preview=1&provider=hetzner&kubernetes=1.33"));

        tab.awaitText("#cloud-config");
        assertThat(tab.count("#doc-lines .redacted")).isGreaterThanOrEqualTo(1);
        assertThat(tab.text("#doc-found")).matches("[1-9]\\d* values? redacted");
        assertThat(tab.evaluate("document.querySelector('#v-p').value").asText())
                .isEqualTo("hetzner");
        tab.click(".tabs a[href*='doc=Provisioning']")
                .awaitCondition("location.search.includes('doc=Provisioning')")
                .awaitLoaded();
        assertThat(tab.text("#doc-lines")).isNotEmpty();
        tab.resize(1440, 1100);
        picture("console-profile");
    }

    @Test
    void comparesAnEditedProfileOverAllWhoUseIt() throws Exception {
        BrowserFleet.awaitCondition("the shop is published", () -> {
            tab.navigate(scene.at(ConsoleState.WORKERS));
            return tab.text(".answer").contains("7 links ok");
        });
        tab.navigate(scene.at(ConsoleState.PROFILE + "?compare=edit"));
        String given =
                tab.evaluate("document.querySelector('#profile-text').value").asText();
        assertThat(given).contains("kind: OperatingSystemProfile", "bootstrapConfig:");
        tab.click("#compare input[name=lines]")
                .click("#compare button[type=submit]")
                .awaitCondition("document.querySelector('#diff-wait h3') !== null");
        assertThat(tab.text("#diff-wait"))
                .contains("Nothing would change; 3 MachineDeployments stay rejected as today");

        tab.evaluate(
                "(() => { const field = document.querySelector('#profile-text');"
                        + " field.value = field.value.replace(/path: \\/[^\\n]*/, 'path: /etc/motd-of-the-test'); return field.value.length; })()");
        tab.click("#compare button[type=submit]")
                .awaitCondition("document.querySelector('#diff-wait h3')?.textContent.includes('would change') === true"
                        + " && document.querySelector('[aria-label=\"tenant-shop\"]') !== null");
        assertThat(tab.text("[aria-label='tenant-shop']")).contains("workers-a", "Changed");
        assertThat(tab.count("[aria-label='tenant-shop'] .code.diff .add")).isGreaterThanOrEqualTo(1);
        tab.resize(1440, 1100);
        tab.evaluate("document.querySelector('#diff').scrollIntoView()");
        picture("console-compare");
    }

    @Test
    void aTenantsPageTellsWhatHappenedWithoutBeingLoadedAgain() throws Exception {
        tab.navigate(scene.at(ConsoleState.SHOP)).awaitText("Events");
        tab.evaluate("window.stayed = true");
        scene.useProfile(MachineDeploymentFault.PROFILE_NOT_FOUND, "osp-example");
        tab.awaitCondition("document.querySelector('#event-rows th') !== null");
        scene.useProfile(MachineDeploymentFault.PROFILE_NOT_FOUND, "osp-exmple");
        tab.awaitCondition("[...document.querySelectorAll('#event-rows code')]"
                + ".some((one) => one.textContent === 'ProfileNotFound')");

        assertThat(tab.evaluate("window.stayed").asBoolean()).isTrue();
        assertThat(tab.count("#md-rows svg.chain[aria-label^='Broken at link']"))
                .isGreaterThanOrEqualTo(1);
        tab.resize(1440, 1600);
        picture("console-tenant");
    }

    @Test
    void ghostsStandWhereAnAnswerWillStandAndMoveNothing() {
        tab.navigate(scene.at(ConsoleState.PROFILE));
        tab.evaluate("window.fetch = () => new Promise(() => {})");
        tab.fill("#profile-text", "kind: OperatingSystemProfile");
        double before = tab.evaluate("document.querySelector('#files').getBoundingClientRect().top + scrollY")
                .asDouble();
        tab.click("#compare button[type=submit]")
                .awaitCondition("document.querySelector('#diff-wait').ariaBusy === 'true'");

        assertThat(tab.count("#diff-wait .ghosts")).isEqualTo(1);
        assertThat(tab.evaluate("document.querySelector('#files').getBoundingClientRect().top + scrollY")
                        .asDouble())
                .isEqualTo(before);
    }

    @Test
    void aBrokenProfileShowsWhereAndTheCure() {
        tab.navigate(scene.at("/profiles/osm-profiles/osp-typo"));
        tab.awaitText("toYamll");

        assertThat(tab.text("[aria-labelledby=lint]")).contains("toYaml");
    }

    @Test
    void movesByItselfWhenSomethingChanges() throws Exception {
        tab.navigate(scene.machineDeployment(MachineDeploymentFault.PROFILE_NOT_FOUND.machineDeployment()));
        tab.awaitText("ProfileNotFound");
        tab.evaluate("window.stayed = true");

        scene.useProfile(MachineDeploymentFault.PROFILE_NOT_FOUND, "osp-example");

        tab.awaitText("All 7 links ok");
        assertThat(tab.evaluate("window.stayed").asBoolean())
                .as("the same page, not loaded again")
                .isTrue();
        assertThat(tab.evaluate("document.querySelector('.answer').className").asText())
                .isEqualTo("answer ok");
        assertThat(tab.text(".answer .cmd")).as("command to paste").isEmpty();
        scene.useProfile(MachineDeploymentFault.PROFILE_NOT_FOUND, "osp-exmple");
        tab.awaitCondition(
                "document.querySelector('.answer .cmd')?.textContent.endsWith('operating-system-profile=osp-example') === true");
        tab.awaitCondition("document.querySelector('[aria-labelledby=versions]').textContent.includes('not rendered')");
        assertThat(tab.text("[aria-labelledby=versions]"))
                .as("what is wanted is not what is published")
                .contains("Profileosp-exmple≠differsosm-profiles/osp-example", "not rendered≠differsv1.0.0");
        assertThat(tab.text("[aria-labelledby=document]")).contains("the published one, which nodes get.");
        assertThat(tab.count("#doc-lines li")).as("lines that nodes get").isGreaterThan(5);
    }

    @Test
    void problemsOfExtensionsNameTheObjectAndTheFixThatApplies() {
        String choice = "osmhub.io/profile-extensions";
        scene.extend("corp", "Enforced", "{\"path\":\"/etc/corp\",\"content\":\"x\"}");
        scene.extend("missing", "Optional", "{\"path\":\"/etc/none\",\"operation\":\"Remove\"}");
        scene.annotate("workers-a", choice, "-corp");

        tab.navigate(scene.machineDeployment("workers-a")).awaitText("Remove -corp from the annotation.");
        assertThat(tab.evaluate("document.querySelector('.answer').className").asText())
                .isEqualTo("answer ok");
        assertThat(tab.text("[aria-labelledby=chain]"))
                .contains(" with extension " + BrowserFleet.SHOP + "/corp")
                .doesNotContain("Waiting");
        tab.navigate(scene.at(ConsoleState.PROFILE));
        tab.awaitCondition("document.querySelectorAll('#user-rows summary').length >= 3");
        assertThat(tab.text("#user-rows")).contains("v1.0.0+ext.").doesNotContain("Being published");

        scene.annotate("workers-a", choice, "missing");
        String place = "OperatingSystemProfileExtension " + BrowserFleet.SHOP + "/missing, spec.provisioning.files[0]";
        tab.navigate(scene.machineDeployment("workers-a")).awaitText(place);
        assertThat(tab.count("a[href*='compare=edit']")).isZero();
        tab.navigate(scene.at("/problems?reason=ExtensionNotApplicable")).awaitText(place);
        assertThat(tab.count("a[href*='compare=edit']")).isZero();

        scene.annotate("workers-a", choice, "");
        scene.removeExtension("corp");
        scene.removeExtension("missing");
        tab.navigate(scene.machineDeployment("workers-a")).awaitText("No action needed.");
    }

    @Test
    void ahiddenTabIsLeftInPeaceAndRightWhenItComesBack() {
        tab.navigate(scene.at(ConsoleState.SHOP));
        tab.awaitCondition("document.querySelector('#live').hidden === false");
        tab.click("#live").awaitText("held by you");
        assertThat(tab.text("#live")).contains("Held");

        tab.click("#live").awaitCondition("document.querySelector('#not-live').hidden");
    }

    @Test
    void aTestedKubeconfigStaysInTheFormAndNowhereElse() {
        String kubeconfig = "apiVersion: v1\\nkind: Config\\n# canary-of-the-test";
        tab.navigate(scene.at("/register"))
                .fill("#name", "new-cluster")
                .fill("#ns", "tenant-shop")
                .fill("#kubeconfig", kubeconfig.replace("\\n", "\n"));
        tab.click("button[value=test]").awaitCondition("document.querySelector('.verdict, .notice.bad') !== null");

        assertThat(tab.evaluate("document.querySelector('#kubeconfig').value === \"" + kubeconfig + "\"")
                        .asBoolean())
                .isTrue();
        assertThat(tab.evaluate("JSON.stringify([location.href, document.title, document.cookie, history.state,"
                                + " {...localStorage}, {...sessionStorage}])")
                        .asText())
                .doesNotContain("canary");
        tab.navigate(scene.at("/register"));
        assertThat(tab.evaluate("document.querySelector('#kubeconfig').value").asText())
                .isEmpty();
    }

    @Test
    void pausingAsksFirst() {
        tab.navigate(scene.at(ConsoleState.SHOP)).click("[popovertarget=pause]");
        tab.awaitCondition("document.querySelector('#pause').matches(':popover-open')");
        assertThat(tab.text("#pause")).contains("of tenant tenant-shop?", "New nodes start until");

        tab.press("Escape").awaitCondition("!document.querySelector('#pause').matches(':popover-open')");
        assertThat(tab.navigate(scene.at(ConsoleState.SHOP)).count("[popovertarget=pause]:not([popovertargetaction])"))
                .as("not paused")
                .isEqualTo(1);
    }

    // --- by keyboard

    /** From the sign-in to a cause, its fix, a registration and a pause with Tab, Enter, Space, arrows and Escape. */
    @Test
    void theMainPathNeedsNoPointerAndNoSingleKey() {
        try (BrowserTab keyboard = chromium.open()) {
            keyboard.navigate(scene.at("/signin")).awaitCondition("document.activeElement.id === 'token'");
            keyboard.type(scene.adminToken()).press("Enter");
            keyboard.awaitCondition("location.pathname === '/'").awaitLoaded();
            keyboard.press("Tab");
            assertThat(keyboard.isFocused(".skip")).as("the first stop").isTrue();
            keyboard.press("Enter", "Tab");
            assertThat(keyboard.isFocused("main *")).as("navigation skipped").isTrue();
            keyboard.tabTo("#cluster-rows a").tabTo(".foot a");

            keyboard.navigate(scene.at("/")).tabTo("#find").type("other-provider");
            keyboard.awaitCondition("document.querySelectorAll('#found-now a').length > 0")
                    .press("ArrowDown", "Enter")
                    .awaitCondition("location.pathname.endsWith('/kube-system/other-provider')")
                    .awaitText("ProfileCloudProviderMismatch");
            keyboard.awaitLoaded().tabTo(".answer .cmd");
            assertThat(keyboard.evaluate("getSelection().toString()").asText())
                    .as("a command to copy")
                    .startsWith("kubectl ")
                    .endsWith("k8c.io/operating-system-profile=osp-ubuntu");
            keyboard.navigate(scene.machineDeployment("too-large")).awaitText("UserDataTooLarge");
            keyboard.tabTo(".answer a[href$='#diff']").press("Enter");
            keyboard.awaitCondition("location.pathname.endsWith('/osp-large') && location.hash === '#diff'")
                    .awaitLoaded()
                    .tabTo("#profile-text")
                    .tabTo("[name=lines]")
                    .press("Space")
                    .tabTo("#compare button")
                    .press("Enter")
                    .awaitText("Nothing would change");

            keyboard.navigate(scene.at("/problems")).tabTo(".cause:not([open]) > summary");
            int open = keyboard.count(".cause[open]");
            assertThat(keyboard.press("Enter").count(".cause[open]")).isEqualTo(open + 1);
            assertThat(keyboard.press("Enter").count(".cause[open]")).isEqualTo(open);

            keyboard.tabTo(".nav a[href='/docs']").press("Shift+Tab", "Enter");
            keyboard.awaitCondition("location.pathname === '/register'").awaitLoaded();
            keyboard.tabTo("#name").type("new-cluster").tabTo("#ns").type("tenant-shop");
            keyboard.tabTo("#kubeconfig").type("kind: Config").tabTo("[name=credential]");
            keyboard.press("ArrowDown");
            assertThat(keyboard.count("[value=given]:checked")).isEqualTo(1);
            keyboard.tabTo("button[value=test]").press("Enter");
            keyboard.awaitText("executes and reads nothing");

            keyboard.navigate(scene.at(ConsoleState.SHOP));
            for (String dialog : List.of("keys", "you", "rotate", "pause", "remove")) {
                String invoker = "[popovertarget=" + dialog + "]:not([popovertargetaction])";
                keyboard.tabTo(invoker).press("Enter");
                keyboard.awaitCondition("document.querySelector('#" + dialog + "').matches(':popover-open')");
                assertThat(keyboard.isFocused("#" + dialog + ", #" + dialog + " *"))
                        .as("focus inside of " + dialog)
                        .isTrue();
                keyboard.press("Escape");
                assertThat(keyboard.count(":popover-open")).as(dialog).isZero();
                assertThat(keyboard.isFocused(invoker))
                        .as("focus back from " + dialog)
                        .isTrue();
            }
            keyboard.press("Enter").tabTo("#remove [popovertargetaction]").press("Tab");
            assertThat(keyboard.count(":popover-open")).as("left by Tab").isZero();

            keyboard.navigate(scene.at("/clusters/tenant-dark/edge-042"));
            // The focus starts on the button that changes nothing.
            keyboard.tabTo("[popovertarget=pause]").press("Enter", "Shift+Tab");
            assertThat(keyboard.isFocused("#pause [type=submit]")).isTrue();
            keyboard.press("Enter").awaitText("Resume");
            keyboard.tabTo("#resume button").press("Space");
            keyboard.awaitCondition("document.querySelector('[popovertarget=pause]') !== null")
                    .awaitLoaded();
            keyboard.tabTo("[popovertarget=you]").press("Space").tabTo("#signout button");
            keyboard.press("Space").awaitCondition("location.pathname === '/signin'");
        }
    }

    @Test
    void everythingIsReachedByKeys() {
        tab.press("g", "p").awaitCondition("location.pathname === '/problems'").awaitLoaded();
        tab.press("g", "o").awaitCondition("location.pathname === '/profiles'").awaitLoaded();
        tab.press("j", "j", "k");
        assertThat(tab.evaluate("document.activeElement.closest('[data-row]') === document.querySelector('[data-row]')")
                        .asBoolean())
                .isTrue();
        tab.press("Enter")
                .awaitCondition("location.pathname.startsWith('/profiles/')")
                .awaitLoaded();
        tab.press("g", "f").awaitCondition("location.pathname === '/'").awaitLoaded();
        tab.press("g", "r").awaitCondition("location.pathname === '/register'").awaitLoaded();
        tab.navigate(scene.at("/")).press("f");
        assertThat(tab.evaluate("document.activeElement.id").asText()).isEqualTo("filter");
        tab.fill("#filter", "edge")
                .awaitCondition("document.querySelectorAll('#cluster-rows tr:not([hidden])').length === 1");
        tab.press("Escape").awaitCondition("document.querySelectorAll('#cluster-rows tr[hidden]').length === 0");
        tab.press("Escape").press("?").awaitCondition("document.querySelector('#keys').matches(':popover-open')");
        tab.press("Escape").press("t");
        assertThat(tab.evaluate("document.documentElement.dataset.theme").asText())
                .isEqualTo("light");
        tab.press("t");
        assertThat(tab.evaluate("getComputedStyle(document.documentElement).colorScheme")
                        .asText())
                .isEqualTo("dark");
    }

    // --- accessibility

    /**
     * Visits every state, before other tests change the fleet: axe in a wide window, in dark for one state of each page, and the layout at
     * few widths. If {@code OSMHUB_SCREENSHOTS} names a folder, every state is checked in all combinations of colors and widths, and
     * saved there.
     */
    @Test
    @Order(1)
    void everyStateOfEveryPageIsAccessibleAndFitsEveryWidth() throws Exception {
        scene.awaitSettled(tab);
        Set<String> pages = ConcurrentHashMap.newKeySet();
        List<Future<List<String>>> groups = new ArrayList<>();
        try (ExecutorService tabs = Executors.newFixedThreadPool(TABS)) {
            ConsoleState.groups(scene).forEach(states -> groups.add(tabs.submit(() -> check(states, pages))));
        }
        List<String> findings = new ArrayList<>();
        for (Future<List<String>> group : groups) {
            findings.addAll(group.get());
        }

        assertThat(findings).isEmpty();
    }

    private List<String> check(List<ConsoleState> states, Set<String> pages) throws IOException {
        List<String> findings = new ArrayList<>();
        try (BrowserTab own = signedIn()) {
            for (ConsoleState state : states) {
                check(own, state, pages.add(state.page())).forEach(found -> findings.add(state.name() + " " + found));
            }
            own.requests().stream()
                    .filter(address -> !address.startsWith(scene.at("/")) && !address.equals("about:blank"))
                    .forEach(address -> findings.add("requests " + address));
        }
        return findings;
    }

    private List<String> check(BrowserTab own, ConsoleState state, boolean firstOfPage) throws IOException {
        List<String> findings = new ArrayList<>();
        own.clearErrors();
        own.setColorScheme("light").resize(WIDE, 900).navigate(scene.at(state.path()));
        if (!state.action().isEmpty()) {
            own.evaluate(state.action() + " 1");
        }
        own.awaitCondition(state.ready()).awaitLoaded();
        String folder = System.getenv("OSMHUB_SCREENSHOTS");
        if (folder != null) {
            own.evaluate("scrollTo(0, 0)");
            for (String scheme : List.of("light", "dark")) {
                for (int width : List.of(WIDE, NARROW)) {
                    own.setColorScheme(scheme).resize(width, 900);
                    own.saveScreenshot(Path.of(folder, state.name() + "-" + scheme + "-" + width + ".png"), true);
                }
            }
            own.setColorScheme("light");
            axe.check(own).forEach(found -> findings.add("narrow: " + found));
        }
        for (int width : folder == null ? SOME_WIDTHS : WIDTHS) {
            own.resize(width, 900);
            axe.checkLayout(own).forEach(found -> findings.add("at " + width + ": " + found));
        }
        // The last width is the wide one. Dark pages differ in colors only.
        findings.addAll(axe.check(own));
        if (firstOfPage || folder != null) {
            axe.checkColors(own.setColorScheme("dark")).forEach(found -> findings.add("dark: " + found));
        }
        // The browser reports each rejected request, also those whose error the page shows.
        own.errors().stream()
                .filter(complaint -> !complaint.startsWith("Failed to load resource"))
                .forEach(findings::add);
        return findings;
    }

    @Test
    void aHostileNameIsOnlyText() {
        tab.navigate(scene.machineDeployment("hostile"));
        tab.awaitCondition("document.querySelector('.answer').textContent.includes('\\\\u202egpj.exe\\\\u0000')");

        assertThat(tab.evaluate("window.hacked === undefined").asBoolean()).isTrue();
        assertThat(tab.count("main img")).isZero();
        assertThat(tab.evaluate("document.documentElement.outerHTML.includes('\\u202E')")
                        .asBoolean())
                .isFalse();
        assertThat(tab.evaluate("fetch('/api/v1/problems?search=hostile').then(reply => reply.json())"
                                + ".then(found => found.items[0].message)")
                        .asText())
                .contains("\\u202egpj.exe\\u0000");
    }

    @Test
    void aNameThatIsTooLongHasAFixInsteadOfACommand() {
        tab.navigate(scene.at("/tenants/tenant-locked/machine-deployments/kube-system/" + BrowserFleet.LONGEST_NAME))
                .awaitText("NameTooLong");

        assertThat(tab.text(".answer"))
                .contains("zz do not start.", "A name cannot be changed")
                .doesNotContain("kubectl");
        assertThat(tab.text(".answer .cmd")).isEmpty();
    }

    @Test
    void aProfileIsUsedByWhatItsPreviewCompares() {
        BrowserFleet.awaitCondition("the profile is used, and page and preview count the same", () -> {
            tab.navigate(scene.at(ConsoleState.PROFILE + "?compare=edit"));
            String users = tab.text("#found").replaceFirst("(MachineDeployments?) .*", "$1");
            tab.click("#compare button[type=submit]")
                    .awaitCondition("document.querySelector('#diff-wait h3') !== null");
            return !users.startsWith("0 ") && tab.text("#diff-wait").contains(". " + users + " use it");
        });
    }

    @Test
    void withoutScriptsThePageNamesOtherWays() {
        tab.setScriptsEnabled(false);
        tab.navigate(scene.at("/nowhere")).navigate(scene.at("/signin"));
        assertThat(tab.count("#token")).as("sign-in needs no script").isEqualTo(1);
        tab.setScriptsEnabled(true);
    }

    @Test
    void tenThousandRowsArePagedByTheServer() throws Exception {
        BrowserFleet.awaitCondition("the shop is published", () -> {
            tab.navigate(scene.at(ConsoleState.WORKERS));
            return tab.text(".answer").contains("7 links ok");
        });
        scene.addUnreachableTenant("tenant-vast", "vast");
        scene.addConfigurations("tenant-vast", 10_000);
        String vast = scene.at("/clusters/tenant-vast/vast");
        BrowserFleet.awaitCondition(
                "10,000 rows are known", () -> tab.navigate(vast).text("#found").equals("10,000"));

        assertThat(tab.count("#md-rows tr")).isEqualTo(50);
        assertThat(tab.text(".pager")).contains("Rows 1–50 of 10,000");
        tab.press("]")
                .awaitCondition("document.querySelector('.pager').textContent.includes('Rows 51–100')")
                .awaitLoaded();
        tab.press("[")
                .awaitCondition("document.querySelector('.pager').textContent.includes('Rows 1–50')")
                .awaitLoaded();
        tab.navigate(vast + "?search=row-09999");
        assertThat(tab.text("#found")).isEqualTo("1");
    }
}
