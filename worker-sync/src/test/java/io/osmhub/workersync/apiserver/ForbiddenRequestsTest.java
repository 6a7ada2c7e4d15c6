package io.osmhub.workersync.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.workersync.fake.SimulatedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForbiddenRequestsTest {
    private final List<String> sent = new ArrayList<>();
    private final CurrentConnection connection = new CurrentConnection(null);
    private long now;
    private boolean forbidden = true;
    private boolean replacementForbidden;
    private final ForbiddenRequests requests = new ForbiddenRequests(() -> now, connection);

    private String send() throws ApiFailure {
        sent.clear();
        return requests.send("patch", () -> attempt("patch", forbidden), () -> attempt("update", replacementForbidden));
    }

    private String attempt(String verb, boolean rejected) throws ApiFailure {
        sent.add(verb);
        if (rejected) {
            throw SimulatedServer.status(403, "Forbidden", "no " + verb);
        }
        return verb;
    }

    @Test
    void anAllowedRequestIsNotReplaced() throws ApiFailure {
        forbidden = false;
        assertThat(send()).isEqualTo("patch");
        assertThat(sent).containsExactly("patch");
    }

    @Test
    void aForbiddenRequestIsTriedAgainLater() throws ApiFailure {
        assertThat(send()).isEqualTo("update");
        assertThat(sent).containsExactly("patch", "update");

        send();
        assertThat(sent).containsExactly("update");

        now += Duration.ofMinutes(11).toNanos();
        send();
        assertThat(sent).containsExactly("patch", "update");
    }

    @Test
    void anotherConnectionIsAskedAtOnce() throws ApiFailure {
        send();
        connection.set(null);
        forbidden = false;

        assertThat(send()).isEqualTo("patch");
    }

    @Test
    void whereTheReplacementIsForbiddenTooTheFirstRefusalCounts() {
        replacementForbidden = true;
        assertThatThrownBy(this::send).isInstanceOf(ApiFailure.class).hasMessage("no patch");
    }

    /** After a rotation of the credential. */
    @Test
    void aReplacementThatIsForbiddenNowIsNotUsedAnyLonger() throws ApiFailure {
        send();
        forbidden = false;
        replacementForbidden = true;
        assertThat(send()).isEqualTo("patch");
    }
}
