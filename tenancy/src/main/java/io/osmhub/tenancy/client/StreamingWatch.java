package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.ResponseBuffer;
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

/** A watch: a streamed response, split into lines. Requests one chunk at a time, after processing the previous one. */
final class StreamingWatch implements Watch, AsyncBody.Consumer<List<ByteBuffer>> {
    private static final Logger LOG = LoggerFactory.getLogger(StreamingWatch.class);

    private final Fabric8KubeApi api;
    private final ApiRequest request;
    private final WatchLineHandler lines;
    private final LineSplitter splitter;
    // Only for a rejected watch: the hub has thousands of accepted ones.
    private volatile Fabric8KubeApi.@Nullable ResponseCollector refusal;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile @Nullable AsyncBody body;

    StreamingWatch(Fabric8KubeApi api, ApiRequest request, WatchLineHandler lines, ResponseBuffer begun) {
        this.api = api;
        this.request = request;
        this.lines = lines;
        this.splitter = new LineSplitter(begun, this::deliver, this::skip);
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
        refusal = null;
        CompletableFuture<Boolean> accepted = new CompletableFuture<>();
        reportBugs(accepted, http.consumeBytes(streaming, this).whenComplete((head, thrown) -> {
            if (thrown != null) {
                refused(accepted, api.failure(thrown));
            } else {
                receive(head, accepted);
            }
        }));
        try {
            return accepted.get();
        } catch (InterruptedException e) {
            throw Fabric8KubeApi.interrupted();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ApiFailure failure ? failure : api.failure(e);
        }
    }

    /** Logs exceptions of the handler, which the future would swallow. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the chain
    private void reportBugs(CompletableFuture<Boolean> accepted, CompletableFuture<?> step) {
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

    private void receive(HttpResponse<AsyncBody> head, CompletableFuture<Boolean> accepted) {
        AsyncBody stream = head.body();
        body = stream;
        if (finished.get()) {
            stream.cancel();
            accepted.complete(false);
            return;
        }
        boolean successful = HttpResponse.isSuccessful(head.code());
        if (successful) {
            accepted.complete(true);
            lines.onOpened();
        }
        Fabric8KubeApi.ResponseCollector refused = successful ? null : new Fabric8KubeApi.ResponseCollector();
        refusal = refused;
        reportBugs(accepted, stream.done().whenComplete((nothing, thrown) -> {
            if (refused == null) {
                finish(thrown);
            } else {
                refused(accepted, api.refusal(head, refused.bytes()));
            }
        }));
        stream.consume();
    }

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody stream) {
        Fabric8KubeApi.ResponseCollector refused = refusal;
        if (refused != null) {
            refused.consume(chunks, stream);
            return;
        }
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
        } catch (RuntimeException e) {
            LOG.error("Cannot process event of {}", request, e);
            throw e;
        }
        if (!finished.get()) {
            stream.consume();
        }
    }

    private void deliver(byte[] line) {
        if (!finished.get()) {
            lines.onLine(line, api::redact);
        }
    }

    private void skip(MetadataScanner line, String why) {
        if (!finished.get()) {
            lines.onTooLarge(line, why);
        }
    }

    private void finish(@Nullable Throwable thrown) {
        boolean withinLine = splitter.isWithinLine();
        splitter.clear();
        if (thrown != null) {
            fail(api.failure(thrown));
        } else if (withinLine) {
            fail(ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.NO_CONNECTION, "the stream ended within an event"));
        } else if (finished.compareAndSet(false, true)) {
            lines.onEnded();
        }
    }

    /** The server rejected the watch. */
    private void refused(CompletableFuture<Boolean> accepted, ApiFailure failure) {
        accepted.completeExceptionally(failure);
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
