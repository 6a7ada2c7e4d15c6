package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.LintFinding.LintRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules and their documentation. */
final class LintRuleTest {
    private static final Path DOCUMENT =
            Path.of(System.getProperty("osmhub.root", ".."), "docs", "reference", "lint.md");

    @Test
    void areDocumentedInTheirOrder() throws IOException {
        List<String> documented = Files.readString(DOCUMENT)
                .lines()
                .dropWhile(line -> !line.equals("| rule | true without findings |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();

        assertThat(documented)
                .containsExactlyElementsOf(
                        Stream.of(LintRule.values()).map(LintRule::wireName).toList());
    }

    @Test
    void haveTextsThatCanBeFormatted() {
        assertThat(LintResource.rows("lint-rules.tsv")).hasSizeGreaterThan(40).allSatisfy(row -> assertThat(
                        LintRuleViolation.of(row[0], "a", 1, "c", "d", "e", "f").what())
                .isNotBlank()
                .doesNotContain("$"));
    }
}
