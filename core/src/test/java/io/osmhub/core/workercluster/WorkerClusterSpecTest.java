package io.osmhub.core.workercluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.resource.YamlText;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.Target;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WorkerClusterSpecTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void fillsTheDefaultsOfTheSchemaAndNoOthers() throws JsonProcessingException {
        WorkerClusterSpec spec = read("spec: {kubeconfigSecretRef: {name: blue}}");

        assertThat(spec.target()).isEqualTo(Target.KUBECONFIG);
        assertThat(spec.paused()).isFalse();
        assertThat(spec.deletionPolicy()).isEqualTo(DeletionPolicy.DELETE);
        assertThat(spec.cleanupTimeout()).isEqualTo("2m");
        assertThat(spec.credentials()).isEqualTo(WorkerClusterSpec.Credentials.PROVIDED);
        assertThat(spec.provisioning()).isNull();
    }

    @Test
    void keepsAbsentAndEmptyApart() throws JsonProcessingException {
        ObjectNode settings = Objects.requireNonNull(
                read("spec: {provisioning: {registries: {insecure: []}, proxy: {httpProxy: ''}}}")
                        .provisioning());

        assertThat(JSON.writeValueAsString(settings))
                .isEqualTo("{\"registries\":{\"insecure\":[]},\"proxy\":{\"httpProxy\":\"\"}}");
    }

    @Test
    void readsAnObjectOfANewerVersion() throws JsonProcessingException {
        JsonNode object = YamlText.parse("""
                spec: {target: Elsewhere, deletionPolicy: Archive, later: {a: 1}}
                status: {state: Dreaming, problemCount: 1}
                """).getFirst();

        WorkerClusterSpec spec = JSON.treeToValue(object.get("spec"), WorkerClusterSpec.class);
        WorkerClusterStatus status = JSON.treeToValue(object.get("status"), WorkerClusterStatus.class);

        // Never delete on a word that this version does not know.
        assertThat(spec.deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
        assertThat(spec.target()).isEqualTo(Target.KUBECONFIG);
        assertThat(status.state()).isNull();
        assertThat(status.problemCount()).isEqualTo(1);
    }

    @Test
    void reportsAllMistakesAtOnceInTheOrderOfTheObject() {
        List<Problem> findings = check(YamlText.parse("""
                                metadata: {name: blue}
                                spec:
                                  kubeconfigSecretRef: {nam: blue}
                                  paused: "yes"
                                  provisioning: {clusterDNS: [10.0.0.10, 10.0.0.300], userDataLimitBytes: 10}
                                """).getFirst());

        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactly(
                        "WorkerCluster blue, spec.kubeconfigSecretRef.nam: unknown field; did you mean \"name\"?",
                        "WorkerCluster blue, spec.kubeconfigSecretRef.name: missing; it is required",
                        "WorkerCluster blue, spec.paused: must be true or false, not the text \"yes\"",
                        "WorkerCluster blue, spec.provisioning.clusterDNS[1]: must be an IPv4 or IPv6 address",
                        "WorkerCluster blue, spec.provisioning.userDataLimitBytes: 10 is out of range; use 1024 to 1048576");
    }

    @Test
    void aTextInPlaceOfAnObjectIsNotRepeated() {
        List<Problem> findings = check(YamlText.parse("""
                                metadata: {name: blue}
                                spec:
                                  kubeconfigSecretRef: {name: blue}
                                  provisioning:
                                    registries:
                                      mirrors: [{registry: docker.io, endpoints: ["https://user:secret@mirror.example.org"]}]
                                    clusterDNS: "https://user:secret@example.org"
                                """).getFirst());

        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactlyInAnyOrder(
                        "WorkerCluster blue, spec.provisioning.registries.mirrors[0].endpoints[0]: must be an object, not a"
                                + " text; write {url: ...}",
                        "WorkerCluster blue, spec.provisioning.clusterDNS: must be a list, not a text");
    }

    @Test
    void aNullIsNoValue() {
        List<Problem> findings = check(YamlText.parse("""
                                metadata: {name: blue}
                                spec: {kubeconfigSecretRef: {name: blue}, paused: null, profiles: {namespaces: [a, null]}}
                                """).getFirst());

        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactly("WorkerCluster blue, spec.profiles.namespaces[1]: must be a text, not null");
    }

    private static List<Problem> check(JsonNode object) {
        return ShippedDefinition.WORKER_CLUSTERS.check(object, null, Reason.SettingsInvalid);
    }

    private static WorkerClusterSpec read(String yaml) throws JsonProcessingException {
        return JSON.treeToValue(YamlText.parse(yaml).getFirst().get("spec"), WorkerClusterSpec.class);
    }
}
