package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebConsoleTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:40:31Z");
    private static final String MD = "/tenants/cluster-7xk2m9qvbn/machine-deployments/kube-system/workers-a";
    private static final String TENANT = "/clusters/cluster-7xk2m9qvbn/checkout-prod-eu";

    private final FixedFleet fleet = new FixedFleet();
    private final FleetStatistics figures = new FleetStatistics();
    private final AtomicLong changes = new AtomicLong();
    private final WebConsole console =
            new WebConsole(fleet.operations(), figures, changes::get, null, InstantSource.fixed(NOW));

    private final ShownConsole shown = new ShownConsole(console);

    private Reply reply(String method, String address, Map<String, String> form) throws ApiProblem {
        return shown.reply(method, address, form);
    }

    private String get(String address) throws ApiProblem {
        return shown.get(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                TENANT,
                MD,
                MD + "/history",
                "/profiles",
                "/profiles/osm-profiles/osp-ubuntu-hardened?preview=1&provider=aws&kubernetes=1.34",
                "/problems",
                "/problems?reason=UserDataTooLarge",
                "/register",
                "/find?q=check",
                "/signin"
            })
    void noTextOfAClusterBecomesMarkup(String address) throws Exception {
        String page = get(address);

        assertThat(page).startsWith("<!doctype html>").endsWith("</html>\n");
        assertThat(page)
                .doesNotContain("<img", "\u202E", "\u0000", "onerror=alert(1)>", "Optional[", "java.util", ">null<");
        assertThat(page.split("<script", -1)).hasSize(2);
    }

    @Test
    void theProblemsOfATenantAreCountedAndListedWithoutCauses() throws Exception {
        String page = get("/problems?namespace=cluster-7xk2m9qvbn");

        assertThat(page)
                .contains("Open problems of <bdi>cluster-7xk2m9qvbn</bdi>")
                .containsPattern("id=\"found\" role=\"status\"><span[^>]*>1<")
                .contains("id=\"all\"")
                .doesNotContain("No open problem matches", "id=\"cause-list\"");
    }

    @Test
    void profilesThatMayNotBeViewedAreNotSaidToBeMissing() throws Exception {
        fleet.tenants = 0;
        assertThat(get("/profiles")).contains("No profile exists").doesNotContain("You may not view");

        fleet.rights = List.of();
        assertThat(get("/profiles"))
                .contains("You may not view the shared profiles", "profiles.readers")
                .doesNotContain("No profile exists");

        fleet.tenants = 2;
        assertThat(get("/profiles"))
                .as("with profiles of the tenant's own")
                .contains("osp-ubuntu-hardened", "You may not view the shared profiles");
    }

    @Test
    void headlinesOfFilteredListsNameTheFilter() throws Exception {
        assertThat(get("/profiles?search=no-such")).contains(" with “no-such”");
        assertThat(get("/tenants/cluster-7xk2m9qvbn/machine-deployments/kube-system/workers-a/history?search=no-such"))
                .contains("No changes of workers-a with “no-such”", ">Clear</a>");
    }

    @Test
    void theFleetShowsWhenEachWorkerClusterWasCheckedInsteadOfItsLastChange() throws Exception {
        String page = get("/");

        assertThat(page)
                .contains("<th role=\"columnheader\" scope=\"col\">Checked</th>")
                .doesNotContain("Last sync");
        assertThat(cell(page, "cluster-7xk2m9qvbn/checkout-prod-eu/checked")).contains(">now<");
        assertThat(cell(page, "cluster-q8n4z7wxkd/edge-warehouse-042/checked")).contains(">38 min<");
    }

    private static String cell(String page, String key) {
        int at = page.indexOf(key);
        assertThat(at).as(key).isPositive();
        return page.substring(at, page.indexOf("</td>", at));
    }

    @Test
    void aPreviewOffersEveryWorkerClusterByASearch() throws Exception {
        fleet.tenants = 200;
        String address = "/profiles/osm-profiles/osp-ubuntu-hardened?preview=1&tenant=";

        String found = get(address + "search-index-ap-southeast-1-replica-of-eu-central-1-b-197");
        String several = get(address + "checkout-prod-eu-1");
        String none = get(address + "nowhere");

        assertThat(found).contains("value=\"cluster-x6b4tt9whk\"");
        assertThat(several)
                .contains("Several worker clusters match checkout-prod-eu-1: choose one of the list.")
                .contains("value=\"checkout-prod-eu-1\"");
        assertThat(none).contains("No worker cluster matches nowhere.");
        assertThat(fleet.asked.stream().filter(asked -> asked.startsWith("render")))
                .singleElement()
                .asString()
                .contains("\"tenant\":\"cluster-x6b4tt9whk\"");
    }

    @Test
    void theFirstPageSaysInASentenceHowTheFleetIs() throws Exception {
        assertThat(get("/"))
                .contains("31 of 3,647 MachineDeployments cannot start nodes")
                .contains("28 start nodes with an older configuration, 19 will stop starting nodes soon")
                .contains("1 cause explains this")
                .contains("User-data is 1,528 bytes too large for aws")
                .contains("Rows 1–6 of 6");
    }

    @Test
    void aMachineDeploymentsPageAnswersWhyThenProvesIt() throws Exception {
        assertThat(get(MD))
                .contains("Broken at link 2 of 7: Rendered config")
                .contains("New nodes of kube-system/workers-a do not start")
                .contains("Move it to provisioningConfig")
                .contains("class=\"answer\"")
                .contains("<span class=\"redacted\">fetch token: not shown</span>")
                .contains("7 of 9 changes");

        fleet.verdictOfWorkers = "Current";
        assertThat(get(MD))
                .contains("All 7 links closed")
                .contains("class=\"answer ok\"")
                .containsOnlyOnce("No action needed.")
                .doesNotContain("Nothing to do");
    }

    @Test
    void aCommandIsShownToBePastedAndNotInsideTheAdvice() throws Exception {
        fleet.cure = "did you mean osp-ubuntu? Set it";
        fleet.command = "kubectl annotate machinedeployment workers-a profile=osp-ubuntu";

        assertThat(get(MD))
                .contains(">Did you mean osp-ubuntu? Set it.<")
                .contains("data-live=\"answer/command\"><span>kubectl</span> <span>annotate</span>")
                .contains("<span>workers-a</span> <span>profile=osp-ubuntu</span></code>")
                .doesNotContain("U+000A");

        fleet.verdictOfWorkers = "Current";
        assertThat(get(MD)).as("nothing to paste once it is well").contains("data-live=\"answer/command\"></code>");
    }

    @Test
    void theCauseIsTheHeadlineAndItsEffectStandsBelow() throws Exception {
        String page = get(MD);

        assertThat(page)
                .containsPattern("<h2 id=\"answer\"[^>]*>(<span[^>]*>)+User-data is 1,528 bytes too large for aws ")
                .containsOnlyOnce(">New nodes of kube-system/workers-a do not start.<")
                .containsPattern("answer/since\"[^>]*>10:02:11</time>")
                .containsPattern("data-form=\"lasting\"[^>]*>for 3\\d min</time>")
                .contains("{{ toYamll . }}&#10;           ^ ")
                .contains(
                        "href=\"/profiles/osm-profiles/osp-ubuntu-hardened?compare=edit#diff\">Preview this change</a>");

        fleet.verdictOfWorkers = "Current";
        assertThat(get(MD)).contains(">New nodes start<").doesNotContain("Preview this change");
    }

    @Test
    void aCauseIsOneRowWithItsFixAndItsObjectsBelow() throws Exception {
        String page = get("/problems");

        assertThat(fleet.asked).contains("listProblems");
        assertThat(page)
                .containsOnlyOnce("<details class=\"cause\" id=\"cause-4f1c9a07\"")
                .contains("7 blocked", "5 outdated")
                .contains("Move it to provisioningConfig.")
                .containsOnlyOnce("<span>operatingsystemprofile</span> <span>osp-ubuntu-hardened</span></code>")
                .contains(
                        "href=\"/profiles/osm-profiles/osp-ubuntu-hardened?compare=edit#diff\">Preview this change</a>");
    }

    @Test
    void whatWasNeverPublishedIsNotListedAsBeingThere() throws Exception {
        assertThat(get(MD)).contains("workers-a-kube-system-config").doesNotContain("None of its objects");

        fleet.published = false;
        assertThat(get(MD)).contains("None of its objects exists yet");
    }

    @Test
    void settingsThatNobodySetUnfold() throws Exception {
        String page = get(TENANT);

        assertThat(page.indexOf("provisioning.clusterDNS")).isLessThan(page.indexOf("1 setting is built in"));
        assertThat(page.indexOf("provisioning.proxy.httpProxy")).isGreaterThan(page.indexOf("1 setting is built in"));
    }

    @Test
    void aProblemThatTouchesOneClusterNamesIt() throws Exception {
        assertThat(get("/problems")).contains("checkout-prod-eu").contains("and 2 more clusters");
    }

    @Test
    void anEmptyFleetSaysWhatComesFirst() throws Exception {
        fleet.tenants = 0;

        assertThat(get("/"))
                .contains("No worker cluster registered yet", "Register a worker cluster")
                .doesNotContain("by nodes prevented from starting", "0 are current");
        assertThat(get("/problems"))
                .contains("No MachineDeployment names a profile yet")
                .doesNotContain("All no ");
        assertThat(get("/profiles/osm-profiles/osp-ubuntu-hardened")).contains("needs the settings of a tenant");
    }

    @Test
    void whatIsNoNameLeadsNowhere() {
        assertThat(PageUrls.profile("osm-profiles/osp-ubuntu")).isEqualTo("/profiles/osm-profiles/osp-ubuntu");
        assertThat(PageUrls.profile("<b>x</b>")).isEmpty();
        assertThat(PageUrls.profile("../osp")).isEmpty();
    }

    @Test
    void aProfileThatIsRefusedHasAFinding() throws Exception {
        assertThat(get("/profiles/osm-profiles/osp-ubuntu-hardened")).contains(">Findings 1<");
    }

    @Test
    void everyPageRunsUnderThePolicyOfTheDesign() throws Exception {
        assertThat(reply("GET", "/", Map.of()).headers())
                .containsEntry(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
                                + "require-trusted-types-for 'script'")
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void listsArePagedByTheServerAndKeepTheirFilters() throws Exception {
        fleet.tenants = 10_412;

        String page = get("/?continue=3600&state=Synced&limit=100");

        assertThat(page)
                .contains("Rows 3,601–3,700 of 10,412")
                .contains("href=\"/?state=Synced&amp;limit=100&amp;continue=3700#clusters\"")
                .contains("href=\"/?state=Synced&amp;limit=100&amp;continue=3500#clusters\"");
        assertThat(page.split("<tr role=\"row\" data-row", -1)).hasSize(101);
    }

    @Test
    void whoSeesOneClusterLandsOnItsPage() throws Exception {
        fleet.seesAll = false;
        fleet.tenants = 1;

        Reply reply = reply("GET", "/", Map.of());

        assertThat(reply.status()).isEqualTo(303);
        assertThat(reply.headers()).containsEntry("Location", "/clusters/cluster-b2v8n4qxzm/analytics-sandbox");
        assertThat(get(TENANT)).doesNotContain("data-go=\"f\"");
    }

    @Test
    void figuresOfTheWholeHubAreForWhoSeesAllOfIt() throws Exception {
        figures.recordPublish(Duration.ofMillis(40));
        assertThat(get("/")).contains("Publish latency", "1 publish, half within");

        fleet.seesAll = false;
        assertThat(get("/")).doesNotContain("Publish latency");
    }

    @Test
    void tokenExpiriesAreRequestedForEachCaller() throws Exception {
        WebPage page = console.pages().stream()
                .filter(each -> each.path().equals("/") && each.method().equals("GET"))
                .findFirst()
                .orElseThrow();
        for (String user : List.of("one", "other", "one")) {
            page.answer().handle(PageVisit.to("/", Map.of()).as(user));
        }

        assertThat(fleet.asked.stream().filter("listMachineDeployments"::equals))
                .hasSize(2);
    }

    @Test
    void registeringPausedSaysSoAndGoesToTheNewPage() throws Exception {
        Reply reply = reply(
                "POST",
                "/register",
                Map.of("namespace", "cluster-a", "name", "shop", "kubeconfig", FixedFleet.CANARY, "do", "paused"));

        assertThat(reply.headers()).containsEntry("Location", "/clusters/cluster-a/shop");
        assertThat(fleet.asked)
                .anyMatch(asked -> asked.startsWith("putWorkerCluster") && asked.contains("\"paused\":true"));
    }

    @Test
    void aNameThatTheContractDoesNotAllowReachesNoOperation() throws Exception {
        Reply reply = reply(
                "POST",
                "/register",
                Map.of("namespace", "../x", "name", "Shop", "kubeconfig", FixedFleet.CANARY, "do", "register"));

        assertThat(ShownConsole.html(reply)).contains("lower-case letters");
        assertThat(fleet.asked).noneMatch(asked -> asked.startsWith("putWorkerCluster"));
    }

    @Test
    void aFormOfAnotherSessionChangesNothing() {
        assertThatThrownBy(() -> reply("POST", TENANT + "/pause", Map.of("form", "guessed", "paused", "true")))
                .isInstanceOf(ApiProblem.class)
                .hasMessageContaining("belongs to another session");
        assertThat(fleet.asked).noneMatch(asked -> asked.startsWith("patchWorkerCluster"));
    }

    @Test
    void removingAsksForTheName() throws Exception {
        assertThat(ShownConsole.html(reply("POST", TENANT + "/remove", Map.of("confirm", "checkout"))))
                .contains("Nothing was removed");
        assertThat(fleet.asked).noneMatch(asked -> asked.startsWith("deleteWorkerCluster"));

        assertThat(reply("POST", TENANT + "/remove", Map.of("confirm", "checkout-prod-eu"))
                        .status())
                .isEqualTo(303);
        assertThat(fleet.asked).anyMatch(asked -> asked.startsWith("deleteWorkerCluster"));
    }

    @Test
    void signingInSetsTheCookieAndGoesBackOnlyWithinTheConsole() throws Exception {
        Reply reply = reply("POST", "/signin", Map.of("token", "good", "back", "//evil.example"));

        assertThat(reply.headers()).containsEntry("Location", "/").containsKey("Set-Cookie");
        assertThat(reply("POST", "/signin", Map.of("token", "good", "back", "/problems?reason=A"))
                        .headers())
                .containsEntry("Location", "/problems?reason=A");
    }

    @Test
    void theDoorNamesARoleThatIsShipped() throws Exception {
        Path roles = Path.of("../deploy/packaging/manifests/roles.yaml");

        assertThat(get("/signin")).contains("<code>osmhub.io:viewer</code>");
        assertThat(Files.readString(roles, UTF_8)).contains("name: osmhub.io:viewer");
    }

    @Test
    void aLinkSignsInOnceAndOnlyOnce() throws Exception {
        String link = console.createSignInLink(new Sensitive("good"));

        assertThat(reply("GET", link, Map.of()).headers())
                .containsEntry("Location", "/")
                .containsKey("Set-Cookie");
        assertThat(reply("GET", link, Map.of()).status()).isEqualTo(401);
        assertThat(reply("GET", "/signin/once?code=guessed", Map.of()).status()).isEqualTo(401);
    }

    @Test
    void aRefusedTokenIsNotShownAgain() throws Exception {
        Reply reply = reply("POST", "/signin", Map.of("token", "wrong-" + FixedFleet.CANARY));

        assertThat(reply.status()).isEqualTo(401);
        assertThat(ShownConsole.html(reply))
                .contains("does not accept this token")
                .doesNotContain(FixedFleet.CANARY);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/problems, /problems",
        "//evil, /",
        "/\\evil, /",
        "https://evil, /",
        "javascript:alert(1), /",
        "'', /"
    })
    void goesBackOnlyToAPageOfItsOwn(String back, String to) {
        assertThat(WebConsole.local(back)).isEqualTo(to);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a\u0000b", "/a\u001bb", "/a\u007fb", "/a\u0085b", "/a\r\nSet-Cookie: b", "/a\u202eb"})
    void goesToNoPageWithControlCharacters(String back) {
        assertThat(WebConsole.local(back)).isEqualTo("/");
    }

    @Test
    void whatIsNotThereAndWhatMayNotBeSeenReadTheSame() {
        String page = new String(
                console.renderProblem(ApiProblem.notFound("WorkerCluster secret-name"), "r1")
                        .bytes(),
                UTF_8);

        assertThat(page).contains("Page not found, or you may not view it").doesNotContain("secret-name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", TENANT})
    void aClusterThatStopsAnsweringIsShownWithTheTimeSinceItsLastAnswer(String address) throws Exception {
        assertThat(get(address)).doesNotContain("no answer");

        fleet.noAnswerSince = "2026-11-21T10:40:22Z";

        assertThat(get(address)).contains("data-form=\"noAnswer\"", ">no answer for 9 s</time>");
    }

    @Test
    void alivePageSendsEverythingFirstThenOnlyWhatDiffers() throws Exception {
        List<String> events = new ArrayList<>();
        Reply reply = reply("GET", "/live?at=" + TemplateHelpers.encoded(MD), Map.of());
        if (!(reply.body() instanceof Reply.StreamingReply streaming)) {
            throw new AssertionError("no stream");
        }

        streaming.run(new Reply.ReplySink() {
            @Override
            public boolean send(String text) {
                events.add(text);
                if (events.size() == 2) {
                    fleet.verdictOfWorkers = "Current";
                    changes.incrementAndGet();
                }
                return events.size() < 3;
            }

            @Override
            public boolean isClosed() {
                return events.size() >= 3;
            }

            @Override
            public void onClose(Runnable task) {}
        });

        assertThat(events.get(1))
                .startsWith("event: cells\nid: 0\ndata: {")
                .contains("\"answer/effect\":{\"t\":\"New nodes of kube-system/workers-a do not start.\"}")
                .contains("\"link/Profile\":{\"c\":\"is-ok\"}");
        assertThat(events.get(2))
                .contains("id: 1")
                .contains("\"answer/what\":{\"t\":\"New nodes start\"}")
                .contains("\"answer/mood\":{\"c\":\"answer ok\"}")
                .contains("\"link/RenderedConfig\":{\"c\":\"is-ok\"}")
                .doesNotContain("link/Profile\"", FixedFleet.HOSTILE);
    }
}
