package io.osmhub.core.golang.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoPrintTest {
    @Test
    void putsBlanksOnlyBetweenOperandsThatAreNoStrings() {
        assertThat(GoPrint.sprint(
                        ExecutionEnvironment.UNLIMITED,
                        List.of(
                                GoInt.of(1),
                                GoInt.of(2),
                                GoString.of("a"),
                                GoString.of("b"),
                                GoInt.of(3),
                                GoBool.TRUE)))
                .isEqualTo("1 2a b3 true".replace("a b", "ab"));
        assertThat(GoPrint.sprintln(ExecutionEnvironment.UNLIMITED, List.of(GoString.of("a"), GoInt.of(1))))
                .isEqualTo("a 1\n");
        assertThat(GoPrint.sprint(ExecutionEnvironment.UNLIMITED, List.of())).isEmpty();
    }

    @Test
    void marksWhatDoesNotFitAFormat() throws GoCallException {
        assertThat(sprintf("%d %d", GoString.of("hi"))).isEqualTo("%!d(string=hi) %!d(MISSING)");
        assertThat(sprintf("x", GoInt.of(1), GoNil.ANY)).isEqualTo("x%!(EXTRA int=1, <nil>)");
        assertThat(sprintf("%")).isEqualTo("%!(NOVERB)");
        assertThat(sprintf("%[3]d", GoInt.of(1))).isEqualTo("%!d(BADINDEX)");
        assertThat(sprintf("%*d", GoString.of("w"), GoInt.of(1))).isEqualTo("%!(BADWIDTH)1");
        assertThat(sprintf("%.*d", GoString.of("p"), GoInt.of(1))).isEqualTo("%!(BADPREC)1");
        assertThat(sprintf("%999999999d|", GoInt.of(1))).isEqualTo("%!(NOVERB)%!(EXTRA int=1)");
        assertThat(sprintf("%[2]*[1]d", GoInt.of(2), GoInt.of(5))).isEqualTo("    2");
    }

    @Test
    void asksMethodsAtAnyDepth() throws GoCallException {
        GoType holder = GoType.struct("main.holder", List.of(new GoType.Field("D", GoDuration.TYPE)));
        GoValue value = GoStruct.of(holder, List.of(GoDuration.of(1_000_000_000)));

        assertThat(sprint(GoSlice.of(List.of(value)))).isEqualTo("[{1s}]");
        assertThat(sprintf("%+v %d", value, value)).isEqualTo("{D:1s} {1000000000}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%U", "%p", "%#v", "%+#v", "%#+8v", "%x|%#w", "%[1]U"})
    void refusesVerbsByName(String format) {
        assertThatThrownBy(() -> sprintf(format, GoInt.of(65), GoInt.of(1)))
                .isInstanceOfSatisfying(GoCallException.class, failure -> assertThat(failure.refused())
                        .startsWith("%"));
    }

    @Test
    void refusesFloatsInBinaryAndHexadecimalAtAnyDepth() {
        assertThatThrownBy(() -> sprintf("a %6x", GoSlice.of(List.of(GoFloat.of(1.5)))))
                .isInstanceOfSatisfying(GoCallException.class, failure -> assertThat(failure.refused())
                        .isEqualTo("%x of a float64"));
    }

    @Test
    void saysNilForAMethodThatStumblesOverANilReceiver() {
        assertThat(GoPrint.sprint(ExecutionEnvironment.UNLIMITED, List.of(GoPointer.nil(GoDuration.TYPE))))
                .isEqualTo("<nil>");
    }

    @Test
    void saysWhenAMethodPanicked() throws GoCallException {
        GoType rude = GoType.named("main.rude", GoType.INT)
                .addMethod(new GoType.Method("String", GoType.function(GoType.STRING), false, (_, _) -> {
                    throw new GoCallException("no");
                }));

        assertThat(sprintf("%5v", new GoInt(rude, 1))).isEqualTo("%!v(PANIC=String method: no)");
    }

    @Test
    void displaysPointersAsWhatTheyPointTo() {
        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, GoPointer.to(GoPointer.to(GoString.of("x")))))
                .isEqualTo("x");
        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, GoPointer.nil(GoType.STRING)))
                .isEqualTo("<nil>");
        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, GoNoValue.ABSENT))
                .isEqualTo("<no value>");
        assertThat(GoPrint.sprint(ExecutionEnvironment.UNLIMITED, List.of(GoPointer.to(GoInt.of(1)))))
                .isEqualTo("0x200000000000");
    }

    @Test
    void sortsMapsByTypeAndThenByKey() {
        Map<GoValue, GoValue> entries = new HashMap<>();
        for (GoValue key :
                List.of(GoBool.TRUE, GoInt.of(10), GoInt.of(9), GoString.of("b"), GoString.of("a"), GoNil.ANY)) {
            entries.put(key, GoInt.of(0));
        }

        assertThat(GoPrint.sprint(
                        ExecutionEnvironment.UNLIMITED,
                        List.of(new GoMap(GoType.mapOf(GoType.ANY, GoType.ANY), entries))))
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

        assertThatThrownBy(() -> sprint(endless)).isInstanceOf(LimitExceededException.class);
    }

    private static String sprint(GoValue... operands) {
        return GoPrint.sprint(ExecutionEnvironment.UNLIMITED, List.of(operands));
    }

    private static String sprintf(String format, GoValue... operands) throws GoCallException {
        return GoPrint.sprintf(ExecutionEnvironment.UNLIMITED, format, List.of(operands));
    }

    private static ExecutionEnvironment environment(long bytes) {
        RenderLimits limits = new RenderLimits(bytes, 100_000, 100, Duration.ofSeconds(10));
        return new Sandbox.Factory(limits, System::nanoTime).open();
    }
}
