package io.osmhub.sim.faults;

import io.osmhub.sim.faults.FaultProxy.Upstream;
import io.osmhub.sim.http.EventLoop;
import io.osmhub.sim.http.ResponseStream;
import io.osmhub.sim.http.SimulatedRequest;
import io.osmhub.sim.http.SimulatedResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Another API server behind a proxy, for example a real one. Credentials other than tokens do not reach it. */
public final class RemoteApiServer implements Upstream {
    // They belong to one connection.
    private static final Set<String> HOP_HEADERS =
            Set.of("connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade");

    private final HttpClient client;
    private final String url;

    public RemoteApiServer(Vertx vertx, String url, String caPem) {
        this.url = url;
        // HTTP/1.1 uses a connection per watch, so that one that is not read holds up no other.
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setSsl(true)
                .setMaxPoolSize(1000)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(caPem))));
    }

    @Override
    public Future<SimulatedResponse> send(SimulatedRequest request) {
        RequestOptions options = new RequestOptions()
                .setAbsoluteURI(url + request.http().uri())
                .setMethod(HttpMethod.valueOf(request.http().method()));
        request.http().headers().forEach((name, value) -> {
            if (!isOfHop(name)) {
                options.addHeader(name, value);
            }
        });
        return client.request(options)
                .compose(sent -> sent.send(Buffer.buffer(request.http().body())))
                .map(RemoteApiServer::toResponse);
    }

    private static boolean isOfHop(String header) {
        return header.startsWith(":") || HOP_HEADERS.contains(header.toLowerCase(java.util.Locale.ROOT));
    }

    private static SimulatedResponse toResponse(HttpClientResponse response) {
        response.pause();
        TreeMap<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().forEach((name, value) -> {
            if (!isOfHop(name)) {
                headers.put(name, value);
            }
        });
        return new SimulatedResponse(response.statusCode(), headers, new byte[0], new RemoteStream(response));
    }

    /** Reads the next piece when the client has taken the previous one. */
    private record RemoteStream(HttpClientResponse response) implements ResponseStream {
        @Override
        public Runnable start(EventLoop loop, Function<byte[], CompletionStage<?>> write, Runnable end) {
            response.handler(
                    piece -> loop.execute(() -> write.apply(piece.getBytes()).thenRun(() -> response.fetch(1))));
            response.endHandler(_ -> loop.execute(end));
            response.exceptionHandler(_ -> loop.execute(end));
            response.fetch(1);
            return this::discard;
        }

        @Override
        public void discard() {
            response.request().reset();
        }
    }
}
