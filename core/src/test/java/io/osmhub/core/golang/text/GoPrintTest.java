package io.osmhub.core.golang.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.corpus.CorpusValues;
import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.time.TimeTypes;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class GoPrintTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void putsBlanksOnlyBetweenOperandsThatAreNoStrings() {
        assertThat(GoPrint.sprint(List.of(Int.of(1), Int.of(2), Str.of("a"), Str.of("b"), Int.of(3), Bool.TRUE)))
                .isEqualTo("1 2a b3 true".replace("a b", "ab"));
        assertThat(GoPrint.sprintln(List.of(Str.of("a"), Int.of(1)))).isEqualTo("a 1\n");
        assertThat(GoPrint.sprint(List.of())).isEmpty();
    }

    @Test
    void marksWhatDoesNotFitAFormat() {
        assertThat(GoPrint.sprintf("%d %d", List.of(Str.of("hi")))).isEqualTo("%!d(string=hi) %!d(MISSING)");
        assertThat(GoPrint.sprintf("x", List.of(Int.of(1), Nil.ANY))).isEqualTo("x%!(EXTRA int=1, <nil>)");
        assertThat(GoPrint.sprintf("%", List.of())).isEqualTo("%!(NOVERB)");
        assertThat(GoPrint.sprintf("%[3]d", List.of(Int.of(1)))).isEqualTo("%!d(BADINDEX)");
        assertThat(GoPrint.sprintf("%*d", List.of(Str.of("w"), Int.of(1)))).isEqualTo("%!(BADWIDTH)1");
        assertThat(GoPrint.sprintf("%.*d", List.of(Str.of("p"), Int.of(1)))).isEqualTo("%!(BADPREC)1");
        assertThat(GoPrint.sprintf("%999999999d|", List.of(Int.of(1)))).isEqualTo("%!(NOVERB)%!(EXTRA int=1)");
        assertThat(GoPrint.sprintf("%[2]*[1]d", List.of(Int.of(2), Int.of(5)))).isEqualTo("    2");
    }

    @Test
    void asksMethodsAtAnyDepthButNotInFieldsThatAreNotExported() {
        Type secret = Type.struct("main.secret", List.of(new Type.Field("d", TimeTypes.DURATION)));
        Type open = Type.struct("main.open", List.of(new Type.Field("D", TimeTypes.DURATION)));
        Value second = TimeTypes.duration(1_000_000_000);

        assertThat(GoPrint.sprint(List.of(Slice.of(List.of(Struct.of(open, List.of(second)))))))
                .isEqualTo("[{1s}]");
        assertThat(GoPrint.sprint(List.of(Struct.of(secret, List.of(second))))).isEqualTo("{1000000000}");
        assertThat(GoPrint.sprintf(
                        "%+v %#v", List.of(Struct.of(open, List.of(second)), Struct.of(open, List.of(second)))))
                .isEqualTo("{D:1s} main.open{D:1000000000}");
    }

    @Test
    void saysNilForAMethodThatStumblesOverANilReceiver() {
        assertThat(GoPrint.sprint(List.of(Pointer.nil(TimeTypes.DURATION)))).isEqualTo("<nil>");
    }

    @Test
    void saysWhenAMethodPanicked() {
        Type rude = Type.named("main.rude", Type.INT)
                .with(new Type.Method("String", Signatures.func("func() string"), false, (_, _) -> {
                    throw new CallFailure("no");
                }));

        assertThat(GoPrint.sprintf("%5v", List.of(new Int(rude, 1)))).isEqualTo("%!v(PANIC=String method: no)");
    }

    @Test
    void displaysPointersAsWhatTheyPointTo() {
        assertThat(GoPrint.display(Pointer.to(Pointer.to(Str.of("x"))))).isEqualTo("x");
        assertThat(GoPrint.display(Pointer.nil(Type.STRING))).isEqualTo("<nil>");
        assertThat(GoPrint.display(Absent.ABSENT)).isEqualTo("<no value>");
        assertThat(GoPrint.sprint(List.of(Pointer.to(Int.of(1))))).isEqualTo("0x200000000000");
    }

    @Test
    void sortsMapsByTypeAndThenByKey() {
        Map<Value, Value> entries = new HashMap<>();
        for (Value key : List.of(Bool.TRUE, Int.of(10), Int.of(9), Str.of("b"), Str.of("a"), Nil.ANY)) {
            entries.put(key, Int.of(0));
        }

        assertThat(GoPrint.sprint(List.of(new MapValue(Type.mapOf(Type.ANY, Type.ANY), entries))))
                .isEqualTo("map[<nil>:0 a:0 b:0 9:0 10:0 true:0]");
    }

    @Test
    void chargesAWidthBeforeItIsMade() {
        Environment environment = environment(1 << 16);

        assertThatThrownBy(() -> GoPrint.sprintf(environment, "%9999999d", List.of(Int.of(1))))
                .isInstanceOf(LimitExceeded.class);
        assertThatThrownBy(() -> GoPrint.sprintf(environment(1 << 16), "%.999999f", List.of(Flt.of(1.5))))
                .isInstanceOf(LimitExceeded.class);
    }

    @Test
    void givesUpOnAValueThatContainsItself() {
        List<Value> items = new ArrayList<>();
        Slice endless = Slice.of(items);
        items.add(endless);

        assertThatThrownBy(() -> GoPrint.sprint(List.of(endless))).isInstanceOf(LimitExceeded.class);
    }

    private static Environment environment(long bytes) {
        Limits limits = new Limits(bytes, 100_000, 100, Duration.ofSeconds(10));
        return new Sandbox.Factory(
                        limits, InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC, new Random(1), System::nanoTime)
                .open();
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
        List<Value> operands = new ArrayList<>();
        data.get("a").forEach(operand -> operands.add(CorpusValues.standard().decode(operand)));
        Str format = Str.of(data.get("f").asText());
        if (template.startsWith("{{ printf ")) {
            return GoPrint.sprintf(format.bytes(), operands);
        }
        return template.startsWith("{{ println ") ? GoPrint.sprintln(operands) : GoPrint.sprint(operands);
    }

    private static String wanted(JsonNode test) {
        JsonNode encoded = test.get("want_b64");
        return encoded == null
                ? Str.bytes(test.get("want").asText())
                : new String(Base64.getDecoder().decode(encoded.asText()), ISO_8859_1);
    }
}
