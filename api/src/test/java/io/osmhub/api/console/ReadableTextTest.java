package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

final class ReadableTextTest {
    private static String document(String content) {
        return "write_files:\n- path: '/x'\n  encoding: 'b64'\n  content: |-\n    "
                + Base64.getEncoder().encodeToString(content.getBytes(UTF_8)) + "\nruncmd: []\n";
    }

    @Test
    void decodesAFileInItsPlaceAndSaysSo() {
        assertThat(ReadableText.lines(document("#!/bin/bash\ntoken=<redacted:fetch-token>\n")))
                .extracting(ReadableText.Line::text)
                .containsExactly(
                        "write_files:",
                        "- path: '/x'",
                        "  encoding: 'b64'",
                        "  content: |-",
                        "    decoded from base64",
                        "    #!/bin/bash",
                        "    token=<redacted:fetch-token>",
                        "runcmd: []");
    }

    @Test
    void leavesWhatIsNotSaidToBeEncodedOrIsNoText() {
        String certificate = "content: |-\n  TUlJQk96Q0I0NkFEQWdFQ0FnaHg=\n";
        String binary = "encoding: b64\ncontent: |-\n  //79/P/+/fz//v38\n";

        assertThat(ReadableText.lines(certificate))
                .extracting(ReadableText.Line::note)
                .containsOnly(false);
        assertThat(ReadableText.lines(binary))
                .extracting(ReadableText.Line::note)
                .containsOnly(false);
    }
}
