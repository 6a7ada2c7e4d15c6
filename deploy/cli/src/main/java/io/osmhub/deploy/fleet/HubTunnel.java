package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.tenancy.client.TypedClient;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hub's API through the management cluster: its API server forwards a port of the loopback interface to a pod of the hub, with
 * the permissions of the kubeconfig's user. The kubeconfig's own credential is never sent to the hub, which could use it elsewhere
 * and rejects it by default; the hub gets a token for its audience only.
 */
final class HubTunnel implements AutoCloseable {
    /** The names of the manifests. */
    private static final String NAME = "osm-hub";

    private static final String LABEL = "app.kubernetes.io/name";
    private static final String PORT_NAME = "api";
    private static final int USUAL_PORT = 8443;
    /** The default of {@code api.audiences}. */
    private static final String AUDIENCE = "osm-hub";

    private static final String FORWARD = "list the hub's pods and forward their ports";
    private static final String ELSEWHERE = ", or use the API's URL with --server";
    private static final Duration TOKEN_LIFETIME = Duration.ofHours(1);
    private static final Duration RENEWED_BEFORE_END = Duration.ofMinutes(10);

    private final FleetEndpoint remote;
    private final ManagementClient management;
    private final TypedClient typed;
    private final String pod;
    private final LocalPortForward forward;
    private @Nullable Sensitive token;
    private Instant renewAt = Instant.MIN;

    private HubTunnel(FleetEndpoint remote, ManagementClient management) throws FleetFailure {
        this.remote = remote;
        this.management = management;
        this.typed = management.forwarding();
        try {
            Pod found = findPod();
            this.pod = found.getMetadata().getName();
            this.forward = typed.call(Verb.GET, null, client -> client.pods()
                    .inNamespace(remote.tunnel().hubNamespace())
                    .withName(pod)
                    // Without an address, the port would be open on all interfaces.
                    .portForward(apiPort(found), InetAddress.getLoopbackAddress(), 0));
        } catch (ApiFailure e) {
            typed.close();
            throw explain(e, FORWARD);
        } catch (FleetFailure e) {
            typed.close();
            throw e;
        }
    }

    /** Finds a pod of the hub and listens on a free port; connects at the first request. */
    static HubTunnel open(FleetEndpoint remote) throws FleetFailure {
        ManagementClient management = ManagementClient.open(remote);
        try {
            String account = remote.tunnel().serviceAccount();
            if (remote.tokenFile() == null && !account.matches("[^/]+/[^/]+")) {
                throw FleetFailure.unusable(
                        account.isEmpty()
                                ? "no token for the hub's API: use --service-account NAMESPACE/NAME to request one with"
                                        + " your kubeconfig, or --token-file; with --server, use the API's URL"
                                : "--service-account " + account + ": expected NAMESPACE/NAME");
            }
            return new HubTunnel(remote, management);
        } catch (FleetFailure e) {
            management.close();
            throw e;
        }
    }

    private Pod findPod() throws ApiFailure, FleetFailure {
        String namespace = remote.tunnel().hubNamespace();
        List<Pod> pods = typed.call(Verb.LIST, null, client -> client.pods()
                .inNamespace(namespace)
                .withLabel(LABEL, NAME)
                .list()
                .getItems());
        return pods.stream()
                .filter(HubTunnel::isReady)
                .min(Comparator.comparing(each -> each.getMetadata().getName()))
                .orElseThrow(() -> FleetFailure.unreachable(
                        "no ready pod of the hub in namespace " + namespace + " of " + management.describe()
                                + "; check its Deployment, choose another namespace with --hub-namespace, or use the"
                                + " API's URL with --server"));
    }

    private static boolean isReady(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private static int apiPort(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> PORT_NAME.equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(USUAL_PORT);
    }

    private FleetFailure explain(ApiFailure failure, String purpose) {
        FleetFailure plain = FailureMessages.of(failure, management.describe());
        if (failure.isForbidden()) {
            return new FleetFailure(plain.kind(), failure.text() + "; ask for permission to " + purpose + ELSEWHERE);
        }
        return failure.isNotFound()
                ? new FleetFailure(
                        plain.kind(), failure.text() + "; check --service-account and --hub-namespace" + ELSEWHERE)
                : plain;
    }

    /** The hub issues its certificate also for this address. */
    URI address() {
        return URI.create("https://127.0.0.1:" + forward.getLocalPort());
    }

    /**
     * The certificate authority of the hub as the management cluster knows it, in PEM: that of its webhooks. Empty if it may not be
     * read.
     */
    String authorities() throws FleetFailure {
        try {
            JsonNode webhooks = WireJson.read(management
                            .management()
                            .send(ApiRequest.get(Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "", NAME)))
                    .path("webhooks");
            String bundle = webhooks.path(0).at("/clientConfig/caBundle").asText();
            return new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.US_ASCII);
        } catch (ApiFailure e) {
            if (e.isForbidden() || e.isNotFound()) {
                return "";
            }
            throw FailureMessages.of(e, management.describe());
        } catch (IOException | IllegalArgumentException e) {
            return "";
        }
    }

    /** A token of the chosen ServiceAccount for the hub only; renewed in time for commands that follow changes. */
    synchronized Sensitive token() throws FleetFailure {
        Sensitive known = token;
        if (known != null && Instant.now().isBefore(renewAt)) {
            return known;
        }
        String[] account = remote.tunnel().serviceAccount().split("/", 2);
        ObjectNode request = WireJson.object();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        ObjectNode spec = request.putObject("spec").put("expirationSeconds", TOKEN_LIFETIME.toSeconds());
        spec.putArray("audiences").add(AUDIENCE);
        try {
            JsonNode status = WireJson.read(management
                            .management()
                            .send(new ApiRequest(
                                    Verb.CREATE,
                                    Resource.SERVICE_ACCOUNTS,
                                    account[0],
                                    account[1],
                                    "token",
                                    new TreeMap<>(),
                                    ApiRequest.JSON,
                                    WireJson.text(request))))
                    .path("status");
            Sensitive issued = new Sensitive(status.path("token").asText());
            if (issued.reveal().isEmpty()) {
                throw new IOException("no token");
            }
            token = issued;
            renewAt = Instant.now().plus(TOKEN_LIFETIME).minus(RENEWED_BEFORE_END);
            return issued;
        } catch (ApiFailure e) {
            throw explain(
                    e, "request tokens of ServiceAccount " + remote.tunnel().serviceAccount());
        } catch (IOException e) {
            throw FleetFailure.unreachable("unexpected response from " + management.describe() + ": no token");
        }
    }

    /** Why the API server does not forward; null if it did not refuse. */
    @Nullable FleetFailure refusal() {
        for (Throwable thrown : forward.getServerThrowables()) {
            if (thrown instanceof WebSocketHandshakeException refused) {
                int code = refused.getResponse().code();
                return code == HttpURLConnection.HTTP_FORBIDDEN
                        ? new FleetFailure(
                                FleetFailureKind.NOT_ALLOWED,
                                "not allowed to reach " + describe() + "; ask for permission to " + FORWARD + ELSEWHERE)
                        : FleetFailure.unreachable("cannot reach " + describe() + ": forwarding failed with code "
                                + code + "; try again" + ELSEWHERE);
            }
        }
        return null;
    }

    /** The pod and the management cluster, for messages. */
    String describe() {
        return "pod " + remote.tunnel().hubNamespace() + "/" + pod + " at " + management.describe();
    }

    @Override
    public void close() {
        try {
            forward.close();
        } catch (IOException e) {
            // Its connections end with the client.
        }
        typed.close();
        management.close();
    }
}
