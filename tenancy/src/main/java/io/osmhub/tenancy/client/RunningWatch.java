package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLines;
import io.osmhub.workersync.apiserver.ReceivedBytes;
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

/** A watch: one answer that goes on, cut into lines. One piece is asked for at a time, when the last is dealt with. */
final class RunningWatch implements Watch, AsyncBody.Consumer<List<ByteBuffer>> {
    private static final Logger LOG = LoggerFactory.getLogger(RunningWatch.class);

    private final FabricKubeApi api;
    private final ApiRequest request;
    private final WatchLines lines;
    private final LineSplitter splitter;
    // Only of a watch that was not accepted: a hub has thousands that were.
    private volatile FabricKubeApi.@Nullable Collector refusal;
    private volatile long begunNanos;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile @Nullable AsyncBody body;

    RunningWatch(FabricKubeApi api, ApiRequest request, WatchLines lines, ReceivedBytes begun) {
        this.api = api;
        this.request = request;
        this.lines = lines;
        this.splitter = new LineSplitter(begun, this::deliver);
    }

    /** Sends the watch when the server has room for it, and again after a 429; waits on a thread of its own. */
    void begin(HttpClient http, HttpRequest streaming) {
        Thread.startVirtualThread(() -> {
            try {
                api.budgeted(() -> send(http, streaming));
            } catch (ApiFailure failure) {
                try {
                    fail(failure);
                } catch (RuntimeException e) {
                    LOG.error("the receiver of {} failed", request, e);
                }
            }
        });
    }

    /** Waits until the server has accepted the watch; at once when it was stopped. */
    private boolean send(HttpClient http, HttpRequest streaming) throws ApiFailure {
        if (finished.get()) {
            return false;
        }
        begunNanos = System.nanoTime();
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
            throw FabricKubeApi.interrupted();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ApiFailure failure ? failure : api.failure(e);
        }
    }

    /** What the receiver of the lines throws would vanish in the future otherwise. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the chain
    private void reportBugs(CompletableFuture<Boolean> accepted, CompletableFuture<?> step) {
        step.exceptionally(thrown -> {
            Throwable cause =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (cause instanceof RuntimeException && !(cause instanceof CancellationException)) {
                LOG.error("the receiver of {} failed", request, cause);
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
        if (successful && !FabricKubeApi.isJson(head)) {
            stream.cancel();
            refused(accepted, api.notAnApiServer(head));
            return;
        }
        if (successful) {
            api.watchAnswered(request, null, begunNanos);
            accepted.complete(true);
            lines.opened();
        }
        FabricKubeApi.Collector refused = successful ? null : api.collectorOfRefusal();
        refusal = refused;
        reportBugs(accepted, stream.done().whenComplete((nothing, thrown) -> {
            if (refused == null) {
                over(thrown);
            } else {
                try {
                    refused(accepted, api.refusal(head, refused.bytes()));
                } finally {
                    refused.close();
                }
            }
        }));
        stream.consume();
    }

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody stream) {
        FabricKubeApi.Collector refused = refusal;
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
            LOG.error("an event of {} could not be taken", request, e);
            throw e;
        }
        if (!finished.get()) {
            stream.consume();
        }
    }

    private void deliver(byte[] line) {
        if (!finished.get()) {
            lines.line(line, api::withoutCredential);
        }
    }

    private void over(@Nullable Throwable thrown) {
        boolean withinLine = splitter.isWithinLine();
        splitter.clear();
        if (thrown != null) {
            fail(api.failure(thrown));
        } else if (withinLine) {
            fail(ApiFailure.noAnswer(ApiFailure.Cause.NO_CONNECTION, "the stream ended within an event"));
        } else if (finished.compareAndSet(false, true)) {
            lines.ended();
        }
    }

    /** The server did not accept the watch. */
    private void refused(CompletableFuture<Boolean> accepted, ApiFailure failure) {
        api.watchAnswered(request, failure, begunNanos);
        accepted.completeExceptionally(failure);
    }

    private void fail(ApiFailure failure) {
        if (finished.compareAndSet(false, true)) {
            lines.failed(failure);
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
