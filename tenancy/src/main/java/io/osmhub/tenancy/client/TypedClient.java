package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's typed client of the management cluster, for commands that change few objects or reach a pod of the hub. The service
 * does not use it, to save the start-up time and memory of its model classes (docs/adr/0003). Failures are the same as those of
 * other clients.
 */
public final class TypedClient implements AutoCloseable {
    private final KubernetesClient client;
    private final RequestObserver observer;

    TypedClient(KubernetesClient client, RequestObserver observer) {
        this.client = client;
        this.observer = observer;
    }

    /**
     * Waits for the response to one request; null if the request returns null, as fabric8 does for a missing object.
     *
     * @param verb for the observer, like {@code resource}, which is null for kinds that the service does not use
     */
    public <T extends @Nullable Object> T call(
            Verb verb, @Nullable Resource resource, Function<KubernetesClient, T> request) throws ApiFailure {
        long begun = System.nanoTime();
        try {
            T answer = request.apply(client);
            observer.onFinished(verb, resource, null, Fabric8KubeApi.since(begun));
            return answer;
        } catch (KubernetesClientException e) {
            ApiFailure failure = failure(e);
            observer.onFinished(verb, resource, failure, Fabric8KubeApi.since(begun));
            throw failure;
        }
    }

    /** Omits fabric8's message, which contains the whole response. */
    private ApiFailure failure(KubernetesClientException thrown) {
        Status status = thrown.getStatus();
        // 0 or -1 if there was no response.
        return thrown.getCode() <= ApiFailure.NO_ANSWER
                ? TransportFailures.of(thrown, false)
                : ErrorResponses.of(
                        thrown.getCode(),
                        status == null
                                ? new byte[0]
                                : client.getKubernetesSerialization()
                                        .asJson(status)
                                        .getBytes(UTF_8),
                        null,
                        Instant.now());
    }

    @Override
    public void close() {
        client.close();
    }
}
