package io.osmhub.core.userdata;

import static io.osmhub.core.userdata.Documents.cloudInit;
import static io.osmhub.core.userdata.Documents.file;
import static io.osmhub.core.userdata.Documents.files;
import static io.osmhub.core.userdata.Documents.ignition;
import static io.osmhub.core.userdata.Documents.keys;
import static io.osmhub.core.userdata.Documents.runcmd;
import static io.osmhub.core.userdata.Documents.subscription;
import static io.osmhub.core.userdata.Documents.unit;
import static io.osmhub.core.userdata.Documents.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where documents differ from OSM's: each entry of docs/compatibility.md, section User-data; and what is kept though odd. */
class CompatibilityTest {
    private static String document(UserDataInput input) {
        return UserDataGenerator.generateDocument(input);
    }

    @Test
    void doublesAQuoteInAnSshKeyOrPath() {
        assertThat(document(cloudInit(keys("ssh-ed25519 AAAA it's")))).contains("\n- 'ssh-ed25519 AAAA it''s'\n");
        assertThat(document(cloudInit(files(new File("/it's", 644, "x", ""))))).contains("\n- path: '/it''s'\n");
        assertThat(document(cloudInit(files(new File("/f", 644, "x", "it's"))))).contains("\n  encoding: 'it''s'\n");
    }

    @Test
    void escapesWhatQuotesCannotHold() {
        assertThat(document(cloudInit(keys("a\nb\u0007")))).contains("\n- \"a\\nb\\x07\"\n");
    }

    @Test
    void writesATextWithControlCharactersInDoubleQuotes() {
        assertThat(document(cloudInit(file("bell\u0007 esc\u001B\n"))))
                .endsWith("\n- path: '/f'\n  permissions: '0644'\n  content: \"bell\\x07 esc\\x1B\\n\"\n");
    }

    @Test
    void writesATextWithOtherLineBreaksInDoubleQuotes() {
        assertThat(document(cloudInit(file("ls\u2028x ps\u2029x nel\u0085x cr\rx\n"))))
                .endsWith("  content: \"ls\\u2028x ps\\u2029x nel\\x85x cr\\rx\\n\"\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'    four\n  two\n', '\"    four\\n  two\\n\"'",
        "'\n both\n too', '\"\\n both\\n too\"'",
        "'  ', '\"  \"'"
    })
    void writesATextThatBeginsWithBlanksInDoubleQuotes(String data, String written) {
        assertThat(document(cloudInit(file(data)))).endsWith("  content: " + written + "\n");
    }

    @Test
    void treatsTheTextsOfUnitsLikeThoseOfFiles() {
        SystemdUnit unit = unit("a\\x2db.service", true, " [Unit]\n", new SystemdUnit.DropIn("a\"b.conf", "\u0007"));

        assertThat(document(cloudInit(units(unit))))
                .contains(
                        "\n  - name: \"a\\\\x2db.service\"\n",
                        "\n    content: \" [Unit]\\n\"\n",
                        "\n      - name: \"a\\\"b.conf\"\n        content: \"\\x07\"");
    }

    @Test
    void beginsALineForUnitsWhenThereAreNoFiles() {
        assertThat(document(cloudInit(units(unit("a.service", false, null)))))
                .contains("\nwrite_files:\ncoreos:\n  units:\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "p'a\"s: s #1",
                "a: b",
                "a #b",
                "@a",
                "*a",
                "\"a\"",
                "a:",
                " a",
                "a ",
                "0123",
                "1_000",
                "12:30",
                "1.50",
                "0x1F",
                "null",
                "~",
                "2024-01-02",
                "a\nb"
            })
    void quotesASubscriptionValueThatWouldBeReadAsAnother(String value) {
        String quoted = "\"" + value.replace("\"", "\\\"").replace("\n", "\\n") + "\"";

        assertThat(document(cloudInit(subscription("password", value))))
                .endsWith("\nrh_subscription:\n    password: " + quoted + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "true",
                "no",
                "1234",
                "1.5",
                "10.0.0.1",
                "a:b",
                "a#b",
                "p'a\"s",
                "http://x/$y",
                "-a",
                "-1",
                "0899",
                "x [1]"
            })
    void leavesASubscriptionValueThatIsReadAsGiven(String value) {
        assertThat(document(cloudInit(subscription("password", value))))
                .endsWith("\nrh_subscription:\n    password: " + value + "\n");
    }

