package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Assumptions of the other tests: the clusters are real and separate, and their audit logs identify callers. */
final class ClustersE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private final RealCluster management = CLUSTERS.management();
    private final RealCluster worker = CLUSTERS.worker(1);

    @Test
    void theApiServersAreOfTheVersionThatIsTestedAgainst() {
        assertThat(management.admin().typed().getKubernetesVersion().getGitVersion())
                .startsWith("v" + System.getenv().getOrDefault("OSMHUB_KUBERNETES", "1.34") + ".");
        assertThat(worker.certificateAuthority()).isNotEqualTo(management.certificateAuthority());
    }

    @Test
    void aMachineDeploymentKeepsFieldsThatNobodyDefined() {
        worker.admin().apply("""
                apiVersion: cluster.k8s.io/v1alpha1
                kind: MachineDeployment
                metadata: {name: kept, namespace: kube-system}
                spec: {template: {spec: {providerSpec: {value: {cloudProvider: aws}}}}}
                """);

        assertThat(worker.admin()
                        .get(ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "kept"))
                        .at("/spec/template/spec/providerSpec/value/cloudProvider")
                        .asText())
                .isEqualTo("aws");
        assertThat(management.admin().find(ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "kept")))
                .isEmpty();
    }

    @Test
    void theAuditLogTellsWhoAskedWhat() {
        String account = "system:serviceaccount:default:asker";
        worker.admin().create(ManifestObjects.object("""
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: asker, namespace: default}}"""));
        worker.admin().apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: asker, namespace: default}
                rules:
                - {apiGroups: [""], resources: [secrets], verbs: [get, create]}
                - {apiGroups: [""], resources: [configmaps], verbs: [list]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: asker, namespace: default}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: asker}
                subjects: [{kind: ServiceAccount, name: asker, namespace: default}]
                """);
        ClusterClient asker = worker.client(worker.token("default", "asker"));
        Await.until("the role counts", () -> asker.allowed(ApiResource.CONFIG_MAPS.in("default")));
        long mark = worker.audit().position();

        asker.create(ManifestObjects.secret("default", "asked", Map.of("key", "value")));
        asker.get(ApiResource.SECRETS.in("default", "asked"));

        List<AuditLog.Entry> asked = worker.audit().since(mark, account);
        assertThat(asked)
                .extracting(AuditLog.Entry::toString)
                .containsExactly("create secrets default/asked 201", "get secrets default/asked 200");
    }

    @Test
    void anApiServerThatComesBackHasItsObjects() {
        worker.admin().apply(ManifestObjects.configMap("default", "lasting", Map.of("key", "value")));

        worker.stop();
        worker.resume();

        assertThat(worker.admin()
                        .get(ApiResource.CONFIG_MAPS.in("default", "lasting"))
                        .path("data")
                        .path("key")
                        .asText())
                .isEqualTo("value");
    }
}
