package io.osmhub.browser.devtools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The DevTools protocol: commands with responses, and events. Thread-safe. */
final class DevTools implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final long ANSWER_SECONDS = 300;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final WebSocket socket;

    private DevTools(URI address) {
        this.socket =
                http.newWebSocketBuilder().buildAsync(address, new Reader()).join();
    }

    static DevTools connect(URI address) {
        return new DevTools(address);
    }

    /** Sends a command and waits for its response. {@code session} is empty for the browser itself. */
    JsonNode send(String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        ObjectNode command = JSON.createObjectNode().put("id", id).put("method", method);
        command.set("params", JSON.valueToTree(parameters));
        if (!session.isEmpty()) {
            command.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        synchronized (this) {
            socket.sendText(command.toString(), true).join();
        }
        try {
            JsonNode given = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (given.has("error")) {
                throw new IllegalStateException(method + ": " + given.path("error"));
            }
            return given.path("result");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        } catch (ExecutionException | TimeoutException silent) {
            throw new IllegalStateException("no answer to " + method, silent);
        }
    }

    /** Receives every later event. */
    void listen(Consumer<JsonNode> listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
    }

    private void received(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            if (message.has("id")) {
                CompletableFuture<JsonNode> answer =
                        waiting.remove(message.path("id").asInt());
                if (answer != null) {
                    answer.complete(message);
                }
            } else {
                listeners.forEach(listener -> listener.accept(message));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the browser sent invalid JSON", e);
        }
    }

    private final class Reader implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                String whole = message.toString();
                message.setLength(0);
                received(whole);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }
}
