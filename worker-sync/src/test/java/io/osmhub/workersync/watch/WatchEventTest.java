package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class WatchEventTest {
    @Test
    void theTextsOfAnErrorAreRedactedHoweverTheyAreEncoded() throws IOException {
        String line = "{ \"object\" : {\"message\":\"not s\\u0065cret\",\"reason\":\"\\u0073ecret\",\"code\":410},"
                + " \"type\": \"ERR\\u004fR\" }";

        WatchEvent<String> event = WatchEvent.read(
                line.getBytes(UTF_8),
                parser -> {
                    throw new AssertionError("not an object");
                },
                text -> text.replace("secret", "<redacted>"));

        assertThat(event).isInstanceOfSatisfying(WatchEvent.Failed.class, failed -> {
            ApiFailure failure = failed.failure();
            assertThat(failure.text()).isEqualTo("not <redacted>");
            assertThat(failure.reason()).isEqualTo("<redacted>");
            assertThat(failure.isGone()).isTrue();
        });
    }
}
