package io.osmhub.api.http;

import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Client side of a stream: blocks while the client reads slowly, and disconnects one that stopped reading. */
final class HttpEventSink implements Reply.ReplySink {
    private final HttpServerResponse response;
    private final Context context;
    private final Duration patience;
    private final BooleanSupplier stillWelcome;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final List<Runnable> tasks = new ArrayList<>();

    /**
     * A stream whose headers are sent.
     *
     * @param patience write timeout
     * @param stillWelcome whether the caller is still signed in; may block
     */
    HttpEventSink(HttpServerResponse response, Context context, Duration patience, BooleanSupplier stillWelcome) {
        this.response = response;
        this.context = context;
        this.patience = patience;
        this.stillWelcome = stillWelcome;
    }

    @Override
    public boolean send(String text) throws InterruptedException {
        if (isClosed()) {
            return false;
        }
        if (!stillWelcome.getAsBoolean()) {
            close();
            return false;
        }
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        context.runOnContext(now -> write(text, taken));
        try {
            CompletableFuture.anyOf(taken, over).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            close();
        }
        return !isClosed();
    }

    private void write(String text, CompletableFuture<Boolean> taken) {
        if (isClosed() || response.closed() || response.ended()) {
            taken.complete(false);
            return;
        }
        response.write(text).onFailure(broken -> close());
        if (response.writeQueueFull()) {
            response.drainHandler(now -> taken.complete(true));
        } else {
            taken.complete(true);
        }
    }

    @Override
    public boolean isClosed() {
        return over.isDone();
    }

    @Override
    public void onClose(Runnable task) {
        boolean now;
        synchronized (tasks) {
            now = isClosed();
            if (!now) {
                tasks.add(task);
            }
        }
        if (now) {
            task.run();
        }
    }

    /** Ends the stream on disconnect, timeout or shutdown. Idempotent; called on any thread. */
    void close() {
        List<Runnable> waiting;
        synchronized (tasks) {
            if (!over.complete(true)) {
                return;
            }
            waiting = List.copyOf(tasks);
            tasks.clear();
        }
        waiting.forEach(Runnable::run);
    }
}
