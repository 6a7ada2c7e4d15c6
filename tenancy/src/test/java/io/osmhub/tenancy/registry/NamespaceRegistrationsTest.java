package io.osmhub.tenancy.registry;

import static io.osmhub.tenancy.registry.RegisteredObjects.aSecret;
import static io.osmhub.tenancy.registry.RegisteredObjects.aWorkerCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceRegistrationsTest {
    private static final SecretDiscovery EVERYTHING = new SecretDiscovery("internal-admin-kubeconfig", true);

    @Test
    void aLabelledSecretAsksForAWorkerClusterOfTheLabelsName() {
        var secret = aSecret("t1", "admin").label("prod").read();

        var decided = NamespaceRegistrations.decide(List.of(secret), List.of(), SecretDiscovery.LABELLED_ONLY);

        assertThat(decided.wanted())
                .containsExactly(
                        new NamespaceRegistrations.DesiredWorkerCluster("prod", secret, RegistrationSource.SECRET));
        assertThat(decided.refused()).isEmpty();
    }

    @Test
    void anEmptyLabelMeansTheNameOfTheSecret() {
        var secret = aSecret("t1", "admin").label("").read();

        var decided = NamespaceRegistrations.decide(List.of(secret), List.of(), SecretDiscovery.LABELLED_ONLY);

        assertThat(decided.wanted())
                .extracting(NamespaceRegistrations.DesiredWorkerCluster::name)
                .containsExactly("admin");
    }

    @Test
    void aSecretWithoutLabelAsksForNothing() {
        var decided = NamespaceRegistrations.decide(
                List.of(
                        aSecret("t1", "admin").read(),
                        aSecret("t1", "own").type("osmhub.io/kubeconfig").read()),
                List.of(),
                EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
    }

    @Test
    void nothingIsMadeForASecretThatIsBeingDeleted() {
        var decided = NamespaceRegistrations.decide(
                List.of(aSecret("t1", "admin").label("prod").beingDeleted().read()), List.of(), EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
    }

    @Test
    void kubermaticsSecretIsTakenOnRequestAndNamedLikeItsNamespace() {
        var secret = aSecret("cluster-x7f", "internal-admin-kubeconfig").read();

        assertThat(NamespaceRegistrations.decide(List.of(secret), List.of(), SecretDiscovery.LABELLED_ONLY)
                        .wanted())
                .isEmpty();
        assertThat(NamespaceRegistrations.decide(
                                List.of(secret), List.of(), new SecretDiscovery("internal-admin-kubeconfig", false))
                        .wanted())
                .containsExactly(
                        new NamespaceRegistrations.DesiredWorkerCluster("cluster-x7f", secret, RegistrationSource.KKP));
    }

    @Test
    void kubermaticsSecretDoesNotCountWithoutItsCluster() {
        var decided = NamespaceRegistrations.decide(
                List.of(aSecret("default", "internal-admin-kubeconfig").read()), List.of(), EVERYTHING.withoutKkp());

        assertThat(decided.wanted()).isEmpty();
    }

    @Test
    void clusterApisSecretIsTakenOnRequestAndNamedLikeItsCluster() {
        var secret =
                aSecret("t1", "blue-kubeconfig").type("cluster.x-k8s.io/secret").read();

        assertThat(NamespaceRegistrations.decide(
                                List.of(secret), List.of(), new SecretDiscovery("internal-admin-kubeconfig", false))
                        .wanted())
                .isEmpty();
        assertThat(NamespaceRegistrations.decide(List.of(secret), List.of(), new SecretDiscovery("", true))
                        .wanted())
                .containsExactly(new NamespaceRegistrations.DesiredWorkerCluster(
                        "blue", secret, RegistrationSource.CLUSTER_API));
    }

    @Test
    void otherSecretsOfClusterApiAreNotTaken() {
        var decided = NamespaceRegistrations.decide(
                List.of(
                        aSecret("t1", "blue-ca").type("cluster.x-k8s.io/secret").read(),
                        aSecret("t1", "-kubeconfig")
                                .type("cluster.x-k8s.io/secret")
                                .read(),
                        aSecret("t1", "green-kubeconfig").read()),
                List.of(),
                EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
    }

    @Test
    void theOlderOfTwoSecretsThatWantOneNameRegistersIt() {
        var older =
                aSecret("t1", "z").label("prod").created("2026-01-01T00:00:00Z").read();
        var younger =
                aSecret("t1", "a").label("prod").created("2026-01-01T00:00:01Z").read();

        var decided = NamespaceRegistrations.decide(List.of(younger, older), List.of(), EVERYTHING);

        assertThat(decided.wanted())
                .extracting(NamespaceRegistrations.DesiredWorkerCluster::secret)
                .containsExactly(older);
        assertThat(decided.refused()).singleElement().satisfies(refused -> {
            assertThat(refused.secret()).isEqualTo(younger);
            assertThat(refused.why().reason()).isEqualTo(Reason.RegistrationConflict);
            assertThat(refused.why().message())
                    .isEqualTo("t1: Secret t1/a, label osmhub.io/worker-cluster: WorkerCluster prod already uses Secret"
                            + " t1/z; change spec.kubeconfigSecretRef.name or the label:"
                            + " kubectl -n t1 edit workercluster prod");
        });
    }

    @Test
    void aWorkerClusterThatUsesAnotherSecretIsNotTakenOver() {
        var secret = aSecret("t1", "new").label("prod").read();
        var cluster = aWorkerCluster("t1", "prod").secret("old").read();

        var decided = NamespaceRegistrations.decide(List.of(secret), List.of(cluster), EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
        assertThat(decided.refused())
                .extracting(refused -> refused.why().reason())
                .containsExactly(Reason.RegistrationConflict);
    }

    @Test
    void aWorkerClusterThatUsesTheSecretIsLeftAsItIs() {
        var secret = aSecret("t1", "admin").label("prod").read();
        var cluster = aWorkerCluster("t1", "prod").secret("admin").by("Secret").read();

        var decided = NamespaceRegistrations.decide(List.of(secret), List.of(cluster), EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
        assertThat(decided.refused()).isEmpty();
        assertThat(decided.orphans()).isEmpty();
    }

    @Test
    void onlyWhatALabelledSecretRegisteredIsRemovedWithIt() {
        var labelled = aWorkerCluster("t1", "prod").secret("admin").by("Secret").read();
        var others = Stream.of("KKP", "ClusterAPI", "API", "CLI", "")
                .map(by ->
                        aWorkerCluster("t1", "by-" + by).secret("admin").by(by).read())
                .toList();
        var all = new ArrayList<>(others);
        all.add(labelled);

        assertThat(NamespaceRegistrations.decide(List.of(), all, EVERYTHING).orphans())
                .containsExactly(labelled);
        assertThat(NamespaceRegistrations.decide(List.of(aSecret("t1", "admin").read()), all, EVERYTHING)
                        .orphans())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Prod",
                "a_b",
                "-a",
                "a..b",
                "kube-system/admin",
                "../other",
                "a b",
                "ünicode",
                "a123456789-123456789-123456789-123456789-123456789-123456789-1234"
            })
    void aLabelThatCannotBeANameIsRefusedWithItsText(String label) {
        var decided = NamespaceRegistrations.decide(
                List.of(aSecret("t1", "admin").label(label).read()), List.of(), EVERYTHING);

        assertThat(decided.wanted()).isEmpty();
        assertThat(decided.refused()).singleElement().satisfies(refused -> assertThat(
                        refused.why().message())
                .startsWith("t1: Secret t1/admin, label osmhub.io/worker-cluster: \"" + label + "\" is not a valid")
                .contains("63"));
    }

    @Test
    void noMessageHoldsWhatASecretHolds() {
        var secret = aSecret("t1", "admin").label("A").read();

        var decided = NamespaceRegistrations.decide(List.of(secret), List.of(), EVERYTHING);

        assertThat(decided.refused().toString()).doesNotContain("a2luZDog");
    }
}
