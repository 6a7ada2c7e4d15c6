package io.osmhub.tenancy.concern;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.concern.HubProblemMonitor.HubProblem;
import io.osmhub.tenancy.concern.HubProblemMonitor.ProblemsAnnotation;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsAnnotationTest {
    private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00Z");
    private static final HubProblem FOREIGN = new HubProblem(
            "workerclusters.osmhub.io", Reason.CRDForeignManaged, "hub: managed by \"helm\"; take it over", SINCE);

    @Test
    void whatOneSaysTheOthersRead() {
        assertThat(ProblemsAnnotation.read(ProblemsAnnotation.write(List.of(FOREIGN))))
                .containsExactly(FOREIGN);
        assertThat(ProblemsAnnotation.write(List.of())).isEmpty();
        assertThat(ProblemsAnnotation.read("")).isEmpty();
    }

    @Test
    void longTextsAndManyAreCut() {
        HubProblem endless = new HubProblem("o".repeat(400), Reason.CRDForeignManaged, "m".repeat(5000), SINCE);
        String text = ProblemsAnnotation.write(Collections.nCopies(100, endless));

        assertThat(text.length()).isLessThan(16 * 1024);
        assertThat(ProblemsAnnotation.read(text))
                .hasSize(ProblemsAnnotation.MOST)
                .allSatisfy(problem -> {
                    assertThat(problem.object()).hasSize(ProblemsAnnotation.LONGEST_OBJECT);
                    assertThat(problem.message()).hasSize(ProblemsAnnotation.LONGEST_MESSAGE);
                });
    }

    @Test
    void whatSomebodyElseWroteIsHarmless() {
        assertThat(ProblemsAnnotation.read("{")).isEmpty();
        assertThat(ProblemsAnnotation.read("[1, null, {}, []]")).isEmpty();
        assertThat(ProblemsAnnotation.read(" ".repeat(ProblemsAnnotation.LONGEST_TEXT + 1)))
                .isEmpty();
        // A tenant's reason is not a problem of the hub.
        assertThat(ProblemsAnnotation.read(entry("CredentialsRejected", "x", SINCE.toString())))
                .isEmpty();
        assertThat(ProblemsAnnotation.read(entry("NoSuchReason", "x", SINCE.toString())))
                .isEmpty();
        assertThat(ProblemsAnnotation.read(entry("LeaseLost", "x", "yesterday")))
                .isEmpty();
        assertThat(ProblemsAnnotation.read(entry("LeaseLost", "a\\u202eb\\nc\\u001b[31m", SINCE.toString())))
                .singleElement()
                .extracting(HubProblem::message)
                .isEqualTo("a\\u202eb c\\u001b[31m");
    }

    private static String entry(String reason, String message, String since) {
        return """
                [{"object": "o", "reason": "%s", "message": "%s", "since": "%s"}]""".formatted(reason, message, since);
    }
}
