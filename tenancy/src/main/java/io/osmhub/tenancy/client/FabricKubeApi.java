package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.tenancy.client.ServerAccess.SignIn;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.Cause;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.HeardWork;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Requests and watches over fabric8's HTTP client. Names no object's content and no credential in any message. */
final class FabricKubeApi implements KubeApi {
    private static final int READABLE_REFUSAL = 64 * 1024;
    private static final String AGENT = "osm-hub";

    private final HttpClient http;
    private final ServerAccess access;
    private final ClientLimits limits;
    private final RequestObserver observer;
    private volatile @Nullable TlsRefusal tlsRefusal;

    FabricKubeApi(HttpClient http, ServerAccess access, ClientLimits limits, RequestObserver observer) {
        this.http = http;
        this.access = access;
        this.limits = limits;
        this.observer = observer;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        RequestListener listener = HeardWork.listener();
        return listener == null ? exchange(request).body() : heard(request, listener);
    }

    private byte[] heard(ApiRequest request, RequestListener listener) throws ApiFailure {
        long begun = System.nanoTime();
        try {
            Reading reading = exchange(request);
            listener.answered(request, reading.status(), null, since(begun));
            return reading.body();
        } catch (ApiFailure failure) {
            listener.answered(request, failure.code(), failure, since(begun));
            throw failure;
        }
    }

    private Reading exchange(ApiRequest request) throws ApiFailure {
        return exchange(request.verb(), request.resource(), request.uri(), request.contentType(), request.body());
    }

    /** Reads a path that belongs to no resource, such as {@code /version}. */
    Reading read(String path) throws ApiFailure {
        return exchange(Verb.GET, null, path, "", null);
    }

    /** As {@link #send}, with the time that the server told. */
    Reading exchange(Verb verb, @Nullable Resource resource, String uri, String contentType, @Nullable String body)
            throws ApiFailure {
        long begun = System.nanoTime();
        try {
            Reading reading = answer(request(verb, uri, contentType, body).build());
            observer.finished(verb, resource, null, since(begun));
            return reading;
        } catch (ApiFailure failure) {
            observer.finished(verb, resource, failure, since(begun));
            throw failure;
        }
    }

    private Reading answer(HttpRequest request) throws ApiFailure {
        Collector collector = new Collector(limits.answerBytes());
        try {
            HttpResponse<AsyncBody> head = http.consumeBytes(request, collector).get();
            try {
                head.body().consume();
                head.body().done().get();
            } catch (InterruptedException e) {
                head.body().cancel();
                throw e;
            } catch (ExecutionException | CancellationException e) {
                if (!collector.isTooLarge()) {
                    throw e;
                }
            }
            if (collector.isTooLarge()) {
                throw tooLarge();
            }
            return read(head, collector.bytes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.noAnswer(Cause.CLOSED, "given up by the hub");
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (CancellationException e) {
            throw failure(e);
        }
    }

    private Reading read(HttpResponse<AsyncBody> head, byte[] body) throws ApiFailure {
        if (!HttpResponse.isSuccessful(head.code())) {
            throw refusal(head, body);
        }
        if (body.length > 0 && !isJson(head)) {
            throw notAnApiServer(head);
        }
        return new Reading(head.code(), body, Refusals.date(head.header("Date")));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLines lines) {
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        RunningWatch watch = new RunningWatch(this, request, lines, limits.lineBytes());
        watch.begin(http, streaming);
        return watch;
    }

    private HttpRequest.Builder request(Verb verb, String uri, String contentType, @Nullable String body) {
        // Without a time limit of the library's: its alarms are one queue for the whole process, under one lock. The
        // transport has its own.
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(access.server().getScheme() + "://" + access.server().getRawAuthority() + access.basePath() + uri)
                .header("Accept", "application/json")
                .header("User-Agent", AGENT);
        if (access.signIn() instanceof SignIn.Token(var token)) {
            request.setHeader("Authorization", "Bearer " + token.reveal());
        }
        return body == null
                ? request.method(verb.method(), null, (String) null)
                : request.method(verb.method(), contentType, body);
    }

    ApiFailure refusal(HttpResponse<AsyncBody> head, byte[] body) {
        Instant serverTime = Refusals.date(head.header("Date"));
        return withoutCredential(Refusals.of(
                head.code(), body, head.header("Retry-After"), serverTime == null ? Instant.now() : serverTime));
    }

    /** Some servers repeat in their message what they were sent. */
    private ApiFailure withoutCredential(ApiFailure failure) {
        return access.signIn() instanceof SignIn.Token(var token)
                        && failure.text().contains(token.reveal())
                ? new ApiFailure(
                        failure.why(),
                        failure.code(),
                        failure.reason(),
                        failure.text().replace(token.reveal(), token.toString()),
                        failure.retryAfter())
                : failure;
    }

    ApiFailure failure(Throwable thrown) {
        TlsRefusal refused = Failures.tlsRefusal(thrown);
        if (refused != null) {
            tlsRefusal = refused;
        }
        return Failures.of(thrown, http.isClosed());
    }

    static boolean isJson(HttpResponse<AsyncBody> head) {
        String type = head.header("Content-Type");
        return type != null && type.startsWith("application/json");
    }

    static ApiFailure notAnApiServer(HttpResponse<AsyncBody> head) {
        return ApiFailure.noAnswer(
                Cause.UNREADABLE,
                "answered with " + (head.header("Content-Type") == null ? "no type" : head.header("Content-Type"))
                        + " instead of JSON; this is no Kubernetes API server");
    }

    private ApiFailure tooLarge() {
        return ApiFailure.noAnswer(Cause.UNREADABLE, "the answer is larger than " + limits.answerBytes() + " B");
    }

    void watchAnswered(ApiRequest request, @Nullable ApiFailure failure, long begunNanos) {
        observer.finished(request.verb(), request.resource(), failure, since(begunNanos));
    }

    static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    /** Why the server's certificate was last refused; null when it never was. */
    @Nullable TlsRefusal lastTlsRefusal() {
        return tlsRefusal;
    }

    /** Gathers an answer. Used by one thread at a time. */
    static final class Collector implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        private final int most;
        private volatile boolean tooLarge;

        Collector(int most) {
            this.most = most;
        }

        static Collector ofRefusal() {
            return new Collector(READABLE_REFUSAL);
        }

        @Override
        public void consume(List<ByteBuffer> chunks, AsyncBody body) {
            for (ByteBuffer chunk : chunks) {
                if (bytes.size() + chunk.remaining() > most) {
                    tooLarge = true;
                    body.cancel();
                    return;
                }
                bytes.write(chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.remaining());
            }
            body.consume();
        }

        boolean isTooLarge() {
            return tooLarge;
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}
