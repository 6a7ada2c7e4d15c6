package io.osmhub.api.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.schema.ApiJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps one open page live. The page is looked at again when something has changed, at most once a second, and what differs from
 * what was sent before goes to the browser. It begins with everything, so that a browser that comes back after a while, or to
 * another replica, is right after one event.
 */
final class Live implements Reply.Streaming {
    private static final Duration TURN = Duration.ofSeconds(1);
    /** Figures of the process change without any object; they are looked at as often as they are sampled. */
    private static final int TURNS_OF_FIGURES = 5;

    private static final int TURNS_OF_SILENCE = 15;
    /** How long a browser waits before it comes back, in milliseconds. */
    private static final String RETRY = "retry: 2000\n\n";

    /** Looks at the page. */
    interface Looking {
        /** @throws ApiProblem also when the caller may not see it any more */
        View look(Instant now) throws ApiProblem;
    }

    private final Looking page;
    private final LongSupplier changes;
    private final Map<String, Map<String, Object>> sent = new HashMap<>();
    private List<String> rows = List.of();

    /** @param changes a number that is another one after anything has changed */
    Live(Looking page, LongSupplier changes) {
        this.page = page;
        this.changes = changes;
    }

    @Override
    public void run(Reply.Sink sink) throws InterruptedException {
        long seen = Long.MIN_VALUE;
        int silent = 0;
        if (!sink.send(RETRY)) {
            return;
        }
        for (long turn = 0; !sink.gone(); turn++) {
            long now = changes.getAsLong();
            boolean open = true;
            if (now != seen || turn % TURNS_OF_FIGURES == 0) {
                seen = now;
                String event = event(turn == 0, now);
                silent = event.isEmpty() ? silent + 1 : 0;
                open = event.isEmpty() || sink.send(event) && !event.startsWith("event: ended");
            } else {
                silent++;
            }
            if (silent >= TURNS_OF_SILENCE) {
                silent = 0;
                open = open && sink.send(": still here\n\n");
            }
            if (!open) {
                return;
            }
            Thread.sleep(TURN);
        }
    }

    /** What differs, as an event; empty when nothing does. */
    private String event(boolean first, long id) {
        Instant now = Instant.now();
        try {
            View view = page.look(now);
            Map<String, Map<String, Object>> news = new LinkedHashMap<>();
            view.cells().all().forEach((key, cell) -> {
                Map<String, Object> value = cell.sent(now);
                // An age grows by itself in the browser: what counts is the moment that it is counted from.
                Map<String, Object> compared = value.containsKey("d") ? Map.of("d", value.get("d")) : value;
                if (!compared.equals(sent.put(key, compared))) {
                    news.put(key, value);
                }
            });
            List<String> lines = new ArrayList<>(view.cells().rows());
            if (!first && news.isEmpty() && lines.equals(rows)) {
                return "";
            }
            rows = lines;
            String json = ApiJson.server().writeValueAsString(Map.of("cells", news, "rows", lines));
            return "event: cells\nid: " + id + "\ndata: " + json + "\n\n";
        } catch (ApiProblem refused) {
            boolean over = refused.type() == ProblemType.UNAUTHENTICATED
                    || refused.type() == ProblemType.NOT_FOUND
                    || refused.type() == ProblemType.FORBIDDEN;
            // Anything else passes: the page says that it is not live, and the next turn tries again.
            return over ? "event: ended\ndata: {}\n\n" : "";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("cells are texts", impossible);
        }
    }
}
