package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResolvedPageTest {
    private final FixedFleet fleet = new FixedFleet();
    private final ShownConsole console = new ShownConsole(fleet);

    private Map<String, Object> resolved(String since, String resolvedAt) {
        Map<String, Object> problem = new HashMap<>(fleet.problem());
        problem.put("since", since);
        problem.put("resolvedAt", resolvedAt);
        return problem;
    }

    @Test
    void problemsResolvedInTheLastDayAreListedWithTheirDuration() throws Exception {
        fleet.resolved = List.of(
                resolved("2026-11-21T10:00:00Z", "2026-11-21T10:02:00Z"),
                resolved("2026-11-21T08:00:00Z", "2026-11-21T08:30:00Z"),
                resolved("2026-11-20T20:00:00Z", "2026-11-21T06:00:00Z"),
                resolved("2026-11-19T08:00:00Z", "2026-11-20T10:40:00Z"));

        assertThat(console.get("/problems/resolved"))
                .contains("3 problems resolved in the last 24 hours")
                .contains(">10:02:00</time>", ">2 min</td>", ">30 min</td>", ">10 h</td>")
                .doesNotContain("20 Nov");
        for (String page : List.of("/", "/problems")) {
            assertThat(console.get(page))
                    .contains("3 problems resolved in the last 24 hours, median duration 30 min")
                    .contains("href=\"/problems/resolved\"");
        }
    }

    @Test
    void nothingResolvedIsStatedWithWhatIsCovered() throws Exception {
        assertThat(console.get("/problems/resolved"))
                .contains("No problems resolved in the last 24 hours", "ended while this replica was running");
    }
}
