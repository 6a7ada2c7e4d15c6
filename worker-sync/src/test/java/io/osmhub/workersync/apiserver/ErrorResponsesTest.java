package io.osmhub.workersync.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorResponsesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @Test
    void reasonAndMessageAreTheServersOwn() {
        ApiFailure failure = refusal(409, """
                {"kind":"Status","reason":"AlreadyExists","message":"secrets \\"a\\" already exists","code":409}
                """, null);

        assertThat(failure.isAlreadyExists()).isTrue();
        assertThat(failure.text()).isEqualTo("secrets \"a\" already exists");
        assertThat(failure.retryAfter()).isNull();
    }

    @Test
    void aLongMessageIsCut() {
        ApiFailure failure = refusal(500, "{\"message\":\"a\\nb\\u202e" + "x".repeat(5000) + "\"}", null);

        assertThat(failure.text()).startsWith("a\nb\u202ex").hasSizeLessThan(210);
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        " 7 , 7",
        "0, 0",
        "'Sat, 21 Nov 2026 10:00:30 GMT', 30",
        "'Sat, 21 Nov 2026 09:00:00 GMT', 0",
        "999999999, 3600"
    })
    void retryAfterIsSecondsOrADate(String header, int seconds) {
        assertThat(refusal(429, "", header).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({"soon", "-1", "1.5", "99999999999999999999", "''"})
    void anUnreadableRetryAfterIsNone(String header) {
        assertThat(refusal(429, "", header).retryAfter()).isNull();
    }

    @Test
    void withoutTheHeaderTheDetailsSayWhenToRetry() {
        assertThat(refusal(429, "{\"details\":{\"retryAfterSeconds\":3}}", null).retryAfter())
                .isEqualTo(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @CsvSource({"'<html>', 502", "'', 503", "'[1]', 500", "'{\"message\":{}}', 500", "'null', 500"})
    void whatIsNoStatusIsAnAnswerWithoutWords(String body, int code) {
        ApiFailure failure = refusal(code, body, null);

        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.reason()).isEmpty();
        assertThat(failure.text()).isEqualTo("the server responded " + code + " without a message");
    }

    private static ApiFailure refusal(int code, String body, @Nullable String retryAfter) {
        return ErrorResponses.of(code, body.getBytes(StandardCharsets.UTF_8), retryAfter, NOW);
    }
}
