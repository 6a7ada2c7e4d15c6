package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.osmhub.workersync.apiserver.WriteGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * fabric8's HTTP client over Vert.x, for one API server. Unlike fabric8's own Vert.x module it uses a single HTTP/2 connection,
 * connects to a given address while verifying the certificate for the name, and accepts keys and certificates as values only
 * (docs/adr/0003). No WebSockets: watches are streams of the same connection.
 */
final class Transport extends StandardHttpClient<Transport, TransportFactory, TransportBuilder> {
    private final ServerConnection serverConnection;

    Transport(TransportBuilder builder, ServerConnection serverConnection) {
        super(builder, serverConnection.closed());
        this.serverConnection = serverConnection;
    }

    ServerConnection line() {
        return serverConnection;
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return new TransportExchange(serverConnection, WriteGuard.of(this), request, consumer).begin();
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder webSocketBuilder, WebSocket.Listener listener) {
        return CompletableFuture.failedFuture(
                new IOException("WebSockets are not supported: watches are HTTP streams"));
    }

    @Override
    protected void doClose() {
        serverConnection.close();
    }
}
