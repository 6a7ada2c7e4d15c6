package io.osmhub.core.golang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignaturesTest {
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
        assertThat(Signatures.func(text)).hasToString(text);
    }

    @Test
    void leavesOutTheErrorResult() {
        assertThat(Signatures.func("func(any) (string, error)"))
                .isEqualTo(Type.func(List.of(Type.ANY), false, Type.STRING));
    }

    @Test
    void knowsTheNamedTypesItIsGiven() {
        Type version = Type.struct("semver.Version", List.of());

        assertThat(Signatures.func("func(string) *semver.Version", version).elem())
                .isEqualTo(Type.pointerTo(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "string", "func(", "func(strin) int", "func(int) string x", "func(...int, int)"})
    void refusesWhatIsNoFunctionType(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Signatures.func(text));
    }
}
