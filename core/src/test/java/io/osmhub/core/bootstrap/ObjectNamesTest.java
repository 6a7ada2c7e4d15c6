package io.osmhub.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Problem;
import org.junit.jupiter.api.Test;

class ObjectNamesTest {
    @Test
    void namesAreThePeers() {
        ObjectNames names = new ObjectNames("ns1", "md1");

        assertThat(names.operatingSystemConfig()).isEqualTo("md1-ns1-config");
        assertThat(names.bootstrapSecret()).isEqualTo("md1-ns1-bootstrap-config");
        assertThat(names.provisioningSecret()).isEqualTo("md1-ns1-provisioning-config");
        assertThat(names.kubeletBootstrapSecret()).isEqualTo("ns1-md1-kubelet-bootstrap-config");
        assertThat(names.edgeScriptSecret()).isEqualTo("edge-provider-script-md1-ns1");
    }

    @Test
    void theKeyLosesItsNamespaceWhenItWouldReach63Bytes() {
        String name = "n".repeat(51);

        assertThat(new ObjectNames("kube-syste", name).key()).hasSize(62);
        assertThat(new ObjectNames("kube-system", name).key()).isEqualTo(name);
    }

    @Test
    void aNameThatKubernetesWouldRefuseIsFoundBeforeAnythingIsWritten() {
        assertThat(new ObjectNames("ns", "n".repeat(63)).findTooLongNames()).isEmpty();
        assertThat(new ObjectNames("ns", "n".repeat(64)).findTooLongNames())
                .extracting(Problem::cause)
                .containsExactly("Secret label machinedeployment.k8s.io/name would have 64 characters, 63 are allowed");
        assertThat(new ObjectNames("ns", "n".repeat(240)).findTooLongNames())
                .extracting(Problem::cause)
                .contains("Secret name would have 263 characters, 253 are allowed")
                .hasSizeGreaterThan(3);
    }
}
