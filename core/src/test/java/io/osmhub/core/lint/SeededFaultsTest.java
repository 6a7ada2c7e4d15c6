package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every seeded fault is found, under its rule and at its line; the profiles without a fault have no finding. */
final class SeededFaultsTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("osmhub.root", ".."), "docs", "examples");

    private static Linter linter = new Linter(ScriptChecker.NONE, System::nanoTime);

    @BeforeAll
    static void needsAShell() {
        linter = new Linter(Bash.orSkip(), System::nanoTime);
    }

    static List<SeededFaults.Fault> faults() {
        return SeededFaults.ALL;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void findsEachFaultAtItsLine(SeededFaults.Fault fault) throws IOException {
        String text = fault.apply(Files.readString(EXAMPLES.resolve(fault.base())));

        List<ProfileLintReport> reports = linter.lint(fault.base(), text);

        int line = lineOf(text, fault.line());
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst().findings()).as("findings in %s", text).anySatisfy(finding -> {
            assertThat(finding.rule().wireName()).isEqualTo(fault.rule());
            assertThat(finding.severity()).isNotEqualTo(LintSeverity.INFO);
            if (!fault.line().isEmpty()) {
                assertThat(finding.position().line()).isEqualTo(line);
            }
        });
    }

    private static int lineOf(String text, String wanted) {
        int at = text.indexOf(wanted);
        assertThat(at).as(wanted).isNotNegative();
        int start = wanted.startsWith("\n") ? at + 1 : at;
        return 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"osp.yaml", "osp-flatcar.yaml"})
    void findsNothingInTheExamples(String file) throws IOException {
        List<ProfileLintReport> reports = linter.lint(file, Files.readString(EXAMPLES.resolve(file)));

        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst().findings()).isEmpty();
        assertThat(reports.getFirst().matrix().renderings()).isPositive();
    }

    @Test
    void hasThirtyFaultsAndMore() {
        assertThat(SeededFaults.ALL).hasSizeGreaterThanOrEqualTo(30);
    }
}
