package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.preview.RenderOperation.PlaceholderCounter;
import java.net.URLEncoder;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class PlaceholderCounterTest {
    private static final String SCRIPT = "token=<redacted:fetch-token>\nproxy=<redacted:proxy-url>\n";

    @Test
    void countsThemInPlainText() {
        assertThat(PlaceholderCounter.count("#cloud-config\n" + SCRIPT)).isEqualTo(2);
        assertThat(PlaceholderCounter.count("nothing")).isZero();
    }

    @Test
    void countsThemInBase64() {
        String encoded = Base64.getEncoder().encodeToString(SCRIPT.getBytes(UTF_8));

        assertThat(PlaceholderCounter.count("write_files:\n- encoding: b64\n  content: |\n    " + encoded + "\n"))
                .isEqualTo(2);
    }

    @Test
    void countsThemInTheEscapesOfAUrl() {
        assertThat(PlaceholderCounter.count("{\"source\":\"data:," + URLEncoder.encode(SCRIPT, UTF_8) + "\"}"))
                .isEqualTo(2);
    }

    @Test
    void aLongWordThatIsNoBase64IsNoMistake() {
        assertThat(PlaceholderCounter.count("a".repeat(17) + " " + "===" + "b".repeat(21)))
                .isZero();
    }
}
