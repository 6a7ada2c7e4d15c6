package io.osmhub.deploy.fleet;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The hub's API through the management cluster: its API server forwards a port of the loopback interface to a pod of the hub, with
 * the permissions of the kubeconfig's user.
 */
final class HubTunnel implements AutoCloseable {
    /** The names of the manifests. */
    private static final String NAME = "osm-hub";

    private static final String LABEL = "app.kubernetes.io/name";
    private static final String PORT_NAME = "api";
    private static final int USUAL_PORT = 8443;
    private static final String FORWARD = "list the hub's pods and forward their ports";

    private final FleetEndpoint endpoint;
    private final ManagementClient management;
    private final KubernetesClient typed;
    private final String pod;
    private final LocalPortForward forward;

    /** Finds a pod of the hub and listens on a free port; connects at the first request. */
    HubTunnel(FleetEndpoint endpoint, ManagementClient management) {
        this.endpoint = endpoint;
        this.management = management;
        this.typed = management.forwarding();
        try {
            Pod found = findPod();
            this.pod = found.getMetadata().getName();
            this.forward = KubeApi.call(typed, UnaryOperator.identity(), client -> client.pods()
                    .inNamespace(endpoint.tunnel().hubNamespace())
                    .withName(pod)
                    // Without an address, the port would be open on all interfaces.
                    .portForward(apiPort(found), InetAddress.getLoopbackAddress(), 0));
        } catch (ApiFailure e) {
            typed.close();
            throw AccountCredential.explain(e, management, FORWARD);
        } catch (CommandFailure e) {
            typed.close();
            throw e;
        }
    }

    private Pod findPod() throws ApiFailure {
        String namespace = endpoint.tunnel().hubNamespace();
        List<Pod> pods = KubeApi.call(typed, UnaryOperator.identity(), client -> client.pods()
                .inNamespace(namespace)
                .withLabel(LABEL, NAME)
                .list()
                .getItems());
        return pods.stream()
                .filter(HubTunnel::isReady)
                .min(Comparator.comparing(each -> each.getMetadata().getName()))
                .orElseThrow(() -> CommandFailure.unreachable(
                        "no ready pod of the hub in namespace " + namespace + " of " + management.describe()
                                + "; check its Deployment, choose another namespace with --hub-namespace, or use the"
                                + " API's URL with hub login --server"));
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

    /** The hub issues its certificate also for this address. */
    URI address() {
        return URI.create("https://127.0.0.1:" + forward.getLocalPort());
    }

    /** Why the API server does not forward; null if it did not refuse. */
    @Nullable CommandFailure refusal() {
        for (Throwable thrown : forward.getServerThrowables()) {
            if (thrown instanceof WebSocketHandshakeException refused) {
                int code = refused.getResponse().code();
                return code == HttpURLConnection.HTTP_FORBIDDEN
                        ? new CommandFailure(
                                CommandFailureKind.NOT_ALLOWED,
                                "not allowed to reach " + describe() + "; ask for permission to " + FORWARD
                                        + AccountCredential.ELSEWHERE)
                        : CommandFailure.unreachable("cannot reach " + describe() + ": forwarding failed with code "
                                + code + "; try again" + AccountCredential.ELSEWHERE);
            }
        }
        return null;
    }

    /** The pod and the management cluster, for messages. */
    String describe() {
        return "pod " + endpoint.tunnel().hubNamespace() + "/" + pod + " at " + management.describe();
    }

    @Override
    public void close() {
        try {
            forward.close();
        } catch (IOException e) {
            // Its connections end with the client.
        }
        typed.close();
    }
}
