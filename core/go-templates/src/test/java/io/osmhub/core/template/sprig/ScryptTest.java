package io.osmhub.core.template.sprig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.template.sprig.PasswordFunctions.Scrypt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bouncycastle.crypto.generators.SCrypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScryptTest {
    @ParameterizedTest
    @CsvSource({
        "'',''",
        "password,NaCl",
        "'a long password, longer than one block of the hash: 0123456789 0123456789',salt"
    })
    void derivesWhatBouncyCastleDerives(String password, String salt) {
        assertThat(Scrypt.derive(password.getBytes(UTF_8), salt.getBytes(UTF_8)))
                .isEqualTo(expected(password, salt));
    }

    @Test
    void derivationsAtTheSameTimeDoNotDisturbEachOther() {
        List<CompletableFuture<byte[]>> derived = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            byte[] password = ("password " + i).getBytes(UTF_8);
            derived.add(CompletableFuture.supplyAsync(() -> Scrypt.derive(password, new byte[4])));
        }

        for (int i = 0; i < derived.size(); i++) {
            assertThat(derived.get(i).join()).isEqualTo(expected("password " + i, "\0\0\0\0"));
        }
    }

    private static byte[] expected(String password, String salt) {
        return SCrypt.generate(password.getBytes(UTF_8), salt.getBytes(UTF_8), 32_768, 8, 2, 64);
    }
}
