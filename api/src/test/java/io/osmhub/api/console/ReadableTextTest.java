package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.console.ReadableText.LineKind;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReadableTextTest {
    private static String base64(String content) {
        return Base64.getEncoder().encodeToString(content.getBytes(UTF_8));
    }

    @Test
    void eachFileOfACloudConfigHasAHeadingAndItsDecodedText() {
        String document = "#cloud-config\n\nssh_pwauth: false\nwrite_files:\n"
                + "- path: '/opt/bin/x'\n  permissions: '0755'\n  encoding: 'b64'\n  content: |-\n    "
                + base64("#!/bin/bash\n- path: spoofed\n") + "\n\n"
                + "- path: '/etc/osm/access'\n  permissions: '0600'\n  content: |-\n    token=<redacted:fetch-token>\n\n"
                + "    last\n\nruncmd:\n- echo x\n";

        assertThat(ReadableText.plainLines(document))
                .containsExactly(
                        "#cloud-config",
                        "",
                        "ssh_pwauth: false",
                        "write_files:",
                        "/opt/bin/x 0755, 28 bytes, decoded from base64",
                        "  #!/bin/bash",
                        "  - path: spoofed",
                        "/etc/osm/access 0600",
                        "  token=<redacted:fetch-token>",
                        "  ",
                        "  last",
                        "runcmd:",
                        "- echo x");
        assertThat(ReadableText.lines(document))
                .filteredOn(line -> line.kind() == LineKind.FILE)
                .extracting(ReadableText.Line::text)
                .containsExactly("/opt/bin/x", "/etc/osm/access");
    }

    @Test
    void eachFileAndUnitOfIgnitionHasAHeadingAndItsDecodedText() {
        String document = "{\"ignition\":{\"version\":\"2.3.0\"},\"storage\":{\"files\":["
                + "{\"path\":\"/a\",\"contents\":{\"source\":\"data:,x%20%2B+%C3%BC%0Ay\"},\"mode\":493},"
                + "{\"path\":\"/b\",\"contents\":{\"source\":\"data:;base64,eHl6\"},\"mode\":384}]},"
                + "\"systemd\":{\"units\":[{\"contents\":\"[Unit]\\nA=b\",\"name\":\"x.service\","
                + "\"dropins\":[{\"name\":\"10.conf\",\"contents\":\"[Service]\"}]}]}}";

        assertThat(ReadableText.plainLines(document))
                .startsWith(
                        "/a 0755, 8 bytes",
                        "  x ++ü",
                        "  y",
                        "/b 0600, 3 bytes",
                        "  xyz",
                        "x.service systemd unit, 10 bytes",
                        "  [Unit]",
                        "  A=b",
                        "x.service.d/10.conf systemd unit, 9 bytes",
                        "  [Service]",
                        "the rest of the document",
                        "{")
                .anyMatch(line -> line.contains("\"version\" : \"2.3.0\""))
                .noneMatch(line -> line.contains("data:,"));
    }

    @Test
    void contentThatIsNotTextStaysEncoded() {
        String binary =
                "#cloud-config\nwrite_files:\n- path: /x\n  permissions: '0600'\n  encoding: b64\n  content: //79/P/+/fz//v38\n";

        assertThat(ReadableText.plainLines(binary))
                .contains("  //79/P/+/fz//v38")
                .anyMatch(line -> line.endsWith("base64, not text"));
    }

    @Test
    void otherDocumentsAndUnreadableOnesAreShownAsTheyAre() {
        for (String document : List.of(
                "apiVersion: v1\nkind: Config\nwrite_files:\n- path: /x",
                "#cloud-config\nwrite_files:\n- path: 'x\n  content: [",
                "{\"ignition\": {")) {
            assertThat(ReadableText.plainLines(document))
                    .containsExactlyElementsOf(document.lines().toList());
        }
    }
}
