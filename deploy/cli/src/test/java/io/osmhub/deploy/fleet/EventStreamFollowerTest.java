package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.osmhub.api.schema.StreamEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream of changes over connections that break. */
final class EventStreamFollowerTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> waits = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private @Nullable HttpServer server;
    private volatile List<String> answers = List.of();
    private volatile int statusOfFirst = 200;

    @BeforeEach
    void start() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        made.createContext("/", this::answer);
        made.start();
        server = made;
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server, "started").stop(0);
    }

    /** The n-th connection gets the n-th text and then breaks off in the middle. */
    private void answer(HttpExchange exchange) throws IOException {
        int number = asked.size();
        asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Last-Event-ID")));
        if (number == 0 && statusOfFirst != 200) {
            exchange.sendResponseHeaders(statusOfFirst, -1);
            exchange.close();
            return;
        }
        byte[] text = answers.get(Math.min(number, answers.size() - 1)).getBytes(UTF_8);
        // More is announced than comes.
        exchange.sendResponseHeaders(200, text.length + 1_000);
        exchange.getResponseBody().write(text);
        exchange.getResponseBody().flush();
        exchange.close();
    }

    private static String event(String id) {
        return "id: " + id + "\nevent: Modified\ndata: {\"id\":\"" + id
                + "\",\"type\":\"Modified\",\"at\":\"2026-11-21T10:00:00Z\"}\n\n";
    }

    private void follow(int most) throws FleetFailure {
        URI uri = URI.create("http://localhost:"
                + Objects.requireNonNull(server, "started").getAddress().getPort());
        try (HubClient hub =
                FleetEndpoint.ofServer(uri, null, Duration.ofSeconds(30)).openHub()) {
            hub.follow("a", Set.of(), new EventStreamFollower.ChangeHandler() {
                @Override
                public boolean onEvent(StreamEvent event) {
                    seen.add(event.id());
                    return seen.size() < most;
                }

                @Override
                public void onWaiting(String why) {
                    waits.add(why);
                }
            });
        }
    }

    @Test
    void goesOnAfterTheLastEventThatWasHandled() throws Exception {
        answers = List.of(
                "retry: 2000\n\n" + event("1") + event("2") + "id: 3\ndata: {\"id\":\"3\",",
                ":\n\n",
                event("3") + event("4"));

        follow(4);

        assertThat(seen).containsExactly("1", "2", "3", "4");
        assertThat(asked).containsExactly("null", "2", "2");
        assertThat(waits).isNotEmpty().allSatisfy(why -> assertThat(why).endsWith("; reconnecting"));
    }

    @Test
    void whoMayNotFollowIsToldSoAtOnce() {
        statusOfFirst = 401;

        FleetFailure failure = catchThrowableOfType(FleetFailure.class, () -> follow(1));

        assertThat(failure.kind()).isEqualTo(FleetFailure.FleetFailureKind.NOT_ALLOWED);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aHubThatIsNotThereAtFirstIsNoLostConnection() {
        statusOfFirst = 503;

        FleetFailure failure = catchThrowableOfType(FleetFailure.class, () -> follow(1));

        assertThat(failure.kind()).isEqualTo(FleetFailure.FleetFailureKind.UNREACHABLE);
    }
}
