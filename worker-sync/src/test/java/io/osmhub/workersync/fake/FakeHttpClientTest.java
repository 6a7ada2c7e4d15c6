package io.osmhub.workersync.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeHttpClientTest {
    private final SimulatedServer server = new SimulatedServer(new VirtualTime());
    private final KubeApi api = server.api();

    private static Secret secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("one")
                .endMetadata()
                .addToStringData("a", "b")
                .build();
    }

    @Test
    void typedRequestsReachTheServerInMemory() throws ApiFailure {
        Secret created = api.call(client -> client.resource(secret()).create());

        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(server.object(Resource.SECRETS, "ns", "one")).isNotNull();
        Secret found = api.call(
                client -> client.secrets().inNamespace("ns").withName("one").get());
        Secret missing = api.call(
                client -> client.secrets().inNamespace("ns").withName("two").get());
        List<Secret> all =
                api.call(client -> client.secrets().inNamespace("ns").list().getItems());
        assertThat(found).isNotNull();
        assertThat(missing).isNull();
        assertThat(all).hasSize(1);
    }

    @Test
    void failuresAreThoseOfTheServer() throws ApiFailure {
        api.call(client -> client.resource(secret()).create());

        assertThatThrownBy(() -> api.call(client -> client.resource(secret()).create()))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.isAlreadyExists())
                        .isTrue());

        server.failEverything(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer"));
        assertThatThrownBy(() -> api.call(client -> client.resource(secret()).create()))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.kind())
                        .isEqualTo(ApiFailure.ApiFailureKind.TIMED_OUT));
    }
}
