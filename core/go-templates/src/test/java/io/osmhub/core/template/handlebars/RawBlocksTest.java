package io.osmhub.core.template.handlebars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.TemplateException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RawBlocksTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "{{{{raw}}}}{{x}} {{/y}} {{#z}} \\{{a}} }}{{{{/raw}}}}→{{x}} {{/y}} {{#z}} \\{{a}} }}",
                "a{{{{raw}}}}{{{{/raw}}}}b→ab",
                "{{{{raw}}}}1{{{{/raw}}}}{{KubeVersion}}{{{{raw}}}}<&{{{{/raw}}}}→11.33.2<&",
                "`a\n{{{{raw}}}}\n  {{x}}\n{{y}}\n{{{{/raw}}}}\nb`→`a\n  {{x}}\n{{y}}\nb`",
                "`{{#base64}}{{{{raw}}}}{{{{{/raw}}}}{{/base64}}`→ew==",
                "ä{{{{raw}}}}€😀{{{{/raw}}}}→ä€😀"
            })
    void giveTheirTextAsItStands(String template, String expected) throws TemplateException {
        assertThat(Profiles.render(template)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "{{{{raw}}}}{{a}}{{{{/raw}}}} {{Nonexistent}}→/etc/file:1:32: unknown name \"Nonexistent\"",
                "`{{{{raw}}}}\n{{a}}\n x {{{{/raw}}}} {{Nonexistent}}`→/etc/file:3:19: unknown name \"Nonexistent\"",
                "`\n {{{{raw}}}} x`→/etc/file:2:2: the text ends inside a raw block; close it with {{{{/raw}}}}",
                "{{raw-text 5}}→/etc/file:1:3: unknown helper \"raw-text\""
            })
    void leaveTheirFollowersWhereTheyAre(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template))
                .withMessage(message);
    }

    @Test
    void workInSnippets() throws TemplateException {
        Map<String, String> snippets =
                Map.of("s", "{{{{raw}}}}{{s}}{{{{/raw}}}}\n", "t", "{{{{raw}}}}{{t}}{{{{/raw}}}}\n");

        assertThat(Profiles.render("{{> s}}\n  {{> t}}\n{{> s}}\n{{{{raw}}}}{{f}}{{{{/raw}}}}", snippets))
                .isEqualTo("{{s}}\n  {{t}}\n{{s}}\n{{f}}");
    }
}
