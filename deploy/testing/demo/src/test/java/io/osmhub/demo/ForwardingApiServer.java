package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * What a command needs of the API server of a management cluster in which the hub runs as a pod: the list of its pods, the CA bundle
 * of its webhooks, tokens, and port-forwarding over WebSockets, as kube-apiserver and kubelet do it.
 */
final class ForwardingApiServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final int hubPort;
    private final String authority;
    private final String token;
    private final HttpServer server;
    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile boolean ready = true;
    volatile boolean forwards = true;
    volatile boolean tellsAuthority = true;
    volatile boolean issuesTokens = true;
    volatile boolean hasViewer = true;

    ForwardingApiServer(int hubPort, String authority, String token) throws Exception {
        this.hubPort = hubPort;
        this.authority = authority;
        this.token = token;
        this.server = vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").addWebSocketSubProtocol("v4.channel.k8s.io"))
                .requestHandler(this::answer)
                .listen(0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    /** Writes a kubeconfig for it. */
    Path kubeconfig(Path file) throws Exception {
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: forwarding
                contexts: [{name: forwarding, context: {cluster: c, user: u, namespace: cluster-0}}]
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: u, user: {token: of-the-kubeconfig}}]
                """.formatted(server.actualPort()));
    }

    private void answer(HttpServerRequest request) {
        requests.add(request.method() + " " + request.path());
        if (!"Bearer of-the-kubeconfig".equals(request.getHeader("Authorization"))) {
            request.response().setStatusCode(401).end();
            return;
        }
        switch (request.path()) {
            case "/api/v1/namespaces/osm-hub/pods" ->
                json(request, "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[" + pod() + "]}");
            case "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/osm-hub" -> {
                if (tellsAuthority) {
                    String bundle = Base64.getEncoder().encodeToString(authority.getBytes(UTF_8));
                    json(request, "{\"webhooks\":[{\"clientConfig\":{\"caBundle\":\"" + bundle + "\"}}]}");
                } else {
                    forbid(request);
                }
            }
            case "/api/v1/namespaces/team/serviceaccounts/ops/token" -> {
                if (issuesTokens) {
                    json(request, "{\"status\":{\"token\":\"" + token + "\"}}");
                } else {
                    forbid(request);
                }
            }
            case "/api/v1/namespaces/osm-hub/serviceaccounts/osm-hub-viewer/token" -> {
                if (hasViewer) {
                    json(request, "{\"status\":{\"token\":\"" + token + "\"}}");
                } else {
                    request.response().setStatusCode(404).end();
                }
            }
            case "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings" -> json(request, "{}");
            case "/api/v1/namespaces/osm-hub/serviceaccounts" -> {
                hasViewer = true;
                json(request, "{}");
            }
            case "/api/v1/namespaces/osm-hub/pods/osm-hub-1/portforward" -> {
                if (forwards) {
                    request.toWebSocket().onSuccess(this::relay);
                } else {
                    forbid(request);
                }
            }
            default -> request.response().setStatusCode(404).end();
        }
    }

    private static void json(HttpServerRequest request, String body) {
        request.response().putHeader("Content-Type", "application/json").end(body);
    }

    private static void forbid(HttpServerRequest request) {
        request.response()
                .setStatusCode(403)
                .putHeader("Content-Type", "application/json")
                .end("{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"message\":\"forbidden: "
                        + request.path() + "\"}");
    }

    /** Channel 0 has the data and channel 1 errors; each begins with the port. */
    private void relay(ServerWebSocket client) {
        client.pause();
        vertx.createNetClient().connect(hubPort, "127.0.0.1").onSuccess(hub -> {
            for (byte channel = 0; channel < 2; channel++) {
                client.writeBinaryMessage(Buffer.buffer().appendByte(channel).appendShortLE((short) 8443));
            }
            client.binaryMessageHandler(message -> toHub(hub, message));
            hub.handler(data -> client.writeBinaryMessage(
                    Buffer.buffer().appendByte((byte) 0).appendBuffer(data)));
            hub.closeHandler(closed -> client.close());
            client.closeHandler(closed -> hub.close());
            client.resume();
        });
    }

    private static void toHub(NetSocket hub, Buffer message) {
        if (message.length() > 1 && message.getByte(0) == 0) {
            hub.write(message.slice(1, message.length()));
        }
    }

    @Override
    public void close() {
        vertx.close();
    }

    private String pod() {
        return """
            {"metadata":{"name":"osm-hub-1","namespace":"osm-hub"},
            "spec":{"containers":[{"name":"hub","ports":[{"name":"api","containerPort":8443}]}]},
            "status":{"conditions":[{"type":"Ready","status":"%s"}]}}""".formatted(ready ? "True" : "False");
    }
}
