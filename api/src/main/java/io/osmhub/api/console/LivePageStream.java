package io.osmhub.api.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.console.ConsolePage.PageView;
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
 * Keeps one open page live. Renders the page again after a change, at most once a second, and sends the differences to the browser.
 * Starts with everything, so that a browser that reconnects, even to another replica, is correct after one event.
 */
final class LivePageStream implements Reply.StreamingReply {
    private static final Duration TURN = Duration.ofSeconds(1);
    /** Process metrics change without any object; refreshed at their sampling rate. */
    private static final int TURNS_OF_FIGURES = 5;

    private static final int TURNS_OF_SILENCE = 15;
    /** Reconnect delay of the browser, in milliseconds. */
    private static final String RETRY = "retry: 2000\n\n";

    interface PageRefresher {
        /** @throws ApiProblem also if the caller may no longer view the page */
        PageView refresh(Instant now) throws ApiProblem;
    }

    private final PageRefresher page;
    private final LongSupplier changes;
    private final Map<String, Map<String, Object>> sent = new HashMap<>();
    private List<String> rows = List.of();

    /** @param changes a counter that differs after any change */
    LivePageStream(PageRefresher page, LongSupplier changes) {
        this.page = page;
        this.changes = changes;
    }

    @Override
    public void run(Reply.ReplySink sink) throws InterruptedException {
        long seen = Long.MIN_VALUE;
        int silent = 0;
        if (!sink.send(RETRY)) {
            return;
        }
        for (long turn = 0; !sink.isClosed(); turn++) {
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

    /** The differences as an event; empty if there are none. */
    private String event(boolean first, long id) {
        Instant now = Instant.now();
        try {
            PageView view = page.refresh(now);
            Map<String, Map<String, Object>> news = new LinkedHashMap<>();
            view.cells().all().forEach((key, cell) -> {
                Map<String, Object> value = cell.toJson(now);
                // The browser advances ages; only their starting time is compared.
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
            // Any other error is transient: the page shows that it is not live, and the next turn retries.
            return over ? "event: ended\ndata: {}\n\n" : "";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("cells are texts", impossible);
        }
    }
}
