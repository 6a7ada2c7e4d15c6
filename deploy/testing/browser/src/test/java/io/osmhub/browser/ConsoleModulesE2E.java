package io.osmhub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.browser.devtools.BrowserTab;
import io.osmhub.browser.devtools.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of the console's modules, in a browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleModulesE2E {
    private Chromium chromium;
    private BrowserFleet fleet;
    private BrowserTab tab;

    @BeforeAll
    void start() throws Exception {
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), "no Chromium: install the package chromium, or set OSMHUB_CHROMIUM");
        fleet = new BrowserFleet();
        chromium = Chromium.start(program.orElseThrow());
        tab = chromium.open();
        tab.navigate(fleet.at("/signin")).fill("#token", fleet.adminToken()).click("button[type=submit]");
        tab.awaitCondition("location.pathname === '/'").awaitLoaded();
    }

    @AfterAll
    void end() throws Exception {
        if (chromium != null) {
            chromium.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }

    /** Result of an expression over the exports of a module, which are in scope as {@code m}. */
    private JsonNode call(String module, String expression) {
        return tab.evaluate("import(new URL('" + module + "', document.querySelector('script[type=module]').src))"
                + ".then((m) => " + expression + ")");
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("'");
        text.chars().forEach(unit -> quoted.append(String.format(Locale.ROOT, "\\u%04x", unit)));
        return quoted.append('\'').toString();
    }

    private String flat(String name) {
        return call("text.js", "m.flat(" + quoted(name) + ", m.NAME)").asText();
    }

    // --- untrusted text

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x0000, 0x0007, 0x001B, 0x007F, 0x0085, 0x009B, 0x00A0, 0x00AD, 0x034F, 0x061C, 0x200B, 0x200D, 0x200E,
                0x2028, 0x2029, 0x202E, 0x2060, 0x2066, 0x2069, 0x2800, 0x3000, 0x3164, 0xE000, 0xFE0F, 0xFEFF, 0xFFF9,
                0xE0041, 0xE0100, 0xF0000
            })
    void charactersThatActAreShownAsCodePoints(int acting) {
        assertThat(flat("a" + Character.toString(acting) + "b"))
                .isEqualTo("a[" + String.format(Locale.ROOT, "U+%04X", acting) + "]b");
    }

    @Test
    void halvesOfPairsAndLineBreaksOfNamesAreShownAsCodePoints() {
        assertThat(flat("a\uD83Db")).isEqualTo("a[U+D83D]b");
        assertThat(flat("one\ntwo\r\tthree")).isEqualTo("one[U+000A]two[U+000D][U+0009]three");
        assertThat(call("text.js", "m.flat('one\\ntwo\\u0007')").asText()).isEqualTo("one\ntwo[U+0007]");
    }

    @Test
    void lookalikesInsideALatinWordAreMarked() {
        assertThat(flat("p\u0430ypal")).isEqualTo("p[U+0430]ypal");
        assertThat(flat("\u03BFsp-ubuntu")).isEqualTo("[U+03BF]sp-ubuntu");
        assertThat(flat("\uFF41dmin")).isEqualTo("[U+FF41]dmin");
        assertThat(flat(Character.toString(0x1D41A) + "dmin")).isEqualTo("[U+1D41A]dmin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "checkout-prod-eu",
                "\u043A\u043B\u0430\u0441\u0442\u0435\u0440-1",
                "\u0394\u03BF\u03BA\u03B9\u03BC\u03AE prod",
                "\u5317\u4EAC-cluster",
                "M\u00FCnchen-\u00C5rhus",
                "\u05E9\u05DC\u05D5\u05DD",
                "k8s\u30AF\u30E9\u30B9\u30BF",
                "cafe\u0301"
            })
    void wholeWordsOfAnyScriptAreUnmarked(String name) {
        assertThat(flat(name)).isEqualTo(name);
    }

    @Test
    void longTextsAndPilesOfMarksAreCut() {
        assertThat(flat("a" + "\u0301".repeat(5) + "b")).isEqualTo("a\u0301\u0301\u0301[U+0301][U+0301]b");
        assertThat(flat("x".repeat(300))).isEqualTo("x".repeat(253) + "[and 47 more characters]");
        assertThat(flat("x".repeat(253))).hasSize(253);
        assertThat(flat("x".repeat(252) + Character.toString(0x1F600)))
                .doesNotContain("U+D83D")
                .endsWith("[and 2 more characters]");
    }

    // --- words

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    age      | -0   | 0 s
                    age      | 38   | 38 min
                    age      | 88   | 1 h 28 min
                    age      | -5   | 0 s
                    left     | -47  | in 47 min
                    left     | 1    | ran out
                    lasting  | 4320 | for 3 d
                    noAnswer | 2    | no answer for 2 min
                    """)
    void timesAreShortPhrases(String form, int minutesAgo, String phrase) {
        assertThat(call(
                                "text.js",
                                "m.words('" + form + "', new Date(1e12 - " + minutesAgo
                                        + " * 60000).toISOString(), 1e12)")
                        .asText())
                .isEqualTo(phrase);
    }

    @Test
    void timesOfOtherDaysAreDates() {
        String now = "Date.parse('2026-11-21T10:40:31Z')";
        assertThat(call("text.js", "m.words('clock', '2026-11-21T10:02:11Z', " + now + ")")
                        .asText())
                .isEqualTo("10:02:11");
        assertThat(call("text.js", "m.words('clock', '2026-11-03T14:20:40Z', " + now + ")")
                        .asText())
                .isEqualTo("3 Nov 14:20");
        assertThat(call("text.js", "m.words('age', '2025-01-03T14:20:40Z', " + now + ")")
                        .asText())
                .isEqualTo("3 Jan 2025");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    m.number(1204567)                          | 1,204,567
                    m.count(0, 'key', 'keys')                  | no keys
                    m.count(1, 'key', 'keys')                  | 1 key
                    m.percent(1, 1000)                         | < 1 %
                    m.milliseconds(1300)                       | 1.3 s
                    m.capital('the hub')                       | The hub
                    m.capital('api.example.org does not')      | api.example.org does not
                    m.sentence('did you mean x?')              | Did you mean x?
                    m.sentence('edit it')                      | Edit it.
                    m.spaced('UserDataTooLarge')               | User data too large
                    """)
    void numbersAndClausesAreReadable(String expression, String words) {
        assertThat(call("text.js", expression).asText()).isEqualTo(words);
    }

    @Test
    void theExtensionAtFaultIsNamed() {
        String extension = "{kind: 'OperatingSystemProfileExtension', namespace: 'amber', name: 'taken'}";
        String named = "OperatingSystemProfileExtension amber/taken, spec.provisioning.files[0]: /x is written twice";
        String rest = "field: 'spec.provisioning.files[0]', headline: '/x is written twice'})";

        assertThat(call("text.js", "m.exact({object: " + extension + ", " + rest)
                        .asText())
                .isEqualTo(named);
        assertThat(call(
                                "text.js",
                                "m.exact({object: {kind: 'MachineDeployment'}, faultyObject: " + extension + ", "
                                        + rest)
                        .asText())
                .isEqualTo(named);
        assertThat(call("text.js", "m.exact({object: {kind: 'MachineDeployment'}, " + rest)
                        .asText())
                .isEqualTo("spec.provisioning.files[0]: /x is written twice");
        assertThat(call("parts.js", "m.previewPage(" + extension + ")").asText())
                .isEmpty();
    }

    @Test
    void onlyNamesOfObjectsLinkToAPage() {
        assertThat(call("parts.js", "m.profilePage('osm-profiles/osp-ubuntu')").asText())
                .isEqualTo("/profiles/osm-profiles/osp-ubuntu");
        assertThat(call("parts.js", "m.profilePage('<b>x</b>')").asText()).isEmpty();
        assertThat(call("parts.js", "m.profilePage('../osp')").asText()).isEmpty();
    }

    // --- documents

    private String readable(String document) {
        return call(
                        "documents.js",
                        "m.readableLines(" + quoted(document)
                                + ").map((line) => line.text + (line.detail ? ' ' + line.detail : '')).join('\\n')")
                .asText();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void eachFileOfACloudConfigHasAHeadingAndItsDecodedText() {
        String document = "#cloud-config\n\nssh_pwauth: false\nwrite_files:\n"
                + "- path: '/opt/bin/x'\n  permissions: '0755'\n  encoding: 'b64'\n  content: |-\n    "
                + base64("#!/bin/bash\n- path: spoofed\n") + "\n\n"
                + "- path: '/etc/osm/access'\n  permissions: '0600'\n  content: |-\n    token=<redacted:fetch-token>\n\n"
                + "    last\n\nruncmd:\n- echo x\n";

        assertThat(readable(document).split("\n", -1))
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
    }

    @Test
    void eachFileAndUnitOfIgnitionHasAHeadingAndItsDecodedText() {
        String document = "{\"ignition\":{\"version\":\"2.3.0\"},\"storage\":{\"files\":["
                + "{\"path\":\"/a\",\"contents\":{\"source\":\"data:,x%20%2B+%C3%BC%0Ay\"},\"mode\":493},"
                + "{\"path\":\"/b\",\"contents\":{\"source\":\"data:;base64,eHl6\"},\"mode\":384}]},"
                + "\"systemd\":{\"units\":[{\"contents\":\"[Unit]\\nA=b\",\"name\":\"x.service\","
                + "\"dropins\":[{\"name\":\"10.conf\",\"contents\":\"[Service]\"}]}]}}";

        assertThat(readable(document))
                .startsWith("""
                        /a 0755, 8 bytes
                          x ++ü
                          y
                        /b 0600, 3 bytes
                          xyz
                        x.service systemd unit, 10 bytes
                          [Unit]
                          A=b
                        x.service.d/10.conf systemd unit, 9 bytes
                          [Service]
                        the rest of the document
                        {""")
                .contains("\"version\": \"2.3.0\"")
                .doesNotContain("data:,");
    }

    @Test
    void contentThatIsNotTextStaysEncodedAndOtherDocumentsStayAsTheyAre() {
        assertThat(readable("""
                        #cloud-config
                        write_files:
                        - path: /x
                          permissions: '0600'
                          encoding: b64
                          content: //79/P/+/fz//v38
                        """)).contains("  //79/P/+/fz//v38", "base64, not text");
        for (String document : new String[] {
            "apiVersion: v1\nkind: Config\nwrite_files:\n- path: /x",
            "#cloud-config\nwrite_files:\n- path: 'x\n  content: [",
            "{\"ignition\": {"
        }) {
            assertThat(readable(document)).isEqualTo(document);
        }
    }

    /** Of every rendering of the core's tests, each file is found and nothing is lost. */
    @Test
    void everyShippedCloudConfigIsRead() throws Exception {
        Path folder = Path.of(System.getProperty("osmhub.root", "../../..")).resolve("core/src/test/resources/render");
        try (var files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.endsWith("bootstrap.txt")).toList()) {
                String text = Files.readString(file);
                if (text.startsWith("#cloud-config") && text.contains("\n- path: ")) {
                    assertThat(call(
                                            "documents.js",
                                            "m.readableLines(" + quoted(text) + ").some(({kind}) => kind === 'file')")
                                    .asBoolean())
                            .as(file.toString())
                            .isTrue();
                }
            }
        }
    }

    private String patch(String before, String after) {
        return call("documents.js", "m.patchOf(" + quoted(before) + ", " + quoted(after) + ")")
                .asText();
    }

    @Test
    void aDifferenceIsTheShortestWithThreeLinesOfContext() {
        assertThat(patch("a\nb\n", "a\nb\n")).isEmpty();
        assertThat(patch("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\n5\n6\n"))
                .isEqualTo("@@ -2 +2 @@\n 2\n 3\n 4\n+x\n 5\n 6");
        assertThat(patch("a\nb\nc\n", "a\nc\nd\n")).isEqualTo("@@ -1 +1 @@\n a\n-b\n c\n+d");
        assertThat(patch("", "a\n")).isEqualTo("@@ -1 +1 @@\n+a");
    }
}
