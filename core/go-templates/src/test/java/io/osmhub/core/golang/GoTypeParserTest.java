package io.osmhub.core.golang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoTypeParserTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "func()",
                "func() string",
                "func(int, ...interface {}) string",
                "func(map[string]interface {}, []string) map[string]interface {}",
                "func([]uint8, *float64, reflect.Value) []interface {}",
                "func(func(int, string) bool, error) interface {}"
            })
    void readsWhatGoPrints(String text) {
        assertThat(GoTypeParser.parseFunction(text)).hasToString(text);
    }

    @Test
    void leavesOutTheErrorResult() {
        assertThat(GoTypeParser.parseFunction("func(any) (string, error)"))
                .isEqualTo(GoType.func(List.of(GoType.ANY), false, GoType.STRING));
    }

    @Test
    void knowsTheNamedTypesItIsGiven() {
        GoType version = GoType.struct("semver.Version", List.of());

        assertThat(GoTypeParser.parseFunction("func(string) *semver.Version", version)
                        .elem())
                .isEqualTo(GoType.pointerTo(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "string", "func(", "func(strin) int", "func(int) string x", "func(...int, int)"})
    void refusesWhatIsNoFunctionType(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> GoTypeParser.parseFunction(text));
    }
}
