package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A tenant as kubeadm installs clusters: the kubeconfig has a client certificate instead of a token, and here an IPv6 address. */
@Tag(RealClusters.ONE_VERSION)
final class Ipv6E2E {
    private static final String USER = "kubernetes-admin";

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withIpv6AndClientCertificates();

    @Test
    void aKubeconfigWithAClientCertificateServesAWorkerClusterOverIpv6() {
        RealCluster worker = CLUSTERS.worker(1);
        Path management = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        RealTenant tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), worker);
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://[2001:db8::10]:6443", worker));
        tenant.storeProfile(ExampleObjects.profile());
        worker.admin().apply(binding());
        MachineDeploymentObjectNames names = new MachineDeploymentObjectNames("kube-system", "workers");

        try (InstalledHub hub = InstalledHub.run(CLUSTERS.folder(), management, HubConfigurationText.FOR_TESTS)
                .awaitReady()) {
            worker.admin().create(ExampleObjects.machineDeployment(names.name()));
            tenant.register(kubeconfig(worker)).awaitSynced();
            Await.awaitPresent("published", () -> tenant.secret(names.bootstrap()));

            JsonNode kubelet = tenant.secret(names.kubeletBootstrap()).orElseThrow();
            assertThat(ManifestObjects.value(kubelet, "kubeconfig")).contains("https://[2001:db8::10]:6443");
            assertThat(worker.audit().since(0, USER)).isNotEmpty();
            assertThat(hub.terminate()).isZero();
        }
    }

    private static ObjectNode binding() {
        return ManifestObjects.object("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]
                """.formatted(USER, USER));
    }

    private static String kubeconfig(RealCluster worker) {
        List<String> issued = CLUSTERS.signer().issue(USER);
        return worker.kubeconfig("TOKEN")
                .replace(
                        "token: TOKEN",
                        "client-certificate-data: " + base64(issued.getFirst()) + "\n    client-key-data: "
                                + base64(issued.getLast()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
