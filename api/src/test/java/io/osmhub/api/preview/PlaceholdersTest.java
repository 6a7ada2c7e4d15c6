package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {
    private static final String SCRIPT = "token=<redacted:fetch-token>\nproxy=<redacted:proxy-url>\n";

    @Test
    void countsThemInPlainText() {
        assertThat(Placeholders.in("#cloud-config\n" + SCRIPT)).isEqualTo(2);
        assertThat(Placeholders.in("nothing")).isZero();
    }

    @Test
    void countsThemInBase64() {
        String encoded = Base64.getEncoder().encodeToString(SCRIPT.getBytes(UTF_8));

        assertThat(Placeholders.in("write_files:\n- encoding: b64\n  content: |\n    " + encoded + "\n"))
                .isEqualTo(2);
    }

    @Test
    void countsThemInTheEscapesOfAUrl() {
        assertThat(Placeholders.in("{\"source\":\"data:," + URLEncoder.encode(SCRIPT, UTF_8) + "\"}"))
                .isEqualTo(2);
    }

    @Test
    void aLongWordThatIsNoBase64IsNoMistake() {
        assertThat(Placeholders.in("a".repeat(17) + " " + "===" + "b".repeat(21)))
                .isZero();
    }
}
