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

/** The client's end of a stream: waits while the client reads slowly, and gives a client up that does not read. */
final class EventSink implements Reply.Sink {
    private final HttpServerResponse response;
    private final Context context;
    private final Duration patience;
    private final BooleanSupplier stillWelcome;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final List<Runnable> tasks = new ArrayList<>();

    /**
     * A stream whose headers are sent.
     *
     * @param patience until a piece is taken
     * @param stillWelcome whether the caller is still signed in; may wait
     */
    EventSink(HttpServerResponse response, Context context, Duration patience, BooleanSupplier stillWelcome) {
        this.response = response;
        this.context = context;
        this.patience = patience;
        this.stillWelcome = stillWelcome;
    }

    @Override
    public boolean send(String text) throws InterruptedException {
        if (gone()) {
            return false;
        }
        if (!stillWelcome.getAsBoolean()) {
            end();
            return false;
        }
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        context.runOnContext(now -> write(text, taken));
        try {
            CompletableFuture.anyOf(taken, over).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            end();
        }
        return !gone();
    }

    private void write(String text, CompletableFuture<Boolean> taken) {
        if (gone() || response.closed() || response.ended()) {
            taken.complete(false);
            return;
        }
        response.write(text).onFailure(broken -> end());
        if (response.writeQueueFull()) {
            response.drainHandler(now -> taken.complete(true));
        } else {
            taken.complete(true);
        }
    }

    @Override
    public boolean gone() {
        return over.isDone();
    }

    @Override
    public void whenGone(Runnable task) {
        boolean now;
        synchronized (tasks) {
            now = gone();
            if (!now) {
                tasks.add(task);
            }
        }
        if (now) {
            task.run();
        }
    }

    /** The client is gone, does not read, or the hub stops. May be called more than once, on any thread. */
    void end() {
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
