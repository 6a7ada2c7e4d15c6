package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.DemoRun.TenantNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DemoViewTest {
    @Test
    void showsATenantOnALineAndHowManyMachinesBooted() {
        List<String> lines = DemoView.lines(
                List.of(row("amber", "Synced", "", 4), row("birch", "", "", 0)),
                List.of("hint"),
                DemoScreen.ScreenSize.UNLIMITED,
                false);

        assertThat(lines)
                .containsExactly(
                        "",
                        "TENANT  WORKER        SECRETS  MACHINES  STATE   LATENCY  LAST CHANGE",
                        "amber   worker-amber        6    4 of 6  Synced    14 ms  published workers-c",
                        "birch   worker-birch        6    0 of 6  -         14 ms  published workers-c",
                        "",
                        "[##########....................] 4 of 12 machines booted from right secrets",
                        "hint");
    }

    @Test
    void showsWhatTheHubReportsBelowTheTable() {
        List<String> lines = DemoView.lines(
                List.of(row("amber", "Unreachable", "WorkerClusterUnreachable: no route", 0), row("birch", "", "", 0)),
                List.of(),
                DemoScreen.ScreenSize.UNLIMITED,
                false);

        assertThat(lines.get(4)).isEqualTo("amber  WorkerClusterUnreachable: no route");
    }

    @Test
    void showsEveryColumnIn80Columns() {
        ClusterRow row = row("1", "Unauthorized", "CredentialsRejected: " + "long ".repeat(20), 4);

        List<String> lines = DemoView.lines(List.of(row), List.of(), new DemoScreen.ScreenSize(80, 24), false);

        assertThat(lines.get(2)).endsWith("Unauthorized    14 ms  published workers-c");
        assertThat(lines).allMatch(line -> line.length() <= 80);
    }

    @Test
    void showsABrokenClusterOfManyFirst() {
        List<ClusterRow> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rows.add(row(TenantNames.of(i), i == 49 ? "Unreachable" : "Synced", i == 49 ? "Lost: no route" : "", 6));
        }

        List<String> lines = DemoView.lines(rows, List.of(), new DemoScreen.ScreenSize(80, 24), false);

        assertThat(lines.get(2)).startsWith("zephyr-2  ").contains("Unreachable");
        assertThat(lines).contains("zephyr-2  Lost: no route").hasSizeLessThan(24);
    }

    @Test
    void fitsIntoTheTerminalAndCountsWhatDoesNot() {
        List<ClusterRow> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rows.add(row(TenantNames.of(i), i % 10 == 9 ? "Unreachable" : "Synced", "", 6));
        }

        List<String> lines = DemoView.lines(
                rows,
                List.of("one hint", "and one that is much longer than the terminal is wide"),
                new DemoScreen.ScreenSize(60, 24),
                false);

        assertThat(lines).hasSizeLessThan(24).allMatch(line -> line.length() <= 60);
        assertThat(lines).anyMatch(line -> line.startsWith("... and 34 more: 30 Synced, 4 Unreachable"));
    }

    @Test
    void keepsAHostileMessageOnItsLine() {
        List<String> lines = DemoView.lines(
                List.of(row("amber", "Degraded", "Bad\u001b[2J\nnews\u202e", 0)),
                List.of(),
                DemoScreen.ScreenSize.UNLIMITED,
                true);

        assertThat(lines).hasSize(6);
        assertThat(lines.get(3)).contains("Bad\\u001b[2J news\\u202e").doesNotContain("\u001b[2J", "\u202e");
    }

    @Test
    void writesTimesAsShortAsTheyCanBeRead() {
        assertThat(DemoView.time(Duration.ofMillis(14))).isEqualTo("14 ms");
        assertThat(DemoView.time(Duration.ofMillis(1249))).isEqualTo("1.2 s");
        assertThat(DemoView.time(null)).isEmpty();
    }

    private static ClusterRow row(String tenant, String state, String problem, int machines) {
        return new ClusterRow(
                tenant,
                "worker-" + tenant,
                state,
                problem,
                3,
                6,
                machines,
                6,
                Duration.ofMillis(14),
                "published workers-c",
                List.of());
    }
}
