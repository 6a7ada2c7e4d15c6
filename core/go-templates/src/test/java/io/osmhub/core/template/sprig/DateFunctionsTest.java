package io.osmhub.core.template.sprig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.go.GoTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DateFunctionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final FunctionTable FUNCTIONS = functions();

    private static FunctionTable functions() {
        FunctionTable.Builder functions = FunctionTable.withBuiltins();
        DateFunctions.addTo(functions::add);
        return functions.build();
    }

    private static String run(String template, String data, ZoneId zone) throws IOException {
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.6Z"));
        Sandbox.Factory sandboxes =
                new Sandbox.Factory(RenderLimits.DEFAULT, clock, zone, new Random(1), System::nanoTime);
        try {
            return GoTemplate.parse("t", GoString.bytes(template), FUNCTIONS)
                    .execute(CorpusValues.standard().decode(JSON.readTree(data)), sandboxes.open());
        } catch (TemplateException failure) {
            return "error: " + failure.getMessage();
        }
    }

    private static String run(String template) throws IOException {
        return run(template, "null", ZoneOffset.UTC);
    }

    @Test
    void takesNowFromTheEnvironment() throws IOException {
        assertThat(run("{{ now }}")).isEqualTo("2026-01-02 03:04:05.6 +0000 UTC");
        assertThat(run("{{ now | date \"15:04 MST\" }}", "null", ZoneId.of("Asia/Tokyo")))
                .isEqualTo("12:04 JST");
        assertThat(run("{{ date \"2006-01-02\" \"no date\" }}")).isEqualTo("2026-01-02");
        assertThat(run("{{ htmlDateInZone now \"Pacific/Kiritimati\" }}")).isEqualTo("2026-01-02");
    }

    @Test
    void tellsHowLongAgo() throws IOException {
        String hourBefore = "{\"$time\": \"2026-01-02T02:04:05Z\"}";

        assertThat(run("{{ ago . }}", hourBefore, ZoneOffset.UTC)).isEqualTo("1h0m1s");
        assertThat(run("{{ durationRound . }}", hourBefore, ZoneOffset.UTC)).isEqualTo("1h");
        assertThat(run("{{ ago \"text\" }}")).isEqualTo("0s");
    }

    @Test
    void forgivesOrRefusesByName() throws IOException {
        assertThat(run("{{ toDate \"2006\" \"x\" }}")).isEqualTo("0001-01-01 00:00:00 +0000 UTC");
        assertThat(run("{{ mustToDate \"2006\" \"x\" }}")).endsWith("cannot parse \"x\" as \"2006\"");
        assertThat(run("{{ now | dateModify \"x\" | unixEpoch }}")).isEqualTo("1767323045");
        assertThat(run("{{ now | mustDateModify \"x\" }}")).endsWith("time: invalid duration \"x\"");
    }

    /** Random calls over random values; outputs and messages were computed by Go 1.26 with sprig v3.3.0. */
    @TestFactory
    List<DynamicTest> answersRandomCallsAsSprig() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (InputStream file = DateFunctionsTest.class.getResourceAsStream("/corpus/gotemplate/dates-random.jsonl")) {
            String lines = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
            for (String line : lines.lines().toList()) {
                JsonNode test = JSON.readTree(line);
                String wanted = test.has("error")
                        ? "error: " + test.get("error").get("text").asText()
                        : GoString.bytes(test.get("want").asText());
                tests.add(DynamicTest.dynamicTest(test.get("id").asText(), () -> {
                    assertThat(run(
                                    test.get("template").asText(),
                                    test.get("data").toString(),
                                    ZoneOffset.UTC))
                            .isEqualTo(wanted);
                }));
            }
        }
        return tests;
    }
}
