package io.osmhub.sim.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishTimesTest {
    private final PublishTimes times = new PublishTimes();

    @Test
    void anExpectedMachineDeploymentIsPendingUntilAllEventsArrive() {
        times.expect("kube-system", "a");
        times.onSecretCreated("a-kube-system-provisioning-config");
        times.onSecretCreated("a-kube-system-bootstrap-config");
        long pendingBefore = times.pending();

        // A watch of another kind may be later.
        times.onMachineDeploymentCreated("kube-system", "a");

        assertThat(pendingBefore).isEqualTo(1);
        assertThat(times.pending()).isZero();
        assertThat(times.millis()).containsExactly(0.0);
    }

    @Test
    void secretsOfUnmeasuredMachineDeploymentsAreIgnored() {
        times.expect("kube-system", "a");
        times.reset();

        times.onSecretCreated("a-kube-system-bootstrap-config");

        assertThat(times.pending()).isZero();
        assertThat(times.millis()).isEmpty();
    }
}
