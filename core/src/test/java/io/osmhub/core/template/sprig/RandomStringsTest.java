package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.LimitExceeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomStringsTest {
    private final Functions functions = new Functions(RandomStrings::addTo);

    @ParameterizedTest
    @CsvSource({"randAlpha,[A-Za-z]*,52", "randNumeric,[0-9]*,10", "randAlphaNum,[A-Za-z0-9]*,62", "randAscii,[ -~]*,95"
    })
    void drawFromTheWholeAlphabetAndNothingElse(String name, String shape, int letters) throws CallFailure {
        String text = functions.text(name, Int.of(10_000));

        assertThat(text).hasSize(10_000).matches(shape);
        assertThat(text.chars().distinct()).hasSize(letters);
        assertThat(functions.text(name, Int.of(-1))).isEmpty();
    }

    @Test
    void bytesComeAsBase64() throws CallFailure {
        assertThat(functions.text("randBytes", Int.of(5))).hasSize(8);
        assertThat(functions.text("randBytes", Int.of(0))).isEmpty();
        assertThatExceptionOfType(CallFailure.class)
                .isThrownBy(() -> functions.call("randBytes", Int.of(-1)))
                .withMessage("runtime error: makeslice: len out of range");
    }

    @Test
    void makesUuidsOfVersionFour() throws CallFailure {
        for (int i = 0; i < 100; i++) {
            assertThat(functions.text("uuidv4"))
                    .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        }
    }

    @Test
    void nothingHugeIsBegun() {
        assertThatExceptionOfType(LimitExceeded.class)
                .isThrownBy(() -> functions.call("randBytes", Int.of(Long.MAX_VALUE)));
        assertThatExceptionOfType(LimitExceeded.class)
                .isThrownBy(() -> functions.call("randAlpha", Int.of(Long.MAX_VALUE)));
    }
}
