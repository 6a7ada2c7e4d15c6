package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoString;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordFunctionsTest {
    private final Functions functions = new Functions(PasswordFunctions::addTo);

    private String derived(long counter, String kind, String password, String user, String site)
            throws GoCallException {
        return functions.text(
                "derivePassword",
                new GoInt(GoType.UINT32, counter),
                GoString.of(kind),
                GoString.of(password),
                GoString.of(user),
                GoString.of(site));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "1 maximum UKwLPdrKVQBmRaPug62,",
                "1 long DofoMizi8/Nuph",
                "1 medium DofXom8^",
                "1 short Dof8",
                "1 basic UT28nPc7",
                "1 pin 2328"
            })
    void derivesThePasswordsOfThePublishedAlgorithm(long counter, String kind, String expected) throws GoCallException {
        assertThat(derived(counter, kind, "pw0", "u", "s.example")).isEqualTo(expected);
    }

    @Test
    void derivesFromTheBytesOfNamesThatAreNotAscii() throws GoCallException {
        assertThat(derived(1, "long", "pässwörd", "üser", "sité")).isEqualTo("NivhXarl4@Nira");
    }

    @Test
    void countsUpToTheLargestUnsignedNumber() throws GoCallException {
        assertThat(derived(4294967295L, "long", "p", "u", "s")).isEqualTo("TevwJixhQoko8:");
    }

    @Test
    void namesAnUnknownKindInsteadOfFailing() throws GoCallException {
        assertThat(derived(1, "Long", "p", "u", "s")).isEqualTo("cannot find password template Long");
    }

    @Test
    void hashesWithBcryptAsGoNamesIt() throws GoCallException {
        String hash = functions.text("bcrypt", GoString.of("secret ä"));

        assertThat(hash).startsWith("$2a$10$").hasSize(60);
        assertThat(OpenBSDBCrypt.checkPassword(hash, "secret ä".toCharArray())).isTrue();
    }

    @Test
    void writesALineOfAPasswordFile() throws GoCallException {
        assertThat(functions.text("htpasswd", GoString.of("ä"), GoString.of("x")))
                .startsWith("Ã¤:$2a$10$");
        assertThat(functions.text("htpasswd", GoString.of("a:b"), GoString.of("x")))
                .isEqualTo("invalid username: a:b");
        assertThat(functions.text("htpasswd", GoString.of("a"), GoString.of("x".repeat(73))))
                .isEqualTo("a:failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes");
    }

    @Test
    void aLoopOfExpensiveFunctionsEndsAtTheLimit() {
        assertThatExceptionOfType(LimitExceededException.class).isThrownBy(() -> {
            for (int i = 0; i < 100; i++) {
                functions.call("bcrypt", GoString.of("x"));
            }
        });
    }
}
