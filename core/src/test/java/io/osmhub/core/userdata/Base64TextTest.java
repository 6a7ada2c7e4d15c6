package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.userdata.CloudInitDocument.Base64Text;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class Base64TextTest {
    private final Base64Text base64 = new Base64Text();

    @Test
    void encodesTextsOfEveryLength() {
        String text = "{ ~}\n".repeat(400);

        for (int length = 0; length <= text.length(); length++) {
            assertEncoded(text.substring(0, length));
        }
    }

    @Test
    void encodesCharactersOfSeveralBytesAnywhere() {
        for (String character : new String[] {"é", "€", "😀"}) {
            for (int position = 0; position <= 12; position++) {
                for (int after = 0; after <= 4; after++) {
                    assertEncoded("a".repeat(position) + character + "b".repeat(after));
                }
            }
        }
    }

    private void assertEncoded(String text) {
        StringBuilder out = new StringBuilder();
        base64.append(out, text);
        assertThat(out).hasToString(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    }
}
