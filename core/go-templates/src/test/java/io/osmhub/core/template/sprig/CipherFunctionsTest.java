package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CipherFunctionsTest {
    private final Functions functions = new Functions(PasswordFunctions::addTo);

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "0123456789abcde", "0123456789abcdef", "0123456789abcdef0", "größer"})
    void decryptsWhatItEncrypted(String text) throws GoCallException {
        String sealed = functions.text("encryptAES", GoString.of("key"), GoString.of(text));

        assertThat(functions.call("decryptAES", GoString.of("key"), GoString.of(sealed)))
                .isEqualTo(GoString.of(text));
    }

    @Test
    void cutsTheKeyTo32Bytes() throws GoCallException {
        String sealed = functions.text("encryptAES", GoString.of("z".repeat(32)), GoString.of("hello"));

        assertThat(functions.text("decryptAES", GoString.of("z".repeat(40)), GoString.of(sealed)))
                .isEqualTo("hello");
    }

    @Test
    void decryptsWhatTheOriginalEncrypted() throws GoCallException {
        assertThat(functions.text(
                        "decryptAES", GoString.of("k"), GoString.of("06S2Wjcz5neWFZmiov7NPvqC0lePq216Rxw0+gNR7XI=")))
                .isEqualTo("hello");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "!!|illegal base64 data at input byte 0",
                "YWJ|illegal base64 data at input byte 0",
                "=|illegal base64 data at input byte 0",
                "YQ==YQ==|illegal base64 data at input byte 4",
                "YWJj YWJj|illegal base64 data at input byte 4",
                "YWJjY|illegal base64 data at input byte 4",
                "YWJjYQ=|illegal base64 data at input byte 7",
                "YWJjYQ==x|illegal base64 data at input byte 8",
                "YWJj|runtime error: slice bounds out of range [:16] with capacity 3",
                "YR==|runtime error: slice bounds out of range [:16] with capacity 3",
                "YWJjYWJjYWJjYWJjYWJjYQ==|runtime error: index out of range [-1]"
            })
    void refusesWhatIsNoCiphertext(String sealed, String complaint) {
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("decryptAES", GoString.of("k"), GoString.of(sealed)))
                .withMessage(complaint);
    }

    @Test
    void refusesBlocksThatAreNotWholeAndPaddingThatIsTooLong() {
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("decryptAES", GoString.of("k"), base64("a".repeat(40))))
                .withMessage("crypto/cipher: input not full blocks");
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("decryptAES", GoString.of("k"), base64("a".repeat(32))))
                .withMessage("runtime error: slice bounds out of range [:-5]");
    }

    private static GoString base64(String text) {
        return GoString.of(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
