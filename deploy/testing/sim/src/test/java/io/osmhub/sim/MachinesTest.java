package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.contract.ContractAwait;
import io.osmhub.sim.controllers.MachineController.MachineState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pretend machines boot from right secrets, and from nothing else. */
final class MachinesTest {
    private static final String API = "cluster.k8s.io/v1alpha1";
    private static final String SETTINGS = "cloud-init-settings";
    private static final String TOKEN = "abcdef.0123456789abcdef";

    private static SimulatedClusters clusters;
    private SimulatedCluster cluster;
    private SimulatedObjects objects;

    @BeforeAll
    static void start() {
        clusters = SimulatedClusters.start(0, SimulationOptions.defaults());
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @BeforeEach
    void addWorker() {
        cluster = clusters.add("worker");
        cluster.installWorkerPrerequisites();
        cluster.startMachineController(Duration.ZERO);
        objects = cluster.objects();
        ContractAwait.until(
                "the getter's token is there", () -> objects.get("v1", "Secret", SETTINGS, "cloud-init-getter-token")
                        .orElseThrow()
                        .path("data")
                        .has("token"));
        objects.create("""
                {"apiVersion":"%s","kind":"MachineDeployment","metadata":{"name":"md","namespace":"kube-system"},
                 "spec":{"replicas":2,"template":{"spec":{"versions":{"kubelet":"1.34.1"}}}}}""".formatted(API));
    }

    @Test
    void aMachineDeploymentGetsARevisionAndMachinesThatWait() {
        waitFor("BootstrapSecretMissing");

        JsonNode deployment =
                objects.get(API, "MachineDeployment", "kube-system", "md").orElseThrow();
        assertThat(deployment
                        .at("/metadata/annotations/machinedeployment.clusters.k8s.io~1revision")
                        .asText())
                .isEqualTo("1");
        List<com.fasterxml.jackson.databind.node.ObjectNode> machines = objects.list(API, "Machine", "kube-system");
        assertThat(machines).hasSize(2);
        ContractAwait.until(
                "the reason stands in the status", () -> objects.list(API, "Machine", "kube-system").stream()
                        .allMatch(machine -> machine.at("/status/conditions/0/reason")
                                .asText()
                                .equals("BootstrapSecretMissing")));
    }

    @Test
    void rightSecretsBringMachinesUpAsNodes() {
        bootstrapToken("2126-01-01T00:00:00Z");
        provisioning(kubeconfig(cluster.caPem()));
        bootstrap("1", cloudConfig(getterToken()));

        waitUntilAllRun();

        ContractAwait.until(
                "both are nodes", () -> objects.list("v1", "Node", "").size() == 2);
        ContractAwait.until(
                "the status counts them",
                () -> objects.get(API, "MachineDeployment", "kube-system", "md")
                                .orElseThrow()
                                .at("/status/readyReplicas")
                                .asInt()
                        == 2);
    }

    @Test
    void ignitionIsUnderstoodToo() {
        bootstrapToken("2126-01-01T00:00:00Z");
        String file =
                "{\"ignition\":{\"version\":\"2.3.0\"},\"storage\":{\"files\":[{\"contents\":{\"source\":\"data:,%s\"}}]}}";
        secret("md-kube-system-provisioning-config", "1", file.formatted(percent(kubeconfig(cluster.caPem()))));
        bootstrap("1", file.formatted(percent(script(getterToken()))));

        waitUntilAllRun();
    }

    @Test
    void aSecretOfAnotherRevisionIsNotUsed() {
        bootstrap("7", cloudConfig(getterToken()));

        waitFor("BootstrapSecretOutdated");
    }

    @Test
    void anOperatingSystemThatIsNotSupportedOnTheProviderStopsTheBoot() {
        objects.create("""
                {"apiVersion":"%s","kind":"MachineDeployment","metadata":{"name":"other","namespace":"kube-system"},
                 "spec":{"replicas":1,"template":{"spec":{"providerSpec":{"value":
                   {"cloudProvider":"hetzner","operatingSystem":"flatcar"}}}}}}""".formatted(API));
        secret("other-kube-system-bootstrap-config", "1", cloudConfig(getterToken()));

        waitFor("InvalidConfiguration");
    }

    @Test
    void userDataThatTheProviderRejectsStopsTheBoot() {
        objects.create("""
                {"apiVersion":"%s","kind":"MachineDeployment","metadata":{"name":"big","namespace":"kube-system"},
                 "spec":{"replicas":1,"template":{"spec":{"providerSpec":{"value":{"cloudProvider":"hetzner"}}}}}}""".formatted(API));
        secret("big-kube-system-bootstrap-config", "1", cloudConfig(getterToken()) + "#".repeat(32 * 1024));

        waitFor("UserDataTooLarge");
    }

    @Test
    void anUnknownFetchTokenStopsTheBoot() {
        bootstrap("1", cloudConfig("nobody"));

        waitFor("FetchTokenInvalid");
    }

    @Test
    void aMissingProvisioningSecretStopsTheBootUntilItComes() {
        bootstrapToken("2126-01-01T00:00:00Z");
        bootstrap("1", cloudConfig(getterToken()));
        waitFor("ProvisioningSecretMissing");

        provisioning(kubeconfig(cluster.caPem()));

        waitUntilAllRun();
    }

    @Test
    void anExpiredKubeletTokenStopsTheBoot() {
        bootstrapToken("2020-01-01T00:00:00Z");
        provisioning(kubeconfig(cluster.caPem()));
        bootstrap("1", cloudConfig(getterToken()));

        waitFor("KubeletTokenInvalid");
    }

    @Test
    void aKubeconfigForAnotherAuthorityStopsTheBoot() {
        bootstrapToken("2126-01-01T00:00:00Z");
        provisioning(kubeconfig(clusters.add("other").caPem()));
        bootstrap("1", cloudConfig(getterToken()));

        waitFor("KubeletTrustsAnother");
    }

    @Test
    void aNewTemplateGivesANewRevisionAndNewMachines() {
        bootstrapToken("2126-01-01T00:00:00Z");
        provisioning(kubeconfig(cluster.caPem()));
        bootstrap("1", cloudConfig(getterToken()));
        waitUntilAllRun();
        List<String> before =
                cluster.machines().stream().map(MachineState::name).toList();

        objects.patch(
                API,
                "MachineDeployment",
                "kube-system",
                "md",
                "{\"spec\":{\"template\":{\"spec\":{\"versions\":{\"kubelet\":\"1.34.2\"}}}}}");
        waitFor("BootstrapSecretOutdated");
        objects.delete("v1", "Secret", SETTINGS, "md-kube-system-bootstrap-config");
        bootstrap("2", cloudConfig(getterToken()));

        ContractAwait.until(
                "only new machines run",
                () -> cluster.machines().size() == 2
                        && cluster.machines().stream()
                                .allMatch(each ->
                                        each.running() && each.revision().equals("2")));
        assertThat(cluster.machines()).extracting(MachineState::name).doesNotContainAnyElementsOf(before);
    }

    @Test
    void scalingDownRemovesMachinesAndTheirNodes() {
        bootstrapToken("2126-01-01T00:00:00Z");
        provisioning(kubeconfig(cluster.caPem()));
        bootstrap("1", cloudConfig(getterToken()));
        waitUntilAllRun();

        objects.patch(API, "MachineDeployment", "kube-system", "md", "{\"spec\":{\"replicas\":0}}");

        ContractAwait.until(
                "no node is left", () -> objects.list("v1", "Node", "").isEmpty());
        assertThat(objects.list(API, "Machine", "kube-system")).isEmpty();
    }

    @Test
    void theTimeToBothSecretsIsMeasured() {
        assertThat(cluster.publishTimes().pending()).isEqualTo(1);

        provisioning("#cloud-config\n");
        bootstrap("1", "#cloud-config\n");

        assertThat(cluster.publishTimes().pending()).isZero();
        assertThat(cluster.publishTimes().millis()).hasSize(1).allMatch(millis -> millis > 0);
    }

    private void waitFor(String reason) {
        ContractAwait.until("machines wait because of " + reason, () -> cluster.machines().stream()
                .anyMatch(machine -> !machine.running() && machine.reason().equals(reason)));
    }

    private void waitUntilAllRun() {
        ContractAwait.until(
                "all machines run, but: " + cluster.machines(),
                () -> cluster.machines().size() == 2
                        && cluster.machines().stream().allMatch(MachineState::running));
    }

    private String getterToken() {
        String base64 = objects.get("v1", "Secret", SETTINGS, "cloud-init-getter-token")
                .orElseThrow()
                .at("/data/token")
                .asText();
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static String script(String token) {
        return "#!/bin/bash\ncurl -s -k --header 'Authorization: Bearer %s' https://127.0.0.1:6443/api/v1/namespaces/%s/secrets/%s\n"
                .formatted(token, SETTINGS, "md-kube-system-provisioning-config");
    }

    private static String cloudConfig(String token) {
        return "#cloud-config\nwrite_files:\n- path: /opt/bin/bootstrap\n  encoding: b64\n  content: |-\n    %s\n"
                .formatted(base64(script(token)));
    }

    private static String kubeconfig(String caPem) {
        return "apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: %s\n    server: https://x\nusers:\n- name: c\n  user:\n    token: %s\n"
                .formatted(base64(caPem), TOKEN);
    }

    private void bootstrapToken(String expiration) {
        objects.create("""
                {"apiVersion":"v1","kind":"Secret","type":"bootstrap.kubernetes.io/token",
                 "metadata":{"name":"bootstrap-token-abcdef","namespace":"kube-system"},
                 "stringData":{"token-id":"abcdef","token-secret":"0123456789abcdef","usage-bootstrap-authentication":"true","expiration":"%s"}}""".formatted(expiration));
    }

    private void provisioning(String kubeconfig) {
        secret(
                "md-kube-system-provisioning-config",
                "1",
                "#cloud-config\nwrite_files:\n- encoding: b64\n  content: %s\n".formatted(base64(kubeconfig)));
    }

    private void bootstrap(String revision, String content) {
        secret("md-kube-system-bootstrap-config", revision, content);
    }

    private void secret(String name, String revision, String content) {
        objects.create("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","namespace":"%s",
                 "annotations":{"k8c.io/machine-deployment-revision":"%s"}},"data":{"cloud-config":"%s"}}""".formatted(name, SETTINGS, revision, base64(content)));
    }

    private static String percent(String text) {
        return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
