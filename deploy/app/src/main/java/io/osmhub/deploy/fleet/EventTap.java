package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource.Receiver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/**
 * Follows the API's event stream. When the connection breaks it goes on after the last event that was handled, so that nothing is
 * lost and nothing comes twice.
 */
final class EventTap {
    /** The API sends something at least every 15 s; three of them missed, the connection is dead. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final RestClient client;
    private final Map<String, String> parameters;
    private final Duration silence;
    private @Nullable String last;

    EventTap(RestClient client, Map<String, String> parameters) {
        this(client, parameters, SILENCE);
    }

    EventTap(RestClient client, Map<String, String> parameters, Duration silence) {
        this.client = client;
        this.parameters = Map.copyOf(parameters);
        this.silence = silence;
    }

    void follow(Receiver receiver) throws FleetFailure {
        Duration pause = FIRST_PAUSE;
        while (!Thread.currentThread().isInterrupted()) {
            String before = last;
            try (InputStream stream = open()) {
                if (!read(stream, receiver)) {
                    return;
                }
            } catch (IOException e) {
                receiver.waiting("the connection to " + client.server() + " broke; going on after the last event");
            } catch (FleetFailure e) {
                // The first connection must succeed; later the hub may be away for a while.
                if (last == null || e.kind() != Kind.UNREACHABLE) {
                    throw e;
                }
                receiver.waiting(e.text());
            }
            boolean progress = last != null && !last.equals(before);
            pause = progress ? FIRST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            if (!rested(pause)) {
                return;
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean rested(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private InputStream open() throws FleetFailure {
        Map<String, String> headers = new HashMap<>();
        if (last != null) {
            headers.put("Last-Event-ID", last);
        }
        return client.stream("/events", parameters, headers);
    }

    /** False when the receiver has enough; true when the stream has ended. */
    private boolean read(InputStream stream, Receiver receiver) throws IOException, FleetFailure {
        try (Watchdog watchdog = new Watchdog(stream, silence)) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
            StringBuilder data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                watchdog.heard();
                if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()));
                } else if (line.isEmpty() && !data.isEmpty()) {
                    StreamEvent event = event(data.toString());
                    data.setLength(0);
                    boolean more = receiver.take(event);
                    last = event.id();
                    if (!more) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    private StreamEvent event(String json) throws FleetFailure {
        try {
            return ApiJson.client().readValue(json, StreamEvent.class);
        } catch (JsonProcessingException e) {
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    "what " + client.server() + " sends are not the events of a hub of this version; check --server");
        }
    }

    /** Closes a stream that says nothing for too long, so that whoever reads it learns that it is dead. */
    private static final class Watchdog implements AutoCloseable {
        private final Timer timer = new Timer("events", true);
        private final InputStream stream;
        private final Duration silence;
        private volatile long heardAt = System.nanoTime();

        Watchdog(InputStream stream, Duration silence) {
            this.stream = stream;
            this.silence = silence;
            long period = Math.max(1, silence.toMillis() / 3);
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            look();
                        }
                    },
                    period,
                    period);
        }

        void heard() {
            heardAt = System.nanoTime();
        }

        private void look() {
            if (System.nanoTime() - heardAt > silence.toNanos()) {
                try {
                    stream.close();
                } catch (IOException e) {
                    // It is closed then, which is what was wanted.
                    timer.cancel();
                }
            }
        }

        @Override
        public void close() {
            timer.cancel();
        }
    }
}
