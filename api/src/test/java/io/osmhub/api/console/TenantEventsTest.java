package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TenantEventsTest {
    private static final String TENANT = "/clusters/cluster-7xk2m9qvbn/checkout-prod-eu";

    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private static Map<String, Object> event(String type, String name, Map<String, Object> more) {
        Map<String, Object> event = new LinkedHashMap<>(more);
        event.put("id", "");
        event.put("type", type);
        event.put("at", "2026-11-21T10:02:11Z");
        event.put("object", Map.of("kind", "MachineDeployment", "namespace", "kube-system", "name", name));
        return event;
    }

    @Test
    void theNewestStandsFirstAndFreeLinesAreNotSeen() throws Exception {
        fleet.events.add(event(
                "ProblemOpened",
                "workers-a",
                Map.of(
                        "problem",
                        Map.of(
                                "severity",
                                "Error",
                                "reason",
                                "UserDataTooLarge",
                                "message",
                                "cluster-7xk2m9qvbn: MachineDeployment kube-system/workers-a: 17,912 B of 16,384 B; shorten it",
                                "headline",
                                "17,912 B of 16,384 B",
                                "cure",
                                "shorten it"))));
        fleet.events.add(event("Modified", "workers-b", Map.of("newNodes", "Current")));

        String page = console.get(TENANT);

        assertThat(page)
                .contains("workers-a: 17,912 B of 16,384 B", "<span data-live=\"e/0/reason\">UserDataTooLarge</span>");
        assertThat(page).contains("data-live=\"e/0/what\">workers-a: ", "data-live=\"e/1/what\">workers-b<");
        assertThat(page).contains("class=\"on\" data-live=\"e/1\"", "class=\"off\" data-live=\"e/2\"", "e/9");
        assertThat(page).doesNotContain("data-live=\"e/10\"").contains("events=50#events");
        assertThat(page).contains("class=\"off\" data-live=\"e/none\"");
    }

    @Test
    void aRiskIsNotExplainedByThePublicationBeforeIt() throws Exception {
        fleet.events.add(event("Modified", "a", Map.of("newNodes", "AtRisk", "summary", "first publication")));
        fleet.events.add(event("Modified", "b", Map.of("newNodes", "Current", "summary", "first publication")));

        assertThat(console.get(TENANT))
                .contains("data-live=\"e/0/what\">a<", "data-live=\"e/1/what\">b: First publication<");
    }

    @Test
    void atMostFiftyAreAskedFor() throws Exception {
        assertThat(console.get(TENANT + "?events=50")).contains("e/49").doesNotContain("\"e/50\"");
        assertThat(console.get(TENANT + "?events=5000")).contains("e/9").doesNotContain("\"e/10\"");
        assertThat(console.get(TENANT)).contains("class=\"empty\" data-live=\"e/none\"");
    }

    @Test
    void hostileTextOfAnEventIsOnlyText() throws Exception {
        fleet.events.add(event("Modified", FixedFleet.HOSTILE, Map.of("summary", FixedFleet.HOSTILE)));

        assertThat(console.get(TENANT)).doesNotContain("<img", "\u202E").contains("U+202E");
    }

    @Test
    void aRowDrawsTheChainWithItsFirstBrokenLink() throws Exception {
        String page = console.get(TENANT);

        assertThat(page).contains("aria-label=\"Broken at link 2 of 7: Rendered config\"", "href=\"#c-broken\"");
        assertThat(page).contains("Broken at rendered config");
    }
}
