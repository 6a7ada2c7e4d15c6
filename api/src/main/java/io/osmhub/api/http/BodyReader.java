package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;

/** Receives a request body within limits of size and time. */
public final class BodyReader {
    private static final int REQUEST_TIMEOUT = 408;
    private static final Duration BUSY = Duration.ofSeconds(1);

    private final HttpServerRequest request;
    private final Context context;
    private final BodyLimits limits;

    /**
     * Limits of a body.
     *
     * @param bytes most bytes
     * @param time for the whole body
     * @param memory receives the size of each piece on the event loop; returns false if there is no memory for it
     * @param onTooLarge called for a body with more bytes
     */
    public record BodyLimits(long bytes, Duration time, IntPredicate memory, Runnable onTooLarge) {}

    /**
     * The request must be paused.
     *
     * @param context of the request
     */
    public BodyReader(HttpServerRequest request, Context context, BodyLimits limits) {
        this.request = request;
        this.context = context;
        this.limits = limits;
    }

    /** Blocks until the body is complete. After a failure, no memory is requested any more. */
    public byte[] readBody() throws ApiProblem, InterruptedException {
        if (declaredLength() > limits.bytes()) {
            throw tooLarge();
        }
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        context.runOnContext(now -> collect(whole));
        Duration most = limits.time();
        try {
            return whole.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ApiProblem.badRequest("the body was not received within " + most.toSeconds() + " s; nothing was done")
                    .status(REQUEST_TIMEOUT);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiProblem problem) {
                throw problem;
            }
            throw ApiProblem.badRequest("the body is incomplete; nothing was done");
        } finally {
            whole.cancel(false);
        }
    }

    private long declaredLength() throws ApiProblem {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            throw ApiProblem.badRequest("Content-Length is not a number of bytes");
        }
    }

    private ApiProblem tooLarge() {
        limits.onTooLarge().run();
        return ApiProblem.of(
                ProblemType.TOO_LARGE,
                "the body has more than " + limits.bytes() + " bytes, which is the limit of this hub",
                List.of());
    }

    private void collect(CompletableFuture<byte[]> whole) {
        Buffer buffer = Buffer.buffer();
        request.exceptionHandler(whole::completeExceptionally);
        request.endHandler(end -> whole.complete(buffer.getBytes()));
        request.handler(piece -> {
            if (whole.isDone()) {
                return;
            }
            if (buffer.length() + piece.length() > limits.bytes()) {
                whole.completeExceptionally(tooLarge());
            } else if (!limits.memory().test(piece.length())) {
                whole.completeExceptionally(ApiProblem.unavailable("too many large concurrent requests", BUSY));
            } else {
                buffer.appendBuffer(piece);
            }
        });
        request.resume();
    }
}
