package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomStringFunctionsTest {
    private final Functions functions = new Functions(PasswordFunctions::addTo);

    @ParameterizedTest
    @CsvSource({"randAlpha,[A-Za-z]*,52", "randNumeric,[0-9]*,10", "randAlphaNum,[A-Za-z0-9]*,62", "randAscii,[ -~]*,95"
    })
    void drawFromTheWholeAlphabetAndNothingElse(String name, String shape, int letters) throws GoCallException {
        String text = functions.text(name, GoInt.of(10_000));

        assertThat(text).hasSize(10_000).matches(shape);
        assertThat(text.chars().distinct()).hasSize(letters);
        assertThat(functions.text(name, GoInt.of(-1))).isEmpty();
    }

    @Test
    void bytesComeAsBase64() throws GoCallException {
        assertThat(functions.text("randBytes", GoInt.of(5))).hasSize(8);
        assertThat(functions.text("randBytes", GoInt.of(0))).isEmpty();
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("randBytes", GoInt.of(-1)))
                .withMessage("runtime error: makeslice: len out of range");
    }

    @Test
    void makesUuidsOfVersionFour() throws GoCallException {
        for (int i = 0; i < 100; i++) {
            assertThat(functions.text("uuidv4"))
                    .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        }
    }

    @Test
    void nothingHugeIsBegun() {
        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> functions.call("randBytes", GoInt.of(Long.MAX_VALUE)));
        assertThatExceptionOfType(LimitExceededException.class)
                .isThrownBy(() -> functions.call("randAlpha", GoInt.of(Long.MAX_VALUE)));
    }
}
