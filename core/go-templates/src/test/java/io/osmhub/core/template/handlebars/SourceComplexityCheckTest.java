package io.osmhub.core.template.handlebars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SourceComplexityCheckTest {
    private static void assertRefused(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template))
                .withMessage(message)
                .satisfies(failure -> assertThat(failure.stage()).isEqualTo(Stage.PARSE));
    }

    @Test
    void refusesAPathWithTooManyParts() {
        assertRefused("a\n {{x" + ".a".repeat(49) + "}}", "/etc/file:2:2: a path with too many parts");
        assertRefused("{{#if (eq 1 " + "../".repeat(17) + "x)}}{{/if}}", "/etc/file:1:1: a path with too many parts");
    }

    @Test
    void refusesAVeryLongTag() {
        assertRefused("{{concat " + "\"a\" ".repeat(3000) + "}}", "/etc/file:1:1: a tag of more than 8000 characters");
        assertRefused("{{".repeat(100_000), "/etc/file:1:1: a tag of more than 8000 characters");
    }

    @Test
    void refusesVeryManyTags() {
        assertRefused("x\n{{!}}".repeat(10_001), "/etc/file:10002:1: more than 10000 tags");
    }

    @Test
    void takesLongCommentsAndManyPaths() throws TemplateException {
        assertThat(Profiles.render("{{!-- " + "a.b/c ".repeat(5000) + "--}}x")).isEqualTo("x");
        assertThat(Profiles.render("{{concat " + "Network.CIDR ".repeat(100) + "}}", Map.of()))
                .hasSize(1000);
    }
}