    @Test
    void quotesNamesAndValuesOfYumRepositoriesToo() {
        CloudInitModules modules =
                new CloudInitModules(List.of(), Map.of(), List.of(), Map.of("a: b", Map.of("10", "c # d")), "/dir # x");

        assertThat(document(cloudInit(Documents.modules(modules))))
                .endsWith("\nyum_repos:\n    \"a: b\":\n       \"10\": \"c # d\"\n\nyum_repo_dir: \"/dir # x\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"set -e\nfoo\n", "a \\\n  b", "echo # x", "true", "@x", "echo \u0007", "'a' b", "1"})
    void quotesACommandThatWouldBreakOrBeCut(String command) {
        StringBuilder quoted = new StringBuilder();
        YamlScalarQuoting.doubleQuote(quoted, command);

        assertThat(document(cloudInit(runcmd(command)))).endsWith("\nruncmd:\n- " + quoted + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "reboot",
                "reboot\n",
                "echo a > /b",
                "[ sh, -c, 'x' ]",
                "echo 'a: b' # not a comment",
                "\"a b\"",
                "|\n  a\n  b"
            })
    void leavesACommandThatIsReadAsGivenOrIsYamlItself(String command) {
        assertThat(document(cloudInit(runcmd(command)))).endsWith("\nruncmd:\n- " + command + "\n");
    }

    @ParameterizedTest
    @CsvSource({"workers, workers", "123, '\"123\"'", "null, '\"null\"'", "1e5, 1e5"})
    void keepsTheHostNameOfAnEdgeMachineAString(String machineDeployment, String written) {
        UserDataInput input = new UserDataInput(keys(), "cloud-init", "ubuntu", "edge", machineDeployment, false, true);

        assertThat(document(input)).startsWith("#cloud-config\nhostname: " + written + "\n\n");
    }

    @Test
    void keepsTheIndentationOfATextInIgnition() {
        assertThat(document(ignition(file("  both lines\n  are indented\n"))))
                .contains("\"data:,%20%20both%20lines%0A%20%20are%20indented%0A\"");
    }

    @Test
    void keepsAnSshKeyWholeInIgnition() {
        assertThat(document(ignition(keys("ssh-rsa AAAA me #1", "\"quoted\""))))
                .contains("[\"ssh-rsa AAAA me #1\",\"\\\"quoted\\\"\"]");
    }

    @Test
    void keepsAPathWithADoubledQuoteInIgnition() {
        assertThat(document(ignition(files(new File("/a''b", 644, "x", ""))))).contains("\"path\":\"/a''b\"");
    }

    @Test
    void refusesALongLineOfAUnitWhateverPrecedesItInIgnition() {
        String text = "[A]\n" + "b=c\n".repeat(600) + "a=" + "x".repeat(2046) + "\n";

        assertThatThrownBy(() -> document(ignition(units(unit("a.service", false, text)))))
                .hasMessageContaining("line too long (max 2048 bytes)");
    }

    @Test
    void keepsThePeersModesInIgnition() {
        Config config = files(
                new File("/a", 644, "", ""),
                new File("/b", 7, "", ""),
                new File("/c", 1777, "", ""),
                new File("/d", 798, "", ""));

        assertThat(document(ignition(config)))
                .containsSubsequence("\"mode\":420", "\"mode\":7}", "\"mode\":1777", "\"mode\":798");
    }

    @Test
    void keepsThePeersLineBreaksInIgnition() {
        Config config = files(
                new File("/a", 644, "a\r\nb", ""),
                new File("/b", 644, "\n\nx\n\n\n", ""),
                new File("/c", 644, " \n", ""));

        assertThat(document(ignition(config)))
                .containsSubsequence("\"data:,a%0Ab%0A\"", "\"data:,%0A%0Ax%0A\"", "\"data:,\"");
    }

    @Test
    void keepsThePeersEncodingsThatNobodyApplies() {
        assertThat(document(cloudInit(files(new File("/f", 644, "cGF5\n", "base64")))))
                .endsWith("\n  encoding: 'base64'\n  content: |-\n    cGF5\n    \n");
    }
}
