package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.RequestInfo;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** fabric8's HTTP client over a server in memory. Each response is complete when the request returns. */
final class FakeHttpClient extends StandardHttpClient<FakeHttpClient, FakeHttpClient.Factory, FakeHttpClient.Builder> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Config CONFIG = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://server.invalid")
            .withRequestRetryBackoffLimit(0)
            .build();
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization(new ObjectMapper(), false);

    private final ServerHandler server;

    private FakeHttpClient(Builder builder, ServerHandler server) {
        super(builder, new AtomicBoolean());
        this.server = server;
    }

    static KubernetesClient client(ServerHandler server) {
        return new KubernetesClientBuilder()
                .withConfig(CONFIG)
                .withKubernetesSerialization(SERIALIZATION)
                .withTaskExecutor(Runnable::run)
                .withHttpClientFactory(new Factory(server))
                .build();
    }

    record Factory(ServerHandler server) implements HttpClient.Factory {
        @Override
        public Builder newBuilder() {
            return new Builder(this);
        }
    }

    static final class Builder extends StandardHttpClientBuilder<FakeHttpClient, Factory, Builder> {
        Builder(Factory factory) {
            super(factory);
        }

        @Override
        public FakeHttpClient build() {
            return new FakeHttpClient(this, clientFactory.server());
        }

        @Override
        protected Builder newInstance(Factory factory) {
            return new Builder(factory);
        }
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            return CompletableFuture.completedFuture(
                    new Response(request, 200, Map.of(), server.send(parse(request)), consumer));
        } catch (ApiFailure failure) {
            return failure.kind() == ApiFailure.ApiFailureKind.ANSWERED
                    ? CompletableFuture.completedFuture(refusal(request, failure, consumer))
                    : CompletableFuture.failedFuture(new IOException(failure));
        }
    }

    private static Response refusal(
            HttpRequest request, ApiFailure failure, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        ObjectNode status = JSON.createObjectNode();
        status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
        status.put("code", failure.code()).put("reason", failure.reason()).put("message", failure.text());
        Map<String, List<String>> headers = failure.retryAfter() == null
                ? Map.of()
                : Map.of(
                        "Retry-After",
                        List.of(Long.toString(failure.retryAfter().toSeconds())));
        return new Response(request, failure.code(), headers, status.toString().getBytes(UTF_8), consumer);
    }

    private static ApiRequest parse(StandardHttpRequest request) {
        URI uri = request.uri();
        RequestInfo info = RequestInfo.of(request.method(), uri.getRawPath(), uri.getRawQuery());
        SortedMap<String, String> query = new TreeMap<>();
        if (uri.getRawQuery() != null) {
            for (String parameter : uri.getRawQuery().split("&")) {
                String[] parts = parameter.split("=", 2);
                query.put(decode(parts[0]), parts.length == 1 ? "" : decode(parts[1]));
            }
        }
        String contentType = request.getContentType();
        return new ApiRequest(
                info.verb(),
                Objects.requireNonNull(info.kind(), "not a resource of the hub: " + uri),
                info.namespace(),
                info.name(),
                info.subresource(),
                query,
                contentType == null ? "" : contentType,
                body(request));
    }

    private static @Nullable String body(StandardHttpRequest request) {
        return switch (request.body()) {
            case null -> null;
            case StandardHttpRequest.StringBodyContent text -> text.getContent();
            case StandardHttpRequest.ByteArrayBodyContent bytes -> new String(bytes.getContent(), UTF_8);
            default -> throw new IllegalArgumentException("a body of this kind is not supported");
        };
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder webSocketBuilder, WebSocket.Listener listener) {
        return CompletableFuture.failedFuture(new IOException("not supported"));
    }

    @Override
    protected void doClose() {
        // No connection.
    }

    private static final class Response extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {
        private final HttpRequest request;
        private final int code;
        private final byte[] content;
        private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
        private boolean delivered;
        private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

        Response(
                HttpRequest request,
                int code,
                Map<String, List<String>> headers,
                byte[] content,
                AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            super(headers);
            this.request = request;
            this.code = code;
            this.content = content;
            this.consumer = consumer;
        }

        @Override
        public int code() {
            return code;
        }

        @Override
        public AsyncBody body() {
            return this;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public void consume() {
            if (delivered) {
                return; // the consumer requests more from within
            }
            delivered = true;
            try {
                consumer.consume(List.of(ByteBuffer.wrap(content)), this);
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }
}
