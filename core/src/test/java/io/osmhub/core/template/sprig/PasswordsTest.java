package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordsTest {
    private final Functions functions = new Functions(Passwords::addTo);

    private String derived(long counter, String kind, String password, String user, String site) throws CallFailure {
        return functions.text(
                "derivePassword",
                new Int(Type.UINT32, counter),
                Str.of(kind),
                Str.of(password),
                Str.of(user),
                Str.of(site));
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
    void derivesThePasswordsOfThePublishedAlgorithm(long counter, String kind, String expected) throws CallFailure {
        assertThat(derived(counter, kind, "pw0", "u", "s.example")).isEqualTo(expected);
    }

    @Test
    void derivesFromTheBytesOfNamesThatAreNotAscii() throws CallFailure {
        assertThat(derived(1, "long", "pässwörd", "üser", "sité")).isEqualTo("NivhXarl4@Nira");
    }

    @Test
    void countsUpToTheLargestUnsignedNumber() throws CallFailure {
        assertThat(derived(4294967295L, "long", "p", "u", "s")).isEqualTo("TevwJixhQoko8:");
    }

    @Test
    void namesAnUnknownKindInsteadOfFailing() throws CallFailure {
        assertThat(derived(1, "Long", "p", "u", "s")).isEqualTo("cannot find password template Long");
    }

    @Test
    void hashesWithBcryptAsGoNamesIt() throws CallFailure {
        String hash = functions.text("bcrypt", Str.of("secret ä"));

        assertThat(hash).startsWith("$2a$10$").hasSize(60);
        assertThat(OpenBSDBCrypt.checkPassword(hash, "secret ä".toCharArray())).isTrue();
    }

    @Test
    void writesALineOfAPasswordFile() throws CallFailure {
        assertThat(functions.text("htpasswd", Str.of("ä"), Str.of("x"))).startsWith("Ã¤:$2a$10$");
        assertThat(functions.text("htpasswd", Str.of("a:b"), Str.of("x"))).isEqualTo("invalid username: a:b");
        assertThat(functions.text("htpasswd", Str.of("a"), Str.of("x".repeat(73))))
                .isEqualTo("a:failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes");
    }

    @Test
    void aLoopOfExpensiveFunctionsEndsAtTheLimit() {
        assertThatExceptionOfType(LimitExceeded.class).isThrownBy(() -> {
            for (int i = 0; i < 100; i++) {
                functions.call("bcrypt", Str.of("x"));
            }
        });
    }
}
