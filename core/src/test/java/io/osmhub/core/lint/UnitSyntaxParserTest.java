package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.UnitChecks.UnitSyntaxParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** systemd's syntax. */
final class UnitSyntaxParserTest {
    @Test
    void takesCommentsContinuationsAndBlankLines() {
        UnitSyntaxParser.ParseResult reading = UnitSyntaxParser.readUnit("""
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
        assertThat(reading.isInstallMissing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A=b            | outside of a section
            '[Unit]\nbare' | neither a section nor a setting
            '[Unit]\n=b'   | no name before
            '[Unit'        | unterminated section
            '[Servcie]'    | unknown section [Servcie]
            """)
    void findsLinesThatAreWrong(String text, String message) {
        assertThat(UnitSyntaxParser.readUnit(text.replace("\\n", "\n")).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.message()).contains(message));
    }

    @Test
    void suggestsTheSectionThatWasMeant() {
        assertThat(UnitSyntaxParser.readUnit("[Servcie]").faults().getFirst().cure())
                .isEqualTo("did you mean [Service]?");
    }

    @Test
    void knowsThatOtherFilesHaveOtherSections() {
        assertThat(UnitSyntaxParser.readFile("/etc/systemd/network/a.network", "[Match]\nName=eth0\n")
                        .faults())
                .isEmpty();
        assertThat(UnitSyntaxParser.readFile("/etc/systemd/journald.conf.d/a.conf", "[Journal]\nA=1\n")
                        .faults())
                .isEmpty();
        assertThat(UnitSyntaxParser.readFile("/etc/systemd/system/a.service.d/a.conf", "[Journal]\nA=1\n")
                        .faults())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/system/a.service", "/usr/lib/systemd/network/b.network"})
    void governsSystemdsDirectories(String path) {
        assertThat(UnitSyntaxParser.appliesTo(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/README", "/opt/a.service", "/etc/systemd/system/.service"})
    void governsNothingElse(String path) {
        assertThat(UnitSyntaxParser.appliesTo(path)).isFalse();
    }
}
