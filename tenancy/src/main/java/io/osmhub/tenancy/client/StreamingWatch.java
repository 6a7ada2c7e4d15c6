package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MetadataScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A watch: a streamed response, split into events. Requests one chunk at a time, after processing the previous one. */
final class StreamingWatch implements Watch, AsyncBody.Consumer<List<ByteBuffer>>, ItemSplitter.ItemHandler {
    private static final Logger LOG = LoggerFactory.getLogger(StreamingWatch.class);

    private final Fabric8KubeApi api;
    private final ApiRequest request;
    private final WatchLineHandler lines;
    private final ItemSplitter splitter;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile @Nullable AsyncBody body;

    StreamingWatch(Fabric8KubeApi api, ApiRequest request, WatchLineHandler lines, TransportOptions options) {
        this.api = api;
        this.request = request;
        this.lines = lines;
        this.splitter = ItemSplitter.ofWatch(options.limits().lineBytes(), options.share(), this);
    }

    /** Sends the watch when the server has capacity, and again after a 429; blocks on a separate thread. */
    void begin(HttpClient http, HttpRequest streaming) {
        Thread.startVirtualThread(() -> {
            try {
                api.budgeted(() -> send(http, streaming));
            } catch (ApiFailure failure) {
                try {
                    fail(failure);
                } catch (RuntimeException e) {
                    LOG.error("Watch handler failed: {}", request, e);
                }
            }
        });
    }

    /** Waits until the server accepts the watch; returns at once if it was stopped. */
    private boolean send(HttpClient http, HttpRequest streaming) throws ApiFailure {
        if (finished.get()) {
            return false;
        }
        CompletableFuture<Boolean> accepted = new CompletableFuture<>();
        reportFailures(
                accepted,
                http.consumeBytes(streaming, this).thenAccept(head -> receive(head.body(), head.code(), accepted)));
        try {
            return accepted.get();
        } catch (InterruptedException e) {
            throw Fabric8KubeApi.interrupted();
        } catch (ExecutionException | CancellationException e) {
            throw api.failure(e);
        }
    }

    /** Ends the wait for the server's acceptance, and logs exceptions of the handler, which the future would swallow. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the chain
    private void reportFailures(CompletableFuture<Boolean> accepted, CompletableFuture<?> step) {
        step.exceptionally(thrown -> {
            Throwable cause =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (cause instanceof RuntimeException && !(cause instanceof CancellationException)) {
                LOG.error("Watch handler failed: {}", request, cause);
            }
            accepted.completeExceptionally(cause);
            return null;
        });
    }

    private void receive(AsyncBody stream, int code, CompletableFuture<Boolean> accepted) {
        body = stream;
        if (finished.get()) {
            stream.cancel();
            accepted.complete(false);
            return;
        }
        if (!HttpResponse.isSuccessful(code)) {
            // Fails with the error response, which the transport collects.
            reportFailures(accepted, stream.done());
            return;
        }
        accepted.complete(true);
        lines.onOpened();
        reportFailures(accepted, stream.done().whenComplete((nothing, thrown) -> finish(thrown)));
        stream.consume();
    }

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody stream) {
        if (finished.get()) {
            return;
        }
        try {
            for (ByteBuffer chunk : chunks) {
                splitter.add(chunk);
            }
        } catch (ApiFailure tooMuch) {
            fail(tooMuch);
            stream.cancel();
        } catch (IOException e) {
            fail(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, String.valueOf(e.getMessage())));
            stream.cancel();
        } catch (RuntimeException e) {
            LOG.error("Cannot process event of {}", request, e);
            throw e;
        }
        if (!finished.get()) {
            stream.consume();
        }
    }

    @Override
    public void onItem(byte[] json) {
        if (!finished.get()) {
            lines.onLine(json, api::redact);
        }
    }

    @Override
    public void onTooLarge(MetadataScanner event, String why) {
        if (!finished.get()) {
            lines.onTooLarge(event, why);
        }
    }

    private void finish(@Nullable Throwable thrown) {
        boolean withinEvent = splitter.isWithinItem();
        splitter.clear();
        if (thrown != null) {
            fail(api.failure(thrown));
        } else if (withinEvent) {
            fail(ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.NO_CONNECTION, "the stream ended within an event"));
        } else if (finished.compareAndSet(false, true)) {
            lines.onEnded();
        }
    }

    private void fail(ApiFailure failure) {
        if (finished.compareAndSet(false, true)) {
            lines.onFailed(failure);
        }
    }

    @Override
    public void stop() {
        finished.set(true);
        AsyncBody stream = body;
        if (stream != null) {
            stream.cancel();
        }
    }
}
