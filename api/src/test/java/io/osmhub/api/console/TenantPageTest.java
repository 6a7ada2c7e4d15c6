package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class TenantPageTest {
    private static final String TENANT = "/clusters/cluster-7xk2m9qvbn/checkout-prod-eu";
    private static final String MD = "/tenants/cluster-7xk2m9qvbn/machine-deployments/kube-system/workers-a";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    @Test
    void titleAndBreadcrumbNameTheTenant() throws Exception {
        assertThat(console.get(TENANT))
                .contains("<title>checkout-prod-eu · cluster-7xk2m9qvbn · OSM Hub</title>")
                .contains("<li>Tenant <code><bdi>cluster-7xk2m9qvbn</bdi></code></li>")
                .contains("<li aria-current=\"page\"><bdi>checkout-prod-eu</bdi></li>");
        assertThat(console.get(MD))
                .contains("<title>workers-a · checkout-prod-eu · cluster-7xk2m9qvbn · OSM Hub</title>")
                .contains("<li>Tenant <code><bdi>cluster-7xk2m9qvbn</bdi></code></li>")
                .contains("<li aria-current=\"page\"><bdi>workers-a</bdi></li>");
    }

    @Test
    void theConnectionIsDrawnToScaleAndItsInterruptionsAreNamed() throws Exception {
        assertThat(console.get(TENANT))
                .contains("connected 99.7 %")
                // From 02:14 for 5 minutes: 933 minutes after the start of the strip.
                .contains("<path class=\"s-bad\" data-live=\"strip/s-bad\" d=\"M933 0h5v20H933Z\">")
                .contains("<span>Unreachable</span></span> <span class=\"muted\">")
                .contains(">02:14:00</time>, <span data-live=\"strip/0/length\">5 min</span>")
                .contains("<p class=\"off\" data-live=\"strip/note\">");
    }

    @Test
    void theConnectionStatesWhatItDoesNotCover() throws Exception {
        fleet.observedFrom = "2026-11-21T04:40:31Z";

        assertThat(console.get(TENANT))
                .contains("<p class=\"small muted\" data-live=\"strip/note\">")
                .containsPattern("Observed by this replica since <time [^>]*datetime=\"2026-11-21T04:40:31Z\"")
                .containsPattern("<line class=\"s-none\" [^>]* x2=\"1080\"")
                .contains("connected 100 % of the observed time");
    }

    @Test
    void everyPartOfTheConnectionMovesLive() throws Exception {
        String before = console.get(TENANT);
        fleet.observedFrom = "2026-11-21T04:40:31Z";

        assertThat(liveCells(console.get(TENANT)))
                .as("an open page has a cell for whatever a later one shows")
                .isEqualTo(liveCells(before));
    }

    private static List<String> liveCells(String page) {
        return Pattern.compile("data-live=\"(strip[^\"]*)\"")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void eachMachineDeploymentShowsItsReadyNodes() throws Exception {
        assertThat(console.get(TENANT)).contains(">Nodes ready<", "/ready\">6 of 9</span>");
    }

    @Test
    void conditionsMoveLive() throws Exception {
        assertThat(console.get(TENANT))
                .contains("data-live=\"c/Connected/status\"", "data-live=\"c/Connected/message\"");
    }

    @Test
    void linksInAnUnreachableClusterAreNotDrawnAsClosed() throws Exception {
        fleet.verdictOfWorkers = "AtRisk";
        fleet.reason = "WorkerClusterUnreachable";
        fleet.links = List.of("Ok", "Ok", "Unknown", "Unknown", "Unknown", "Broken", "Unknown");

        assertThat(console.get(TENANT)).containsPattern(chain("c-ok c-ok c-wait c-wait c-wait c-broken c-wait"));
    }

    private static String chain(String symbols) {
        return "class=\"chain\"[^>]*><use [^>]*class=\"" + symbols.replace(" ", "\"[^>]*></use><use [^>]*class=\"")
                + "\"";
    }

    @Test
    void pausingIsConfirmedWithWhatItMeansForNewNodes() throws Exception {
        String page = console.get(TENANT);

        assertThat(page)
                .contains("<button type=\"button\" class=\"btn\" popovertarget=\"pause\">Pause</button>")
                .contains("Pause <bdi>checkout-prod-eu</bdi> of tenant <bdi>cluster-7xk2m9qvbn</bdi>?")
                .contains("the first token expires at <time datetime=\"2026-11-21T11:12:00Z\"");
        assertThat(page.substring(page.indexOf("id=\"pause\"")))
                .as("the only form that pauses is the dialog")
                .contains("name=\"paused\" value=\"true\"");
        assertThat(page.substring(0, page.indexOf("id=\"pause\""))).doesNotContain("name=\"paused\"");
    }

    @Test
    void resumingNeedsNoConfirmation() throws Exception {
        fleet.spec = Map.of("paused", true);

        assertThat(console.get(TENANT))
                .contains("name=\"paused\" value=\"false\"><button class=\"btn\" type=\"submit\">Resume</button>")
                .doesNotContain("popovertarget=\"pause\"");
    }

    @Test
    void removingStatesWhatItsDeletionPolicyKeeps() throws Exception {
        assertThat(console.get(TENANT)).contains("secrets and tokens are deleted");

        fleet.spec = Map.of("deletionPolicy", "Retain");
        assertThat(console.get(TENANT))
                .contains("tokens stay, but are no longer updated")
                .doesNotContain("are deleted");
    }
}
