package io.osmhub.api.preview;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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

final class KeptReportsTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T10:00:00Z"));
    private final InstantSource clock = now::get;
    private final KeptReports kept = new KeptReports(clock);

    private static KeptReports.Key key(String user) {
        return new KeptReports.Key(user, "asked");
    }

    private static Difference difference(String tenant, String name, Result result) {
        return new Difference(tenant, "prod", new ObjectKey("kube-system", name), result, List.of(), null);
    }

    private static KeptReports.Found differences() {
        return new KeptReports.Found(
                List.of(
                        difference("a", "one", Result.REFUSED),
                        difference("a", "two", Result.CHANGED),
                        difference("b", "one", Result.SAME)),
                List.of("c"));
    }

    @Test
    void countsAreOverAllAndPagesLeaveOutWhatStaysTheSame() {
        KeptReports.Report report = kept.keep(key("ann"), differences(), true);

        assertThat(report.total()).isEqualTo(3);
        assertThat(report.tenants()).isEqualTo(2);
        assertThat(report.counts()).isEqualTo(Map.of(Result.REFUSED, 1, Result.CHANGED, 1, Result.SAME, 1));
        assertThat(report.notCompared()).containsExactly("c");
        assertThat(report.listed()).hasSize(2);
        assertThat(kept.keep(key("ann"), differences(), false).listed()).hasSize(3);
    }

    @Test
    void aCursorFindsItsReportForItsCallerAndItsRequestOnly() {
        KeptReports.Report report = kept.keep(key("ann"), differences(), true);
        String cursor = KeptReports.cursor(report, 1);

        assertThat(kept.find(key("ann"), cursor)).contains(report);
        assertThat(KeptReports.offset(cursor)).isEqualTo(1);
        assertThat(kept.find(key("bob"), cursor)).isEmpty();
        assertThat(kept.find(new KeptReports.Key("ann", "something else"), cursor))
                .isEmpty();
    }

    @Test
    void whatIsNoCursorFindsNothing() {
        kept.keep(key("ann"), differences(), true);

        for (String cursor : List.of("", ".", "1", "x.y", "x.-1", "00.99999999999999999999")) {
            assertThat(kept.find(key("ann"), cursor)).isEmpty();
        }
    }

    @Test
    void aReportIsGoneAfterFiveMinutes() {
        String cursor = KeptReports.cursor(kept.keep(key("ann"), differences(), true), 0);

        now.updateAndGet(before -> before.plusSeconds(301));

        assertThat(kept.find(key("ann"), cursor)).isEmpty();
    }

    @Test
    void onlyAFewAreKept() {
        String first = KeptReports.cursor(kept.keep(key("ann"), differences(), true), 0);
        for (int i = 0; i < 16; i++) {
            kept.keep(key("bob"), differences(), true);
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
        String asked = KeptReports.hash(request("a", null, null, null));

        assertThat(KeptReports.hash(request("a", true, 7, "x.1"))).isEqualTo(asked);
        assertThat(KeptReports.hash(request("b", null, null, null))).isNotEqualTo(asked);
    }
}
