package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
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
 * Follows the API's event stream. Reconnects with the id of the last handled event; the API sends a reset if events were missed.
 */
public final class EventStreamFollower {
    /** Receives changes one at a time. */
    public interface ChangeHandler {
        /**
         * Receives a change, a bookmark when all past events have been delivered, or a reset when events were missed.
         *
         * @return whether to continue
         */
        boolean onEvent(StreamEvent event);

        /** The connection is lost and being re-established; no event is lost. */
        void onWaiting(String why);
    }

    /** The API sends at least every 15 s; after three missed heartbeats the connection is considered dead. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final HubClient client;
    private final Map<String, String> parameters;
    private final Duration silence;
    private @Nullable String last;

    EventStreamFollower(HubClient client, Map<String, String> parameters) {
        this(client, parameters, SILENCE);
    }

    EventStreamFollower(HubClient client, Map<String, String> parameters, Duration silence) {
        this.client = client;
        this.parameters = Map.copyOf(parameters);
        this.silence = silence;
    }

    void follow(ChangeHandler receiver) throws FleetFailure {
        Duration pause = FIRST_PAUSE;
        while (!Thread.currentThread().isInterrupted()) {
            String before = last;
            try (InputStream stream = open()) {
                if (!read(stream, receiver)) {
                    return;
                }
            } catch (IOException e) {
                receiver.onWaiting("lost the connection to " + client.describe() + "; reconnecting");
            } catch (FleetFailure e) {
                // The first connection must succeed; later the hub may be unavailable temporarily.
                if (last == null || e.kind() != FleetFailureKind.UNREACHABLE) {
                    throw e;
                }
                receiver.onWaiting(e.text());
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

    /** Returns false if the receiver stops, true at the end of the stream. */
    private boolean read(InputStream stream, ChangeHandler receiver) throws IOException, FleetFailure {
        try (Watchdog watchdog = new Watchdog(stream, silence)) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
            StringBuilder data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                watchdog.onActivity();
                if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()));
                } else if (line.isEmpty() && !data.isEmpty()) {
                    StreamEvent event = event(data.toString());
                    data.setLength(0);
                    boolean more = receiver.onEvent(event);
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
            throw FleetFailure.unusable("unexpected event from " + client.describe()
                    + ": not a hub of a compatible version; check --server");
        }
    }

    /** Closes a silent stream, so that its reader fails. */
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
                            checkSilence();
                        }
                    },
                    period,
                    period);
        }

        void onActivity() {
            heardAt = System.nanoTime();
        }

        private void checkSilence() {
            if (System.nanoTime() - heardAt > silence.toNanos()) {
                try {
                    stream.close();
                } catch (IOException e) {
                    // Already closed.
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
