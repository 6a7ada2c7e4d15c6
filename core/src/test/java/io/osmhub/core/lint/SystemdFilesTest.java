package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** systemd's syntax. */
final class SystemdFilesTest {
    @Test
    void takesCommentsContinuationsAndBlankLines() {
        assertThat(SystemdFiles.error("""
                # a comment
                ; another
                [Unit]
                Description=a \\
                [ -f b ] \\
                no setting of its own

                  [X-Own]
                free=
                [Install]
                WantedBy=multi-user.target
                """)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A=b            | has no section
            '[Unit]\nbare' | option name
            '[Unit'        | end of section
            '[Servcie]'    | unknown section [Servcie], ignored by systemd; did you mean [Service]?
            """)
    void findsTextsThatAreWrong(String text, String message) {
        assertThat(SystemdFiles.error(text.replace("\\n", "\n"))).contains(message);
    }

    @Test
    void knowsThatOtherFilesHaveOtherSections() {
        assertThat(SystemdFiles.error("/etc/systemd/network/a.network", "[Match]\nName=eth0\n"))
                .isNull();
        assertThat(SystemdFiles.error("/etc/systemd/journald.conf.d/a.conf", "[Journal]\nA=1\n"))
                .isNull();
        assertThat(SystemdFiles.error("/etc/systemd/system/a.service.d/a.conf", "[Journal]\nA=1\n"))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/system/a.service", "/usr/lib/systemd/network/b.network"})
    void governsSystemdsDirectories(String path) {
        assertThat(SystemdFiles.appliesTo(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/systemd/README", "/opt/a.service", "/etc/systemd/system/.service"})
    void governsNothingElse(String path) {
        assertThat(SystemdFiles.appliesTo(path)).isFalse();
    }
}
