package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.sprig.Dates;
import io.osmhub.core.template.sprig.Sprig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GoTemplateCorpusTest {
    /** These belong to the rendering of profiles: its own functions, its data, and a process environment, which it has not. */
    private static final Pattern OF_PROFILES = Pattern.compile(
            "\\b(toYaml|fromYaml|fromYamlArray|toToml|fromToml|fromJson|fromJsonArray)\\b|\"\\$filesData\"|\"env\":");

    @Test
    void givesGosOutputsAndMessages() {
        List<String> lines = cases().stream()
                .filter(line -> !OF_PROFILES.matcher(line).find())
                .toList();

        CorpusReport report =
                new GoTemplateCorpus(_ -> functions(), CorpusValues.standard(), GoTemplateCorpus.Errors.BY_TEXT).run(lines);

        assertThat(report.differences()).isEmpty();
        assertThat(report.compared()).isGreaterThan(2_000);
    }

    private static FunctionTable functions() {
        FunctionTable.Builder functions = FunctionTable.withBuiltins();
        Sprig.addTo(functions::add);
        Dates.addTo(functions::add);
        return functions.build();
    }

    private static List<String> cases() {
        try (InputStream file = GoTemplateCorpusTest.class.getResourceAsStream("/corpus/gotemplate/cases.jsonl")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8).lines().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
