package io.osmhub.tenancy.concern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
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
            "workerclusters.osmhub.io",
            Reason.CRDForeignManaged.with("crd", "workerclusters.osmhub.io", "manager", "helm", "what", "spec.x"),
            SINCE);

    @Test
    void whatOneSaysTheOthersRead() {
        assertThat(ProblemsAnnotation.read(ProblemsAnnotation.write(List.of(FOREIGN))))
                .containsExactly(FOREIGN);
        assertThat(ProblemsAnnotation.write(List.of())).isEmpty();
        assertThat(ProblemsAnnotation.read("")).isEmpty();
    }

    @Test
    void longTextsAndManyAreCut() {
        HubProblem endless =
                new HubProblem("o".repeat(400), Problem.ofHub(Reason.CRDForeignManaged, "m".repeat(5000)), SINCE);
        String text = ProblemsAnnotation.write(Collections.nCopies(100, endless));

        assertThat(text.length()).isLessThanOrEqualTo(ProblemsAnnotation.LONGEST_TEXT);
        assertThat(ProblemsAnnotation.read(text))
                .hasSize(ProblemsAnnotation.MOST)
                .allSatisfy(problem -> {
                    assertThat(problem.object()).hasSize(ProblemsAnnotation.LONGEST_OBJECT);
                    assertThat(problem.message()).hasSizeBetween(512, 1024);
                });
    }

    /** Too many would make the whole text unreadable. */
    @Test
    void problemsThatDoNotFitAreOmitted() {
        Problem endless = Problem.ofHub(Reason.CRDForeignManaged, "\"".repeat(5000))
                .withField("\"".repeat(5000))
                .withFix("\"".repeat(5000), Command.management("kubectl get " + "y".repeat(1400)));
        String text =
                ProblemsAnnotation.write(Collections.nCopies(100, new HubProblem("\"".repeat(400), endless, SINCE)));

        assertThat(text.length()).isLessThanOrEqualTo(ProblemsAnnotation.LONGEST_TEXT);
        List<HubProblem> read = ProblemsAnnotation.read(text);
        assertThat(read).hasSizeBetween(ProblemsAnnotation.MOST / 2, ProblemsAnnotation.MOST);
        assertThat(read.getLast().problem().command().isEmpty()).isFalse();
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
                .extracting(HubProblem::message, STRING)
                .startsWith("hub: a\\u202eb c\\u001b[31m");
        assertThat(ProblemsAnnotation.read(entry("LeaseLost", "Lease x: lost", SINCE.toString())))
                .singleElement()
                .extracting(HubProblem::message, STRING)
                .startsWith("hub: Lease x: lost");
    }

    private static String entry(String reason, String message, String since) {
        return """
                [{"object": "o", "since": "%s", "details": {"reason": "%s", "cause": "%s"}}]""".formatted(since, reason, message);
    }
}
