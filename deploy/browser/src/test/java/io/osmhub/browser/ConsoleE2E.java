package io.osmhub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.osmhub.browser.devtools.Chromium;
import io.osmhub.browser.devtools.Tab;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console of a real hub, used as people use it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleE2E {
    private static final String SHOP = "/clusters/tenant-shop/shop";
    private static final String WORKERS = "/tenants/tenant-shop/machine-deployments/kube-system/workers-a";
    private static final String PROFILE = "/profiles/osm-profiles/osp-example";
    private static final List<String> PAGES = List.of(
            "/",
            SHOP,
            WORKERS,
            WORKERS + "/history",
            "/tenants/tenant-shop/machine-deployments/kube-system/too-large",
            "/tenants/tenant-locked/machine-deployments/kube-system/" + Scene.LONGEST_NAME,
            "/profiles",
            PROFILE + "?preview=1&provider=aws&kubernetes=1.34",
            PROFILE + "?compare=edit",
            "/profiles/osm-profiles/osp-typo",
            SHOP + "?events=50",
            "/problems",
            "/problems?reason=ProfileNotFound",
            "/register",
            "/find?q=work",
            "/docs",
            "/docs/operating",
            "/docs/api",
            "/nowhere");
    private static final List<Integer> WIDTHS = List.of(320, 360, 768, 900, 961, 1024, 1440);

    private Chromium chromium;
    private Scene scene;
    private Axe axe;
    private Tab tab;

    @BeforeAll
    void start() throws Exception {
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), "no Chromium: install the package chromium, or set OSMHUB_CHROMIUM");
        axe = new Axe();
        scene = new Scene();
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
        tab = chromium.open();
        tab.go(scene.at("/signin")).fill("#token", scene.adminToken()).click("button[type=submit]");
        tab.until("location.pathname === '/'").loaded();
    }

    @AfterEach
    void close() {
        if (tab != null) {
            tab.close();
        }
    }

    private void picture(String name) throws Exception {
        boolean update = Boolean.getBoolean("osmhub.update");
        Path root = Path.of(System.getProperty("osmhub.root", "../.."));
        Path folder = update ? root.resolve("docs/images") : Path.of("target/pictures");
        tab.picture(folder.resolve(name + ".png"), false);
    }

    // --- signing in

    @Test
    void sendsStrangersToTheDoorAndThenWhereTheyWanted() {
        try (Tab stranger = chromium.open()) {
            stranger.go(scene.at("/problems"));
            assertThat(stranger.ask("location.pathname").asText()).isEqualTo("/signin");
            assertThat(stranger.text()).doesNotContain("tenant-shop", "edge-042", "osp-example");

            stranger.fill("#token", "not-a-token").click("button[type=submit]");
            stranger.untilShown("does not accept this token");
            assertThat(stranger.ask("document.querySelector('#token').value").asText())
                    .isEmpty();

            stranger.fill("#token", scene.adminToken()).click("button[type=submit]");
            stranger.until("location.pathname === '/problems'").loaded();
            assertThat(stranger.ask("document.cookie").asText())
                    .as("what a script sees of the session")
                    .isEmpty();
        }
    }

    @Test
    void signsOutForGood() {
        tab.click("form[action='/signout'] button")
                .until("location.pathname === '/signin'")
                .loaded();
        tab.go(scene.at("/"));

        assertThat(tab.ask("location.pathname").asText()).isEqualTo("/signin");
    }

    @Test
    void whoSeesOneClusterLandsOnItsPageAndFindsNoOther() {
        try (Tab owner = chromium.open()) {
            owner.go(scene.at("/signin")).fill("#token", scene.ownerToken()).click("button[type=submit]");
            owner.until("location.pathname === '/clusters/tenant-shop/shop'").loaded();
            assertThat(owner.text()).contains("workers-a").doesNotContain("edge-042", "sandbox");
            assertThat(owner.text(".nav")).doesNotContain("Fleet", "Register");
            assertThat(owner.count("[popovertarget=remove], [popovertarget=rotate]"))
                    .isZero();

            owner.go(scene.at("/find?q=edge"));
            assertThat(owner.text("main")).contains("Nothing is named like it");
            owner.go(scene.at("/clusters/tenant-dark/edge-042"));
            String hidden = owner.text("h1");
            owner.go(scene.at("/clusters/tenant-dark/no-such-cluster"));
            assertThat(hidden).isEqualTo(owner.text("h1")).contains("not there, or you may not see it");
        }
    }

    // --- looking

    @Test
    void theFirstPageSaysHowTheFleetIsAndWhatToFix() throws Exception {
        tab.go(scene.at("/")).untilShown("Unauthorized");
        tab.until("document.querySelector('#headline').textContent.includes('cannot start nodes')");

        assertThat(tab.text("#headline")).matches("\\d+ of \\d+ MachineDeployments cannot start nodes");
        assertThat(tab.count("#cluster-rows tr")).isGreaterThanOrEqualTo(4);
        assertThat(tab.text("[aria-labelledby=problems]")).contains("ProfileNotFound");
        tab.size(1440, 1000);
        picture("console-fleet");
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    void aMachineDeploymentsPageNamesTheCause(Situation situation) throws Exception {
        tab.go(scene.machineDeployment(situation.machineDeployment()));
        tab.untilShown(situation.reason());

        assertThat(tab.text(".answer")).contains("Broken at link", situation.reason(), "How to fix it");
        assertThat(tab.count(".links > .is-broken")).as("broken links").isGreaterThanOrEqualTo(1);
        assertThat(tab.count(".links > li")).isEqualTo(7);
        assertThat(tab.text(".answer")).as("a command stands apart").doesNotContain("U+000A");
        if (situation == Situation.TOO_LARGE) {
            tab.size(1440, 1200);
            picture("console-why");
        }
    }

    @Test
    void aWorkerThatDoesNotAnswerIsTheBrokenLink() {
        tab.go(scene.at("/tenants/tenant-dark/machine-deployments/kube-system/workers-a"));
        tab.until("document.querySelector('.links > .is-broken')?.textContent.includes('Worker connection') === true");

        assertThat(tab.text(".answer")).contains("WorkerCluster");
    }

    @Test
    void aRefusedCredentialIsTheBrokenLink() {
        tab.go(scene.at("/tenants/tenant-locked/machine-deployments/kube-system/workers-a"));
        tab.until("document.querySelector('.links > .is-broken')?.textContent.includes('Worker connection') === true");

        assertThat(tab.text(".answer")).contains("Credentials");
    }

    @Test
    void findsWhileSomebodyTypes() {
        tab.press("/");
        assertThat(tab.ask("document.activeElement.id").asText()).isEqualTo("find");
        tab.fill("#find", "edge-0").until("document.querySelectorAll('#found-now a').length > 0");
        tab.press("ArrowDown", "Enter").until("location.pathname === '/clusters/tenant-dark/edge-042'");

        tab.go(scene.at("/find?q=no-such-name"));
        assertThat(tab.text()).contains("Nothing is named like it");
    }

    @Test
    void previewsAProfileForAChosenProviderAndVersion() throws Exception {
        tab.go(scene.at(PROFILE + "?preview=1&provider=hetzner&kubernetes=1.33"));

        tab.untilShown("#cloud-config");
        assertThat(tab.count("#doc-lines .redacted")).isGreaterThanOrEqualTo(1);
        assertThat(tab.text("#doc-found")).matches("[1-9]\\d* values? redacted");
        assertThat(tab.ask("document.querySelector('#v-p').value").asText()).isEqualTo("hetzner");
        tab.click(".tabs a[href*='doc=Provisioning']")
                .until("location.search.includes('doc=Provisioning')")
                .loaded();
        assertThat(tab.text("#doc-lines")).isNotEmpty();
        tab.size(1440, 1100);
        picture("console-profile");
    }

    @Test
    void comparesAnEditedProfileOverAllWhoUseIt() throws Exception {
        Scene.until("the shop is published", () -> {
            tab.go(scene.at(WORKERS));
            return tab.text(".answer").contains("7 links closed");
        });
        tab.go(scene.at(PROFILE + "?compare=edit"));
        String given = tab.ask("document.querySelector('#profile-text').value").asText();
        assertThat(given).contains("kind: OperatingSystemProfile", "bootstrapConfig:");
        tab.click("#compare input[name=lines]")
                .click("#compare button[type=submit]")
                .until("location.pathname.endsWith('/diff') && document.readyState === 'complete'")
                .loaded();
        assertThat(tab.text("#diff-wait")).contains("Nothing would change for those that are published");

        tab.ask(
                "(() => { const field = document.querySelector('#profile-text');"
                        + " field.value = field.value.replace(/path: \\/[^\\n]*/, 'path: /etc/motd-of-the-test'); return field.value.length; })()");
        tab.click("#compare button[type=submit]")
                .until("document.querySelector('#diff-wait h3')?.textContent.includes('something else')")
                .loaded();
        assertThat(tab.text("[aria-label='tenant-shop']")).contains("workers-a", "Changed");
        assertThat(tab.count("[aria-label='tenant-shop'] .code.diff .add")).isGreaterThanOrEqualTo(1);
        List<String> findings = new ArrayList<>();
        for (String scheme : List.of("light", "dark")) {
            tab.size(1440, 900).prefers(scheme);
            axe.findings(tab).forEach(found -> findings.add(scheme + " " + found));
        }
        assertThat(findings).isEmpty();
        tab.size(360, 800);
        assertThat(tab.ask("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(360);
        tab.size(1440, 1100);
        tab.ask("document.querySelector('#diff').scrollIntoView()");
        picture("console-compare");
    }

    @Test
    void aTenantsPageTellsWhatHappenedWithoutBeingLoadedAgain() throws Exception {
        tab.go(scene.at(SHOP)).untilShown("Events");
        tab.ask("window.stayed = true");
        scene.useProfile(Situation.PROFILE_NOT_FOUND, "osp-example");
        tab.until("document.querySelector('[data-live=\"e/0/what\"]').textContent !== ''");
        scene.useProfile(Situation.PROFILE_NOT_FOUND, "osp-exmple");
        tab.until("[...document.querySelectorAll('[data-live$=\"/reason\"]')]"
                + ".some((one) => one.textContent === 'ProfileNotFound')");

        assertThat(tab.ask("window.stayed").asBoolean()).isTrue();
        assertThat(tab.count("#md-rows svg.chain[aria-label^='Broken at link']"))
                .isGreaterThanOrEqualTo(1);
        tab.size(1440, 1600);
        picture("console-tenant");
    }

    @Test
    void ghostsStandWhereAnAnswerWillStandAndMoveNothing() {
        tab.go(scene.at(PROFILE));
        tab.ask("document.querySelector('#compare').addEventListener('submit', (event) => event.preventDefault())");
        tab.fill("#profile-text", "kind: OperatingSystemProfile");
        double before = tab.ask("document.querySelector('#files').getBoundingClientRect().top + scrollY")
                .asDouble();
        tab.click("#compare button[type=submit]").until("document.querySelector('#diff-wait').ariaBusy === 'true'");

        assertThat(tab.count("#diff-wait .ghosts:not([hidden])")).isEqualTo(1);
        assertThat(tab.ask("document.querySelector('#files').getBoundingClientRect().top + scrollY")
                        .asDouble())
                .isEqualTo(before);
    }

    @Test
    void aBrokenProfileShowsWhereAndTheCure() {
        tab.go(scene.at("/profiles/osm-profiles/osp-typo"));
        tab.untilShown("toYamll");

        assertThat(tab.text("[aria-labelledby=lint]")).contains("toYaml");
    }

    @Test
    void movesByItselfWhenSomethingChanges() throws Exception {
        tab.go(scene.machineDeployment(Situation.PROFILE_NOT_FOUND.machineDeployment()));
        tab.untilShown("ProfileNotFound");
        tab.ask("window.stayed = true");

        scene.useProfile(Situation.PROFILE_NOT_FOUND, "osp-example");

        tab.untilShown("All 7 links closed");
        assertThat(tab.ask("window.stayed").asBoolean())
                .as("the same page, not loaded again")
                .isTrue();
        assertThat(tab.ask("document.querySelector('.answer').className").asText())
                .isEqualTo("answer ok");
        assertThat(tab.text(".answer .cmd")).as("what is there to paste").isEmpty();
        scene.useProfile(Situation.PROFILE_NOT_FOUND, "osp-exmple");
        tab.until(
                "document.querySelector('.answer .cmd').textContent.endsWith('operating-system-profile=osp-example')");
    }

    @Test
    void ahiddenTabIsLeftInPeaceAndRightWhenItComesBack() {
        tab.go(scene.at(SHOP));
        tab.until("document.querySelector('#live').hidden === false");
        tab.click("#live").untilShown("held by you");
        assertThat(tab.text("#live")).contains("Held");

        tab.click("#live").until("document.querySelector('#not-live').hidden");
    }

    // --- by keyboard

    @Test
    void everythingIsReachedByKeys() {
        tab.press("g", "p").until("location.pathname === '/problems'").loaded();
        tab.press("g", "o").until("location.pathname === '/profiles'").loaded();
        tab.press("j", "j", "k");
        assertThat(tab.ask("document.activeElement.closest('[data-row]') === document.querySelector('[data-row]')")
                        .asBoolean())
                .isTrue();
        tab.press("Enter").until("location.pathname.startsWith('/profiles/')").loaded();
        tab.press("g", "f").until("location.pathname === '/'").loaded();
        tab.press("g", "r").until("location.pathname === '/register'").loaded();
        tab.go(scene.at("/")).press("f");
        assertThat(tab.ask("document.activeElement.id").asText()).isEqualTo("filter");
        tab.fill("#filter", "edge").until("document.querySelectorAll('#cluster-rows tr:not([hidden])').length === 1");
        tab.press("Escape").until("document.querySelectorAll('#cluster-rows tr[hidden]').length === 0");
        tab.press("Escape").press("?").until("document.querySelector('#keys').matches(':popover-open')");
        tab.press("Escape").press("t");
        assertThat(tab.ask("document.documentElement.dataset.theme").asText()).isEqualTo("light");
        tab.press("t");
        assertThat(tab.ask("getComputedStyle(document.documentElement).colorScheme")
                        .asText())
                .isEqualTo("dark");
    }

    // --- for everybody

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNothingGrave(String scheme) {
        List<String> findings = new ArrayList<>();
        for (String page : PAGES) {
            tab.size(1440, 900).prefers(scheme).go(scene.at(page));
            axe.findings(tab).forEach(found -> findings.add(page + " " + found));
            tab.size(360, 800).go(scene.at(page));
            axe.findings(tab).forEach(found -> findings.add(page + " narrow: " + found));
        }

        assertThat(findings).isEmpty();
    }

    @Test
    void noPageScrollsSideways() {
        List<String> wide = new ArrayList<>();
        for (String page : PAGES) {
            for (int width : WIDTHS) {
                tab.size(width, 800).go(scene.at(page));
                tab.ask("document.querySelectorAll('details').forEach(one => { one.open = true; })");
                int needed = tab.ask("document.documentElement.scrollWidth").asInt();
                if (needed > width) {
                    wide.add(page + " needs " + needed + " of " + width);
                }
            }
        }

        assertThat(wide).isEmpty();
    }

    @Test
    void noPageAsksElsewhereOrComplains() {
        tab.forgive();
        for (String page : PAGES) {
            tab.go(scene.at(page));
        }

        assertThat(tab.requests())
                .allMatch(address -> address.startsWith(scene.at("/")) || address.equals("about:blank"));
        assertThat(tab.complaints()).allMatch(complaint -> complaint.contains("/nowhere"));
    }

    @Test
    void aHostileNameIsOnlyText() {
        tab.go(scene.machineDeployment("hostile"));
        tab.untilShown("U+202E");

        assertThat(tab.ask("window.hacked === undefined").asBoolean()).isTrue();
        assertThat(tab.count("main img")).isZero();
        assertThat(tab.ask("document.documentElement.outerHTML.includes('\\u202E')")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void worksWithoutAScript() {
        tab.go(scene.at("/")).until("document.querySelector('[data-live=\"facet/Unauthorized\"]').textContent === '1'");
        tab.scripts(false);
        tab.go(scene.at("/?state=Unauthorized"));
        tab.scripts(true);
        assertThat(tab.count("#cluster-rows tr")).isEqualTo(1);
        assertThat(tab.text("#cluster-rows")).contains("sandbox");
    }

    @Test
    void tenThousandRowsArePagedByTheServer() throws Exception {
        Scene.until("the shop is published", () -> {
            tab.go(scene.at(WORKERS));
            return tab.text(".answer").contains("7 links closed");
        });
        scene.absentTenant("tenant-vast", "vast");
        scene.manyConfigurations("tenant-vast", 10_000);
        String vast = scene.at("/clusters/tenant-vast/vast");
        Scene.until("10,000 rows are known", () -> tab.go(vast).text("#found").equals("10,000"));

        assertThat(tab.count("#md-rows tr")).isEqualTo(50);
        assertThat(tab.text(".pager")).contains("Rows 1–50 of 10,000");
        tab.press("]")
                .until("document.querySelector('.pager').textContent.includes('Rows 51–100')")
                .loaded();
        tab.press("[")
                .until("document.querySelector('.pager').textContent.includes('Rows 1–50')")
                .loaded();
        tab.go(vast + "?search=row-09999");
        assertThat(tab.text("#found")).isEqualTo("1");
    }
}
