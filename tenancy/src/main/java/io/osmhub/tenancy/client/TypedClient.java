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
 * fabric8's typed client of the management cluster over the hub's transport, for commands that change few objects: its model classes cost
 * start-up time and memory that the service does not spend (docs/adr/0003). Its failures are those of every other client.
 */
public final class TypedClient implements AutoCloseable {
    private final KubernetesClient client;
    private final RequestObserver observer;

    TypedClient(KubernetesClient client, RequestObserver observer) {
        this.client = client;
        this.observer = observer;
    }

    /**
     * Waits for the answer to one request; null when the request returns null, as fabric8 does for an object that does not exist.
     *
     * @param verb and resource of the request, for the observer
     */
    public <T extends @Nullable Object> T call(Verb verb, Resource resource, Function<KubernetesClient, T> request)
            throws ApiFailure {
        long begun = System.nanoTime();
        try {
            T answer = request.apply(client);
            observer.finished(verb, resource, null, FabricKubeApi.since(begun));
            return answer;
        } catch (KubernetesClientException e) {
            ApiFailure failure = failure(e);
            observer.finished(verb, resource, failure, FabricKubeApi.since(begun));
            throw failure;
        }
    }

    /** Without fabric8's own message, which holds the whole answer. */
    private ApiFailure failure(KubernetesClientException thrown) {
        Status status = thrown.getStatus();
        // It is 0 or -1 when there was no answer.
        return thrown.getCode() <= ApiFailure.NO_ANSWER
                ? Failures.of(thrown, false)
                : Refusals.of(
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
