package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** systemd's syntax. */
final class UnitSyntaxTest {
    @Test
    void takesCommentsContinuationsAndBlankLines() {
        UnitSyntax.Reading reading = UnitSyntax.readUnit("""
                # a comment
                ; another
                [Unit]
                Description=a \\
                # a comment in between
                b \\
                no setting of its own

                  [X-Own]
                free=
                [Install]
                WantedBy=multi-user.target
                """);

        assertThat(reading.faults()).isEmpty();
        assertThat(reading.lacksInstall()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A=b            | outside of a section
            '[Unit]\nbare' | neither a section nor a setting
            '[Unit]\n=b'   | no name before
            '[Unit'        | does not end
            '[Servcie]'    | knows no section [Servcie]
            """)
    void findsLinesThatAreWrong(String text, String message) {
        assertThat(UnitSyntax.readUnit(text.replace("\\n", "\n")).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains(message));
    }

    @Test
    void suggestsTheSectionThatWasMeant() {
        assertThat(UnitSyntax.readUnit("[Servcie]").faults().getFirst().cure()).isEqualTo("did you mean [Service]?");
    }

    @Test
    void knowsThatOtherFilesHaveOtherSections() {
        assertThat(UnitSyntax.readFile("/etc/systemd/network/a.network", "[Match]\nName=eth0\n")
                        .faults())
                .isEmpty();
        assertThat(UnitSyntax.readFile("/etc/systemd/journald.conf.d/a.conf", "[Journal]\nA=1\n")
                        .faults())
                .isEmpty();
        assertThat(UnitSyntax.readFile("/etc/systemd/system/a.service.d/a.conf", "[Journal]\nA=1\n")
                        .faults())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/system/a.service", "/usr/lib/systemd/network/b.network"})
    void governsSystemdsDirectories(String path) {
        assertThat(UnitSyntax.governs(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/README", "/opt/a.service", "/etc/systemd/system/.service"})
    void governsNothingElse(String path) {
        assertThat(UnitSyntax.governs(path)).isFalse();
    }
}
