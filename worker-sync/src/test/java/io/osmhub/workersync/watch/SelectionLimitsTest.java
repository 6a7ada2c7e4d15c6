package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.MemoryBudget;
import org.junit.jupiter.api.Test;

final class SelectionLimitsTest {
    /** Within one cluster's share of a heap of 460 MB. */
    @Test
    void asManyMachineDeploymentsFitAsTheBoundsAllow() throws Exception {
        assertThat(fits(13_000, machineDeployment(5_000))).isTrue();
        assertThat(fits(20_000, machineDeployment(2_500))).isTrue();
    }

    private static boolean fits(int count, byte[] json) throws Exception {
        assertThat(SelectionLimits.OF_MACHINES.isWithin(count, (long) count * json.length))
                .isTrue();
        ObservedObject<?> seen = WatchEvent.item(json, WatchedMachineDeployment::decode);
        MemoryBudget budget = new MemoryBudget(460_000_000 / 4, 1024 * 1024);
        return budget.createShare().tryReserve(count * seen.cachedBytes());
    }

    /** As created by {@code kubectl apply}, which stores its text in an annotation. */
    private static byte[] machineDeployment(int bytes) {
        String start = """
                {"apiVersion":"cluster.k8s.io/v1alpha1","kind":"MachineDeployment","metadata":{"name":"workers-0001","namespace":"kube-system",
                "uid":"7c1f2f2e-3a53-4d3c-9a53-2f6d3c1c0001","resourceVersion":"123456789","creationTimestamp":"2026-03-01T10:00:00Z",
                "finalizers":["foregroundDeletion","kubermatic.io/cleanup-operating-system-configs"],"annotations":{
                "k8c.io/operating-system-profile":"osp-ubuntu","machinedeployment.clusters.k8s.io/revision":"3",
                "kubectl.kubernetes.io/last-applied-configuration":"%s"},
                "managedFields":[{"manager":"kubectl","fieldsV1":{"%s":{}}}]},
                "spec":{"replicas":3,"template":{"spec":{"versions":{"kubelet":"1.34.1"},"providerSpec":{"value":{"spec":"%s"}}}}},
                "status":{"replicas":3,"readyReplicas":3,"conditions":"%s"}}
                """;
        int rest = bytes - start.length();
        return start.formatted("a".repeat(rest / 3), "m".repeat(rest / 4), "p".repeat(rest / 4), "s".repeat(rest / 6))
                .getBytes(UTF_8);
    }
}
