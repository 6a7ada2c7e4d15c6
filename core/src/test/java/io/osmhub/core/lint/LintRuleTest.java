package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.LintFinding.LintRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules and their documentation. */
final class LintRuleTest {
    private static final Path DOCUMENT =
            Path.of(System.getProperty("osmhub.root", ".."), "docs", "reference", "lint.md");

    @Test
    void areDocumentedAsTheCodeHasThem() throws IOException {
        String table = Arrays.stream(LintRule.values())
                .map(rule -> "| `" + rule + "` | " + rule.description() + " |")
                .collect(Collectors.joining("\n", "| rule | true without findings |\n|---|---|\n", ""));

        assertThat(Files.readString(DOCUMENT)).contains("\n" + table + "\n");
    }

    @Test
    void areNamedLikeTheirConstants() {
        assertThat(LintRule.values()).allSatisfy(rule -> assertThat(rule.wireName())
                .isEqualTo(rule.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }
}
