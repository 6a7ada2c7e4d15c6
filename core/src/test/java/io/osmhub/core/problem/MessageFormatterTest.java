package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageFormatterTest {
    @Test
    void fillsEachVariable() {
        String message = Reason.ConnectionEstablished.with(
                        Map.of("tenant", "blue", "wc", "c", "endpoint", "https://{api}", "version", "v1.34.4"))
                .message();

        assertThat(message).isEqualTo("blue: WorkerCluster c: connected to https://{api} (v1.34.4)");
    }

    @Test
    void refusesAVariableWithoutAValue() {
        assertThatThrownBy(() -> Reason.Connecting.with(Map.of("tenant", "blue", "wc", "c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a variable of \"connecting to {endpoint}\" has no value");
    }

    @Test
    void writesWhatActsOnATerminalOrTheReadingDirectionAsInJson() {
        assertThat(MessageFormatter.sanitize("a\nb\u001b[31mc\u202edef\u200b"))
                .isEqualTo("a b\\u001b[31mc\\u202edef\\u200b");
        assertThat(MessageFormatter.sanitize("\udb40\udc41")).isEqualTo("\\udb40\\udc41");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u001b[31mb", "\\u001b", "\\\u001b", "C:\\users\\d+", "\udb40\udc41"})
    void aTextIsEscapedOnce(String text) {
        String escaped = MessageFormatter.visible(text);

        assertThat(escaped.codePoints()).noneMatch(MessageFormatter::isInvisible);
        assertThat(MessageFormatter.visible(escaped)).as("shown again").isEqualTo(escaped);
    }

    @Test
    void aValueIsEscapedOnceAndNoEscapeIsCut() {
        String message = Reason.WorkerClusterThrottled.with(
                        Map.of("tenant", "t", "wc", "w", "endpoint", "https://w", "cause", "\u001b".repeat(300)))
                .message();
        Problem finding = new Problem(
                        Reason.ProfileNotFound,
                        ProblemObject.of("MachineDeployment", "a/b"),
                        "",
                        "x\u001by".repeat(150),
                        "z")
                .inTenant("t", "");

        for (String text : List.of(message, finding.message())) {
            assertThat(text).contains("\\u001b").hasSizeLessThanOrEqualTo(1024);
            assertThat(text.replaceAll("\\\\u001b", "")).as(text).doesNotContain("\\", "u00", "001b");
        }
    }

    @Test
    void cutsALongValueByCharactersNotHalves() {
        assertThat(MessageFormatter.sanitize("\uD83D\uDE00".repeat(300))).isEqualTo("\uD83D\uDE00".repeat(200) + "...");
    }

    @Test
    void cutsALongMessageInTheMiddle() {
        String longest = "x".repeat(200);
        Map<String, String> values = Map.of(
                "tenant",
                longest,
                "wc",
                longest,
                "endpoint",
                longest,
                "cause",
                longest,
                "fingerprint",
                longest,
                "fingerprint2",
                longest,
                "secret",
                longest);

        String message = Reason.TLSVerificationFailed.with(values).message();

        assertThat(message)
                .hasSizeLessThanOrEqualTo(1024)
                .startsWith("xxx")
                .contains(" ... ")
                .contains("; put the right certificate-authority-data into Secret xxx");
    }
}
