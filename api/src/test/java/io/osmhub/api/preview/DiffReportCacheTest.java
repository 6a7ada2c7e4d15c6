package io.osmhub.api.preview;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.osmhub.api.preview.DiffReportCache.MachineDeploymentDiff;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DiffReportCacheTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
    private final InstantSource clock = now::get;
    private final DiffReportCache kept = new DiffReportCache(clock);

    private static DiffReportCache.DiffReportKey key(String user) {
        return new DiffReportCache.DiffReportKey(user, "asked");
    }

    private static MachineDeploymentDiff difference(String tenant, String name, Result result) {
        return new MachineDeploymentDiff(
                tenant, "prod", new ObjectKey("kube-system", name), result, false, List.of(), null);
    }

    private static DiffReportCache.DiffResult differences() {
        return new DiffReportCache.DiffResult(
                List.of(
                        difference("a", "one", Result.REFUSED),
                        difference("a", "two", Result.CHANGED),
                        difference("b", "one", Result.SAME)),
                List.of("c"));
    }

    @Test
    void countsAreOverAllAndPagesLeaveOutWhatStaysTheSame() {
        DiffReportCache.FullDiffReport report = kept.put(key("ann"), differences(), true);

        assertThat(report.total()).isEqualTo(3);
        assertThat(report.tenants()).isEqualTo(2);
        assertThat(report.counts()).isEqualTo(Map.of(Result.REFUSED, 1, Result.CHANGED, 1, Result.SAME, 1));
        assertThat(report.notCompared()).containsExactly("c");
        assertThat(report.listed()).hasSize(2);
        assertThat(kept.put(key("ann"), differences(), false).listed()).hasSize(3);
    }

    @Test
    void aCursorFindsItsReportForItsCallerAndItsRequestOnly() {
        DiffReportCache.FullDiffReport report = kept.put(key("ann"), differences(), true);
        String cursor = DiffReportCache.cursor(report, 1);

        assertThat(kept.find(key("ann"), cursor)).contains(report);
        assertThat(DiffReportCache.offset(cursor)).isEqualTo(1);
        assertThat(kept.find(key("bob"), cursor)).isEmpty();
        assertThat(kept.find(new DiffReportCache.DiffReportKey("ann", "something else"), cursor))
                .isEmpty();
    }

    @Test
    void whatIsNoCursorFindsNothing() {
        kept.put(key("ann"), differences(), true);

        for (String cursor : List.of("", ".", "1", "x.y", "x.-1", "00.99999999999999999999")) {
            assertThat(kept.find(key("ann"), cursor)).isEmpty();
        }
    }

    @Test
    void aReportIsGoneAfterFiveMinutes() {
        String cursor = DiffReportCache.cursor(kept.put(key("ann"), differences(), true), 0);

        now.updateAndGet(before -> before.plusSeconds(301));

        assertThat(kept.find(key("ann"), cursor)).isEmpty();
    }

    @Test
    void onlyAFewAreKept() {
        String first = DiffReportCache.cursor(kept.put(key("ann"), differences(), true), 0);
        for (int i = 0; i < 16; i++) {
            kept.put(key("bob"), differences(), true);
        }

        assertThat(kept.find(key("ann"), first)).isEmpty();
    }

    private static DiffRequest request(
            String name, @Nullable Boolean lines, @Nullable Integer limit, @Nullable String next) {
        return new DiffRequest(
                List.of(JsonNodeFactory.instance.objectNode().put("name", name)), null, null, lines, limit, next);
    }

    @Test
    void pagesOfOneQuestionAreOneQuestion() {
        String asked = DiffReportCache.hash(request("a", null, null, null));

        assertThat(DiffReportCache.hash(request("a", true, 7, "x.1"))).isEqualTo(asked);
        assertThat(DiffReportCache.hash(request("b", null, null, null))).isNotEqualTo(asked);
    }
}
