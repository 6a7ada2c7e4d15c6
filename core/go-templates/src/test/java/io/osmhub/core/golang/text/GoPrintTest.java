package io.osmhub.core.golang.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.time.GoTimeTypes;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.corpus.CorpusValues;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class GoPrintTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void putsBlanksOnlyBetweenOperandsThatAreNoStrings() {
        assertThat(GoPrint.sprint(List.of(
                        GoInt.of(1), GoInt.of(2), GoString.of("a"), GoString.of("b"), GoInt.of(3), GoBool.TRUE)))
                .isEqualTo("1 2a b3 true".replace("a b", "ab"));
        assertThat(GoPrint.sprintln(List.of(GoString.of("a"), GoInt.of(1)))).isEqualTo("a 1\n");
        assertThat(GoPrint.sprint(List.of())).isEmpty();
    }

    @Test
    void marksWhatDoesNotFitAFormat() {
        assertThat(GoPrint.sprintf("%d %d", List.of(GoString.of("hi")))).isEqualTo("%!d(string=hi) %!d(MISSING)");
        assertThat(GoPrint.sprintf("x", List.of(GoInt.of(1), GoNil.ANY))).isEqualTo("x%!(EXTRA int=1, <nil>)");
        assertThat(GoPrint.sprintf("%", List.of())).isEqualTo("%!(NOVERB)");
        assertThat(GoPrint.sprintf("%[3]d", List.of(GoInt.of(1)))).isEqualTo("%!d(BADINDEX)");
        assertThat(GoPrint.sprintf("%*d", List.of(GoString.of("w"), GoInt.of(1))))
                .isEqualTo("%!(BADWIDTH)1");
        assertThat(GoPrint.sprintf("%.*d", List.of(GoString.of("p"), GoInt.of(1))))
                .isEqualTo("%!(BADPREC)1");
        assertThat(GoPrint.sprintf("%999999999d|", List.of(GoInt.of(1)))).isEqualTo("%!(NOVERB)%!(EXTRA int=1)");
        assertThat(GoPrint.sprintf("%[2]*[1]d", List.of(GoInt.of(2), GoInt.of(5))))
                .isEqualTo("    2");
    }

    @Test
    void asksMethodsAtAnyDepthButNotInFieldsThatAreNotExported() {
        GoType secret = GoType.struct("main.secret", List.of(new GoType.Field("d", GoTimeTypes.DURATION)));
        GoType open = GoType.struct("main.open", List.of(new GoType.Field("D", GoTimeTypes.DURATION)));
        GoValue second = GoTimeTypes.duration(1_000_000_000);

        assertThat(GoPrint.sprint(List.of(GoSlice.of(List.of(GoStruct.of(open, List.of(second)))))))
                .isEqualTo("[{1s}]");
        assertThat(GoPrint.sprint(List.of(GoStruct.of(secret, List.of(second)))))
                .isEqualTo("{1000000000}");
        assertThat(GoPrint.sprintf(
                        "%+v %#v", List.of(GoStruct.of(open, List.of(second)), GoStruct.of(open, List.of(second)))))
                .isEqualTo("{D:1s} main.open{D:1000000000}");
    }

    @Test
    void saysNilForAMethodThatStumblesOverANilReceiver() {
        assertThat(GoPrint.sprint(List.of(GoPointer.nil(GoTimeTypes.DURATION)))).isEqualTo("<nil>");
    }

    @Test
    void saysWhenAMethodPanicked() {
        GoType rude = GoType.named("main.rude", GoType.INT)
                .addMethod(new GoType.Method("String", GoType.function(GoType.STRING), false, (_, _) -> {
                    throw new GoCallException("no");
                }));

        assertThat(GoPrint.sprintf("%5v", List.of(new GoInt(rude, 1)))).isEqualTo("%!v(PANIC=String method: no)");
    }

    @Test
    void displaysPointersAsWhatTheyPointTo() {
        assertThat(GoPrint.display(GoPointer.to(GoPointer.to(GoString.of("x")))))
                .isEqualTo("x");
        assertThat(GoPrint.display(GoPointer.nil(GoType.STRING))).isEqualTo("<nil>");
        assertThat(GoPrint.display(GoNoValue.ABSENT)).isEqualTo("<no value>");
        assertThat(GoPrint.sprint(List.of(GoPointer.to(GoInt.of(1))))).isEqualTo("0x200000000000");
    }

    @Test
    void sortsMapsByTypeAndThenByKey() {
        Map<GoValue, GoValue> entries = new HashMap<>();
        for (GoValue key :
                List.of(GoBool.TRUE, GoInt.of(10), GoInt.of(9), GoString.of("b"), GoString.of("a"), GoNil.ANY)) {
            entries.put(key, GoInt.of(0));
        }

        assertThat(GoPrint.sprint(List.of(new GoMap(GoType.mapOf(GoType.ANY, GoType.ANY), entries))))
                .isEqualTo("map[<nil>:0 a:0 b:0 9:0 10:0 true:0]");
    }

    @Test
    void chargesAWidthBeforeItIsMade() {
        ExecutionEnvironment environment = environment(1 << 16);

        assertThatThrownBy(() -> GoPrint.sprintf(environment, "%9999999d", List.of(GoInt.of(1))))
                .isInstanceOf(LimitExceededException.class);
        assertThatThrownBy(() -> GoPrint.sprintf(environment(1 << 16), "%.999999f", List.of(GoFloat.of(1.5))))
                .isInstanceOf(LimitExceededException.class);
    }

    @Test
    void givesUpOnAValueThatContainsItself() {
        List<GoValue> items = new ArrayList<>();
        GoSlice endless = GoSlice.of(items);
        items.add(endless);

        assertThatThrownBy(() -> GoPrint.sprint(List.of(endless))).isInstanceOf(LimitExceededException.class);
    }

    private static ExecutionEnvironment environment(long bytes) {
        RenderLimits limits = new RenderLimits(bytes, 100_000, 100, Duration.ofSeconds(10));
        return new Sandbox.Factory(limits, System::nanoTime).open();
    }

    /** Random formats over random values; the wanted texts were computed by Go 1.26. */
    @TestFactory
    List<DynamicTest> printsRandomFormatsAsGo() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (InputStream file = GoPrintTest.class.getResourceAsStream("/corpus/gotemplate/printf-random.jsonl")) {
            String lines = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
            for (String line : lines.lines().toList()) {
                JsonNode test = JSON.readTree(line);
                tests.add(DynamicTest.dynamicTest(
                        test.get("id").asText(), () -> assertThat(printed(test)).isEqualTo(wanted(test))));
            }
        }
        return tests;
    }

    private static String printed(JsonNode test) {
        String template = test.get("template").asText();
        JsonNode data = test.get("data");
        List<GoValue> operands = new ArrayList<>();
        data.get("a").forEach(operand -> operands.add(CorpusValues.standard().decode(operand)));
        GoString format = GoString.of(data.get("f").asText());
        if (template.startsWith("{{ printf ")) {
            return GoPrint.sprintf(format.bytes(), operands);
        }
        return template.startsWith("{{ println ") ? GoPrint.sprintln(operands) : GoPrint.sprint(operands);
    }

    private static String wanted(JsonNode test) {
        JsonNode encoded = test.get("want_b64");
        return encoded == null
                ? GoString.bytes(test.get("want").asText())
                : new String(Base64.getDecoder().decode(encoded.asText()), ISO_8859_1);
    }
}
