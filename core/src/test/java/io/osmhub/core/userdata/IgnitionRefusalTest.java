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
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configs that the conversion to Ignition rejects, with its message and the field that the tenant can fix. */
class IgnitionRefusalTest {
    private static List<Problem> refused(Config config) {
        TenantMistake mistake =
                catchThrowableOfType(TenantMistake.class, () -> UserDataGenerator.generateDocument(ignition(config)));
        assertThat(mistake).isNotNull();
        assertThat(mistake.findings()).allSatisfy(finding -> {
            assertThat(finding.reason()).isEqualTo(Reason.IgnitionConversionFailed);
            assertThat(finding.fix()).isNotEmpty();
        });
        return mistake.findings();
    }

    @Test
    void saysAllThatIsIllegalAtOnce() {
        Config config = new Config(
                List.of(unit("x", true, "[A]\nb=c\n")), List.of(new File("f", 4755, "", "")), List.of("k"), null);

        assertThat(refused(config))
                .extracting(Problem::field, Problem::cause)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.files[0].path (f)", "path not absolute"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.files[0].permissions (f)", "illegal file mode"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.units[0].content (x)",
                                "unit \"x\" is enabled, but has no install section so enable does nothing"),
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.bootstrapConfig.units[0].name (x)", "invalid systemd unit extension"));
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
                .extracting(Problem::field)
                .containsExactly(
                        "spec.bootstrapConfig.files[0].path (/etc/systemd/system/a.service)",
                        "spec.bootstrapConfig.files[1].path (/etc/systemd/system/a.service.d/1.conf)");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -44, -100, 4096, 9999})
    void refusesAModeOutOfRange(int permissions) {
        assertThat(refused(files(new File("/f", permissions, "", ""))).get(0).cause())
                .startsWith("illegal file mode");
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
                "[x]: - ? 'a\" |\n",
                "    a\n  b\n",
                "\ta\n",
                "a\rb\u0085c\u0007\u007f\n"
            })
    void writesAnyText(String data) {
        assertThat(UserDataGenerator.generateDocument(ignition(file(data)))).contains("\"path\":\"/f\"");
    }

    /** OSM writes them unescaped into YAML, and refuses what it then reads or cannot read. */
    @ParameterizedTest
    @ValueSource(strings = {"ssh-rsa AAAA a: b", "[a, b]", "@a", "*a", "a'b"})
    void writesKeysAndPathsAsGiven(String text) {
        Config config = new Config(List.of(), List.of(new File("/" + text, 644, "x", "")), List.of(text), null);

        assertThat(UserDataGenerator.generateDocument(ignition(config)))
                .contains("\"sshAuthorizedKeys\":[\"" + text + "\"]", "\"path\":\"/" + text + "\"");
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
        assertThat(refused(units(unit(name, true, null))).get(0).cause()).startsWith("invalid systemd unit extension");
    }

    @Test
    void refusesDropInsThatSystemdWouldNotRead() {
        SystemdUnit unit = unit("a.service", true, null, new SystemdUnit.DropIn("a.txt", "[A]\nb\n"));

        assertThat(refused(units(unit)))
                .extracting(Problem::cause)
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
