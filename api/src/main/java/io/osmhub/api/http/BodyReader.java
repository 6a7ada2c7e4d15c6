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

/** Receives a request body within limits of size and time. */
final class BodyReader {
    private static final int REQUEST_TIMEOUT = 408;

    private final HttpServerRequest request;
    private final Context context;
    private final HttpLimits limits;
    private final HttpObserver observer;

    /** The request must be paused. */
    BodyReader(HttpServerRequest request, Context context, HttpLimits limits, HttpObserver observer) {
        this.request = request;
        this.context = context;
        this.limits = limits;
        this.observer = observer;
    }

    /** Blocks until the body is complete. */
    byte[] readBody() throws ApiProblem, InterruptedException {
        if (declaredLength() > limits.bodyBytes()) {
            throw tooLarge();
        }
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        context.runOnContext(now -> collect(whole));
        Duration most = limits.receive();
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
        observer.onLimited(HttpObserver.LimitKind.BODY);
        return ApiProblem.of(
                ProblemType.TOO_LARGE,
                "the body has more than " + limits.bodyBytes()
                        + " bytes, which is the limit of this hub (api.maxBodySize)",
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
            if (buffer.length() + piece.length() > limits.bodyBytes()) {
                whole.completeExceptionally(tooLarge());
            } else {
                buffer.appendBuffer(piece);
            }
        });
        request.resume();
    }
}
