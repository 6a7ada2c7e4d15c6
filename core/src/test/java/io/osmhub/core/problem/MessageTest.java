package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void fillsEachVariable() {
        String message = Message.of(
                Reason.ConnectionEstablished,
                Map.of("tenant", "blue", "wc", "c", "endpoint", "https://{api}", "version", "v1.34.4"));

        assertThat(message).isEqualTo("blue: WorkerCluster c: connected to https://{api} (v1.34.4)");
    }

    @Test
    void refusesAVariableWithoutAValue() {
        assertThatThrownBy(() -> Message.of(Reason.Connecting, Map.of("tenant", "blue", "wc", "c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no value for {endpoint} of Connecting");
    }

    @Test
    void dropsWhatDisturbsATerminalOrTheReadingDirection() {
        assertThat(Message.clean("a\nb\u001b[31mc\u202edef\u200b")).isEqualTo("a b [31mcdef");
    }

    @Test
    void cutsALongValueByCharactersNotHalves() {
        assertThat(Message.clean("\uD83D\uDE00".repeat(300))).isEqualTo("\uD83D\uDE00".repeat(200) + "...");
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

        String message = Message.of(Reason.TLSVerificationFailed, values);

        assertThat(message)
                .hasSizeLessThanOrEqualTo(1024)
                .startsWith("xxx")
                .contains(" ... ")
                .endsWith("xxx");
    }
}
