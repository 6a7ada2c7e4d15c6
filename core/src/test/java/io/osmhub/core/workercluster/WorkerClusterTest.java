package io.osmhub.core.workercluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.resource.YamlText;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.Target;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WorkerClusterTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void fillsTheDefaultsOfTheSchemaAndNoOthers() throws JsonProcessingException {
        WorkerClusterSpec spec =
                read("spec: {kubeconfigSecretRef: {name: blue}}").spec();

        assertThat(spec.target()).isEqualTo(Target.KUBECONFIG);
        assertThat(spec.paused()).isFalse();
        assertThat(spec.deletionPolicy()).isEqualTo(DeletionPolicy.DELETE);
        assertThat(spec.cleanupTimeout()).isEqualTo("2m");
        assertThat(spec.credentials()).isEqualTo(WorkerClusterSpec.Credentials.PROVIDED);
        assertThat(spec.provisioning()).isNull();
    }

    @Test
    void keepsAbsentAndEmptyApart() throws JsonProcessingException {
        ProvisioningSettings settings = Objects.requireNonNull(
                read("spec: {provisioning: {registries: {insecure: []}, proxy: {httpProxy: ''}}}")
                        .spec()
                        .provisioning());

        assertThat(Objects.requireNonNull(settings.registries()).insecure()).isEmpty();
        assertThat(settings.registries().mirrors()).isNull();
        assertThat(Objects.requireNonNull(settings.proxy()).httpProxy()).isEmpty();
        assertThat(settings.proxy().noProxy()).isNull();
        assertThat(JSON.writeValueAsString(settings))
                .isEqualTo("{\"registries\":{\"insecure\":[]},\"proxy\":{\"httpProxy\":\"\"}}");
    }

    @Test
    void readsAnObjectOfANewerVersion() throws JsonProcessingException {
        WorkerCluster read = read("""
                spec: {target: Elsewhere, deletionPolicy: Archive, later: {a: 1}, profiles: {installDefaults: Sometimes}}
                status: {state: Dreaming, problemCount: 1}
                """);

        // Never delete on a word that this version does not know.
        assertThat(read.spec().deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
        assertThat(read.spec().target()).isEqualTo(Target.KUBECONFIG);
        assertThat(Objects.requireNonNull(read.spec().profiles()).installDefaults())
                .isNull();
        assertThat(Objects.requireNonNull(read.status()).state()).isNull();
        assertThat(read.status().problemCount()).isEqualTo(1);
    }

    @Test
    void reportsAllMistakesAtOnceInTheOrderOfTheObject() {
        List<ProblemFinding> findings = WorkerCluster.check(YamlText.parse("""
                                metadata: {name: blue}
                                spec:
                                  kubeconfigSecretRef: {nam: blue}
                                  paused: "yes"
                                  provisioning: {clusterDNS: [10.0.0.10, 10.0.0.300], userDataLimitBytes: 10}
                                """).getFirst(), null);

        assertThat(findings)
                .extracting(ProblemFinding::toString)
                .containsExactly(
                        "WorkerCluster blue, spec.kubeconfigSecretRef.nam: unknown field; did you mean \"name\"?",
                        "WorkerCluster blue, spec.kubeconfigSecretRef.name: missing; it is required",
                        "WorkerCluster blue, spec.paused: must be true or false, not the text \"yes\"",
                        "WorkerCluster blue, spec.provisioning.clusterDNS[1]: must be an IPv4 or IPv6 address",
                        "WorkerCluster blue, spec.provisioning.userDataLimitBytes: 10 is too small; the minimum is 1024");
    }

    @Test
    void aTextInPlaceOfAnObjectIsNotRepeated() {
        List<ProblemFinding> findings = WorkerCluster.check(YamlText.parse("""
                                metadata: {name: blue}
                                spec:
                                  kubeconfigSecretRef: {name: blue}
                                  provisioning:
                                    registries:
                                      mirrors: [{registry: docker.io, endpoints: ["https://user:secret@mirror.example.org"]}]
                                    clusterDNS: "https://user:secret@example.org"
                                """).getFirst(), null);

        assertThat(findings)
                .extracting(ProblemFinding::toString)
                .containsExactlyInAnyOrder(
                        "WorkerCluster blue, spec.provisioning.registries.mirrors[0].endpoints[0]: must be an object, not a"
                                + " text; write {url: ...}",
                        "WorkerCluster blue, spec.provisioning.clusterDNS: must be a list, not a text");
    }

    @Test
    void aNullIsNoValue() {
        List<ProblemFinding> findings = WorkerCluster.check(YamlText.parse("""
                                metadata: {name: blue}
                                spec: {kubeconfigSecretRef: {name: blue}, paused: null, profiles: {namespaces: [a, null]}}
                                """).getFirst(), null);

        assertThat(findings)
                .extracting(ProblemFinding::toString)
                .containsExactly("WorkerCluster blue, spec.profiles.namespaces[1]: must be a text, not null");
    }

    private static WorkerCluster read(String yaml) throws JsonProcessingException {
        return JSON.treeToValue(YamlText.parse(yaml).getFirst(), WorkerCluster.class);
    }
}
