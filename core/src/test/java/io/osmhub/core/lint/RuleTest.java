package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules and their documentation. */
final class RuleTest {
    private static final Path DOCUMENT = Path.of(System.getProperty("osmhub.root", ".."), "docs", "lint.md");

    @Test
    void areDocumentedAsTheCodeHasThem() throws IOException {
        String table = Arrays.stream(Rule.values())
                .map(rule -> "| `" + rule + "` | " + rule.promise() + " |")
                .collect(Collectors.joining("\n", "| rule | what holds when it finds nothing |\n|---|---|\n", ""));

        assertThat(Files.readString(DOCUMENT)).contains("\n" + table + "\n");
    }

    @Test
    void areNamedLikeTheirConstants() {
        assertThat(Rule.values()).allSatisfy(rule -> assertThat(rule.word())
                .isEqualTo(rule.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }
}
