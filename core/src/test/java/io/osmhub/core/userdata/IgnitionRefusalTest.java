package io.osmhub.core.userdata;

import static io.osmhub.core.userdata.Documents.file;
import static io.osmhub.core.userdata.Documents.files;
import static io.osmhub.core.userdata.Documents.ignition;
import static io.osmhub.core.userdata.Documents.keys;
import static io.osmhub.core.userdata.Documents.unit;
import static io.osmhub.core.userdata.Documents.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configs that the conversion to Ignition rejects, with its message and the position that the tenant can fix. */
class IgnitionRefusalTest {
    private static List<ProblemFinding> refused(Config config) {
        TenantMistake mistake =
                catchThrowableOfType(TenantMistake.class, () -> UserDataGenerator.generateDocument(ignition(config)));
        assertThat(mistake).isNotNull();
        assertThat(mistake.findings()).allSatisfy(finding -> {
            assertThat(finding.reason()).isEqualTo("IgnitionConversionFailed");
            assertThat(finding.cure()).isNotEmpty();
        });
        return mistake.findings();
    }

    @Test
    void saysAllThatIsIllegalAtOnce() {
        Config config = new Config(
                List.of(unit("x", true, "[A]\nb=c\n")), List.of(new File("f", 4755, "", "")), List.of("k"), null);

        assertThat(refused(config))
                .extracting(ProblemFinding::field, ProblemFinding::what)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.files[0].path (f)",
                                "path not absolute (error at line 10, column 11 of its Container Linux Config)"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.files[0].permissions (f)",
                                "illegal file mode (error at line 11, column 11 of its Container Linux Config)"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.units[0].content (x)",
                                "unit \"x\" is enabled, but has no install section so enable does nothing"
                                        + " (warning at line 23, column 15 of its Container Linux Config)"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.units[0].name (x)",
                                "invalid systemd unit extension (error at line 19, column 11 of its Container Linux Config)"));
    }

    @Test
    void refusesAFileWhoseUnitOrDropInHasItsPath() {
        Config config = new Config(
                List.of(new SystemdUnit(
                        "a.service",
                        null,
                        null,
                        "[Unit]\nA=b\n",
                        List.of(new SystemdUnit.DropIn("1.conf", "[Unit]\nA=b\n")))),
                List.of(
                        new File("/etc/systemd/system/a.service", 644, "", ""),
                        new File("/etc/systemd/system/a.service.d/1.conf", 644, "", ""),
                        new File("/etc/systemd/system/a.service.d/2.conf", 644, "", "")),
                List.of("k"),
                null);

        assertThat(refused(config))
                .extracting(ProblemFinding::field)
                .containsExactly(
                        "spec.bootstrapConfig.files[0].path (/etc/systemd/system/a.service)",
                        "spec.bootstrapConfig.files[1].path (/etc/systemd/system/a.service.d/1.conf)");
    }

    /** A path that closes its quote adds YAML of its own; what that describes may be endless. */
    @ParameterizedTest
    @ValueSource(strings = {"&a [*a]", "&a {b: *a}"})
    void readsAValueThatContainsItself(String value) {
        Config config = files(new File("/a'\n    x: " + value + "\n    path: '/b", 644, "", ""));

        assertThat(UserDataGenerator.generateDocument(ignition(config))).contains("\\n    path: '/b");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -100, 4096, 9999})
    void refusesAModeOutOfRange(int permissions) {
        assertThat(refused(files(new File("/f", permissions, "", ""))).get(0).what())
                .startsWith("illegal file mode");
    }

    @Test
    void refusesAModeThatIsNoNumber() {
        assertThat(refused(files(new File("/f", -44, "", ""))).get(0).what())
                .contains("cannot unmarshal !!str `0-44` into int");
    }

    @ParameterizedTest
    @CsvSource({
        "'    a\n  b\n', did not find expected key",
        "'  \na\n', did not find expected key",
        "'\ta\n', found a tab character where an indentation space is expected",
        "'  a\n\tb\n', found a tab character where an indentation space is expected",
        "'a\rb\n', could not find expected ':'",
        "'a\u0085b\n', could not find expected ':'",
        "'a\u0007\n', control characters are not allowed",
        "'a\u007f\n', control characters are not allowed"
    })
    void refusesATextThatABlockCannotHold(String data, String cause) {
        ProblemFinding finding = refused(file(data)).get(0);

        assertThat(finding.what()).contains(cause);
        assertThat(finding.field()).isEqualTo("spec.bootstrapConfig.files[0].content (/f)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n\tb\n",
                "a\n# b\n",
                "a\r\nb\r",
                "",
                "\n \n",
                "a\n   \n",
                "é\u00A0\uFEFFx",
                "---\n...\n%x",
                "[x]: - ? 'a\" |\n"
            })
    void takesATextThatABlockHolds(String data) {
        assertThat(UserDataGenerator.generateDocument(ignition(file(data)))).contains("\"path\":\"/f\"");
    }

    @ParameterizedTest
    @CsvSource({
        "'ssh-rsa AAAA a: b', cannot unmarshal !!map into string",
        "'ssh-rsa AAAA a:', cannot unmarshal !!map into string",
        "'[a, b]', cannot unmarshal !!seq into string",
        "'@a', found character that cannot start any token",
        "'*a', a",
        "'a\u0007', control characters are not allowed"
    })
    void refusesAnSshKeyThatIsNoPlainText(String key, String cause) {
        ProblemFinding finding = refused(keys("ssh-rsa fine", key)).get(0);

        assertThat(finding.what()).contains(cause);
        assertThat(finding.field()).isEqualTo("spec.bootstrapConfig.userSSHKeys[1]");
        assertThat(finding.toString()).doesNotContain("AAAA");
    }

    @Test
    void refusesAPathWithAQuote() {
        assertThat(refused(files(new File("/it's", 644, "x", ""))).get(0).field())
                .isEqualTo("spec.bootstrapConfig.files[0].path (/it's)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.service", "a@b.socket", "x.mount", "a.b.timer", "dev-\\x2d.swap"})
    void takesUnitsOfSystemdsTypes(String name) {
        assertThat(UserDataGenerator.generateDocument(ignition(units(unit(name, true, null)))))
                .contains(name.replace("\\", "\\\\"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.conf", "a.service/b", "a.Service"})
    void refusesOtherUnits(String name) {
        assertThat(refused(units(unit(name, true, null))).get(0).what()).startsWith("invalid systemd unit extension");
    }

    @Test
    void refusesDropInsThatSystemdWouldNotRead() {
        SystemdUnit unit = unit("a.service", true, null, new SystemdUnit.DropIn("a.txt", "[A]\nb\n"));

        assertThat(refused(units(unit)))
                .extracting(ProblemFinding::what)
                .satisfiesExactly(
                        content -> assertThat(content)
                                .startsWith(
                                        "invalid unit content: unexpected newline encountered while parsing option name"),
                        name -> assertThat(name).startsWith("invalid systemd drop-in extension"));
    }

    @Test
    void refusesAnotherUtilityThanTheOperatingSystems() {
        UserDataInput ubuntu = new UserDataInput(keys(), "ignition", "ubuntu", "aws", "m", false, true);

        assertThat(catchThrowableOfType(TenantMistake.class, () -> UserDataGenerator.generateDocument(ubuntu)))
                .hasMessageContaining("specified provisioning utility \"ignition\" is not supported");
    }
}
