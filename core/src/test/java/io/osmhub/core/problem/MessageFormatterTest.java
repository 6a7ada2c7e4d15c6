package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageFormatterTest {
    @Test
    void fillsEachVariable() {
        String message = MessageFormatter.format(
                Reason.ConnectionEstablished,
                Map.of("tenant", "blue", "wc", "c", "endpoint", "https://{api}", "version", "v1.34.4"));

        assertThat(message).isEqualTo("blue: WorkerCluster c: connected to https://{api} (v1.34.4)");
    }

    @Test
    void refusesAVariableWithoutAValue() {
        assertThatThrownBy(() -> MessageFormatter.format(Reason.Connecting, Map.of("tenant", "blue", "wc", "c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no value for {endpoint} of Connecting");
    }

    @Test
    void dropsWhatDisturbsATerminalOrTheReadingDirection() {
        assertThat(MessageFormatter.sanitize("a\nb\u001b[31mc\u202edef\u200b")).isEqualTo("a b [31mcdef");
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

        String message = MessageFormatter.format(Reason.TLSVerificationFailed, values);

        assertThat(message)
                .hasSizeLessThanOrEqualTo(1024)
                .startsWith("xxx")
                .contains(" ... ")
                .endsWith("xxx");
    }
}
