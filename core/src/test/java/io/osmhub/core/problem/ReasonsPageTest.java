package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.ReasonDescription.ConditionTarget;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The entries of docs/reference/reasons.md, to which conditions and problems link: one heading for each reason of the code. */
class ReasonsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("docs/reference/reasons.md");
    private static final String FIRST = "### " + Reason.values()[0].wireName() + "\n";

    /** With UPDATE=true the page is rewritten first. */
    @Test
    void everyReasonHasItsSection() throws IOException {
        String page = Files.readString(PAGE);
        int reasons = page.indexOf(FIRST);
        StringBuilder written = new StringBuilder(reasons < 0 ? page : page.substring(0, reasons));
        for (Reason reason : Reason.values()) {
            written.append(section(reason));
        }
        if (Boolean.getBoolean("osmhub.update")) {
            Files.writeString(PAGE, written);
        }

        assertThat(Files.readString(PAGE))
                .as("run: UPDATE=true ./hub test core ReasonsPageTest")
                .isEqualTo(written.toString());
    }

    private static String section(Reason reason) {
        List<String> facts = List.of(
                reason.severity().wireName(),
                "acts: " + reason.actor().wireName(),
                reason.description().conditionTargets().stream()
                        .map(ConditionTarget::toString)
                        .collect(Collectors.joining(", ")),
                reason.description().eventSubjects().isEmpty()
                        ? "no Event"
                        : "Event `" + reason.description().eventReason() + "` on "
                                + reason.description().eventSubjects().stream()
                                        .map(SubjectKind::kind)
                                        .collect(Collectors.joining(", ")));
        return "### " + reason.wireName() + "\n\n"
                + facts.stream().filter(fact -> !fact.isEmpty()).collect(Collectors.joining(" · ")) + "\n\n"
                + "New nodes: " + reason.description().newNodes() + "\n\n"
                + "Set when: " + reason.description().setWhen() + ". Cleared when: "
                + reason.description().clearedWhen() + ".\n\n"
                + "```\n" + reason.description().template() + "\n```\n\n";
    }
}
