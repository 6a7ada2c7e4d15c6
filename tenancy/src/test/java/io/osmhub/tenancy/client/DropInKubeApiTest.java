package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DropInKubeApiTest {
    private static final String STORED = """
            {"metadata":{"name":"x","resourceVersion":"7","annotations":{"old":"1","kept":"2"}},"data":{"a":"MQ=="}}""";

    private final List<ApiRequest> sent = new ArrayList<>();

    /** An API server that forbids some verbs and returns one object for the others. */
    private KubeApi api(Set<Verb> forbidden) {
        return new DropInKubeApi(new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                sent.add(request);
                if (forbidden.contains(request.verb())) {
                    throw new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null);
                }
                return STORED.getBytes(UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                throw new IllegalStateException("nothing is watched here");
            }
        });
    }

    private static ApiRequest patch(Resource resource) {
        return ApiRequest.patch(
                resource,
                "cloud-init-settings",
                "x",
                ApiRequest.MERGE_PATCH,
                "{\"metadata\":{\"annotations\":{\"old\":null,\"new\":\"3\"}},\"data\":{\"a\":\"Mg==\"}}");
    }

    @Test
    void aSecretThatMayNotBePatchedIsReadAndReplacedInTheVersionThatWasRead() throws ApiFailure {
        api(Set.of(Verb.PATCH)).send(patch(Resource.SECRETS));

        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.PATCH, Verb.GET, Verb.UPDATE);
        assertThat(sent.getLast().body())
                .isEqualTo(
                        "{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"7\",\"annotations\":{\"kept\":\"2\",\"new\":\"3\"}},\"data\":{\"a\":\"Mg==\"}}");
    }

    @Test
    void aTokenThatMayNotBeDeletedIsLeftToExpire() throws ApiFailure {
        api(Set.of(Verb.DELETE)).send(ApiRequest.delete(Resource.SECRETS, "kube-system", "x", "u", null));

        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.DELETE);
    }

    @Test
    void otherSecretsMustGo() {
        assertThatThrownBy(() -> api(Set.of(Verb.DELETE))
                        .send(ApiRequest.delete(Resource.SECRETS, "cloud-init-settings", "x", "u", null)))
                .isInstanceOf(ApiFailure.class);
    }

    @Test
    void otherKindsAreRefusedAsTheyAre() {
        assertThatThrownBy(() -> api(Set.of(Verb.PATCH)).send(patch(Resource.MACHINE_DEPLOYMENTS)))
                .isInstanceOf(ApiFailure.class);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aStatusThatMayNotBeWrittenStaysAsItIs() throws ApiFailure {
        byte[] answer = api(Set.of(Verb.PATCH))
                .send(patch(Resource.OPERATING_SYSTEM_CONFIGS).withSubresource("status"));

        assertThat(answer).isEqualTo(STORED.getBytes(UTF_8));
        assertThat(sent).extracting(ApiRequest::verb).containsExactly(Verb.PATCH, Verb.GET);
    }

    @Test
    void anEventIsToldInTheCoreGroupWhereTheOtherIsForbidden() throws ApiFailure {
        KubeApi api = new DropInKubeApi(new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                sent.add(request);
                if (request.resource() == Resource.EVENTS) {
                    throw new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 403, "Forbidden", "no", null);
                }
                return STORED.getBytes(UTF_8);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                throw new IllegalStateException("nothing is watched here");
            }
        });

        api.send(ApiRequest.create(
                Resource.EVENTS,
                "kube-system",
                "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"note\":\"n\",\"reason\":\"Published\","
                        + "\"regarding\":{\"name\":\"x\"},\"reportingController\":\"c\"}"));

        assertThat(sent.getLast().uri()).startsWith("/api/v1/namespaces/kube-system/events?");
        assertThat(sent.getLast().body())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"reason\":\"Published\",\"message\":\"n\","
                        + "\"involvedObject\":{\"name\":\"x\"},\"reportingComponent\":\"c\"}");
    }

    @Test
    void whatIsAllowedPassesAsItIs() throws ApiFailure {
        byte[] answer = api(Set.of()).send(patch(Resource.SECRETS));

        assertThat(answer).isEqualTo(STORED.getBytes(UTF_8));
        assertThat(sent).hasSize(1);
    }
}
