package io.osmhub.tenancy.concern;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldProblemsTest {
    private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00Z");
    private static final HubProblem FOREIGN = new HubProblem(
            "workerclusters.osmhub.io", Reason.CRDForeignManaged, "hub: managed by \"helm\"; take it over", SINCE);

    @Test
    void whatOneSaysTheOthersRead() {
        assertThat(ToldProblems.read(ToldProblems.text(List.of(FOREIGN)))).containsExactly(FOREIGN);
        assertThat(ToldProblems.text(List.of())).isEmpty();
        assertThat(ToldProblems.read("")).isEmpty();
    }

    @Test
    void longTextsAndManyAreCut() {
        HubProblem endless = new HubProblem("o".repeat(400), Reason.CRDForeignManaged, "m".repeat(5000), SINCE);
        String text = ToldProblems.text(Collections.nCopies(100, endless));

        assertThat(text.length()).isLessThan(16 * 1024);
        assertThat(ToldProblems.read(text)).hasSize(ToldProblems.MOST).allSatisfy(problem -> {
            assertThat(problem.object()).hasSize(ToldProblems.LONGEST_OBJECT);
            assertThat(problem.message()).hasSize(ToldProblems.LONGEST_MESSAGE);
        });
    }

    @Test
    void whatSomebodyElseWroteIsHarmless() {
        assertThat(ToldProblems.read("{")).isEmpty();
        assertThat(ToldProblems.read("[1, null, {}, []]")).isEmpty();
        assertThat(ToldProblems.read(" ".repeat(ToldProblems.LONGEST_TEXT + 1))).isEmpty();
        // A reason of a tenant is no problem of the hub, whoever says so.
        assertThat(ToldProblems.read(entry("CredentialsRejected", "x", SINCE.toString())))
                .isEmpty();
        assertThat(ToldProblems.read(entry("NoSuchReason", "x", SINCE.toString())))
                .isEmpty();
        assertThat(ToldProblems.read(entry("LeaseLost", "x", "yesterday"))).isEmpty();
        assertThat(ToldProblems.read(entry("LeaseLost", "a\\u202eb\\nc\\u001b[31m", SINCE.toString())))
                .singleElement()
                .extracting(HubProblem::message)
                .isEqualTo("ab c [31m");
    }

    private static String entry(String reason, String message, String since) {
        return """
                [{"object": "o", "reason": "%s", "message": "%s", "since": "%s"}]""".formatted(reason, message, since);
    }
}
