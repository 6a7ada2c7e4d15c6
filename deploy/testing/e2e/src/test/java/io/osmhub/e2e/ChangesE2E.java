package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every input that can change reaches the secrets; what changes nothing writes nothing; what is spoilt is put right. */
final class ChangesE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    // A file that a cloud-config document carries in base64.
    private static final Pattern ENCODED =
            Pattern.compile("(?m)^ {4}((?:[A-Za-z0-9+/]{4}){3,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$");

    private static Path kubeconfig;
    private static InstalledHub hub;
    private static RealTenant tenant;
    private static int count;

    private MachineDeploymentObjectNames names = new MachineDeploymentObjectNames("kube-system", "none");
    private @Nullable ContinuousReader machines;

    @BeforeAll
    static void start() {
        kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.before.example.org:6443", tenant.worker()));
        hub = startHub();
        tenant.register().awaitSynced();
    }

    private static InstalledHub startHub() {
        return InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.FOR_TESTS)
                .awaitReady();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @BeforeEach
    void publish() {
        tenant.storeProfile(ExampleObjects.profile());
        names = create("workers-" + ++count);
        Await.until("published", () -> payloads().size() == 3);
        // Its status comes a little later, and would be taken for a write that a test caused.
        Await.until("and said to be", () -> tenant.osc(names.osc())
                .filter(osc -> osc.path("status").has("conditions"))
                .isPresent());
        machines = ContinuousReader.start(tenant, names);
    }

    @AfterEach
    void noMachineWouldHaveFailed() {
        machines().assertAlwaysReadable();
        remove();
    }

    private ContinuousReader machines() {
        return Objects.requireNonNull(machines, "started before each test");
    }

    private void remove() {
        tenant.worker().admin().delete(names.path());
        Await.until("gone", () -> tenant.worker().admin().find(names.path()).isEmpty());
    }

    private MachineDeploymentObjectNames create(String name) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        tenant.worker().admin().create(machineDeployment);
        return MachineDeploymentObjectNames.of(machineDeployment);
    }

    @Test
    void aProfileReachesTheSecrets(TestReporter reporter) {
        ObjectNode changed = ExampleObjects.profile();
        JsonNode file = changed.at("/spec/provisioningConfig/files/0/content/inline");
        ((ObjectNode) file).put("data", file.path("data").asText() + "# marked by a change of the profile\n");

        reaches(
                reporter,
                names.provisioning(),
                "marked by a change of the profile",
                () -> tenant.storeProfile(changed));
    }

    @Test
    void aSettingReachesTheSecrets(TestReporter reporter) {
        reaches(
                reporter,
                names.provisioning(),
                "10.99.0.10",
                () -> tenant.mergeSettings("{provisioning: {clusterDNS: [10.99.0.10]}}"));
    }

    @Test
    void aCertificateAuthorityReachesTheSecrets(TestReporter reporter) {
        String other = CLUSTERS.management().certificateAuthority();

        reaches(
                reporter,
                names.bootstrap(),
                other.strip(),
                () -> tenant.mergeSettings("{provisioning: {kubernetesCA: {inline: " + quoted(other) + "}}}"));
    }

    @Test
    void aMirrorReachesTheSecrets(TestReporter reporter) {
        reaches(
                reporter,
                names.provisioning(),
                "mirror.example.org",
                () -> tenant.mergeSettings(
                        "{provisioning: {registries: {mirrors: [{registry: docker.io, endpoints: [{url: 'https://mirror.example.org'}]}]}}}"));
    }

    @Test
    void anEndpointReachesTheSecrets(TestReporter reporter) {
        reaches(
                reporter,
                names.kubeletBootstrap(),
                "https://api.after.example.org:6443",
                () -> tenant.clusterInfo(
                        ExampleObjects.clusterInfo("https://api.after.example.org:6443", tenant.worker())));
        reaches(reporter, names.bootstrap(), "https://api.after.example.org:6443", () -> {});
    }

    @Test
    void aTokenForNodesReachesTheSecrets(TestReporter reporter) {
        reaches(reporter, names.bootstrap(), "Bearer fetch-again", () -> tenant.fetchToken("fetch-again"));
    }

    @Test
    void aRevisionReachesTheStampThatMachineControllerReads() {
        String before = ManifestObjects.value(tenant.secret(names.bootstrap()).orElseThrow(), "cloud-config");

        tenant.worker()
                .admin()
                .merge(names.path(), "{metadata: {annotations: {machinedeployment.clusters.k8s.io/revision: '2'}}}");

        Await.until("the stamp", () -> stamp().equals("2"));
        assertThat(ManifestObjects.value(tenant.secret(names.bootstrap()).orElseThrow(), "cloud-config"))
                .isEqualTo(before);
    }

    private String stamp() {
        return tenant.secret(names.bootstrap())
                .orElseThrow()
                .path("metadata")
                .path("annotations")
                .path("k8c.io/machine-deployment-revision")
                .asText();
    }

    /** All changes over and over, with a restart of the hub in each round: an hour, or OSMHUB_DURATION such as PT10M. */
    @Test
    @Tag(RealClusters.BY_NAME)
    void anHourOfChangesLeavesNoMoment(TestReporter reporter) {
        Duration duration = Duration.parse(System.getenv().getOrDefault("OSMHUB_DURATION", "PT1H"));
        Instant end = Instant.now().plus(duration);
        int rounds = 0;
        while (Instant.now().isBefore(end)) {
            rounds++;
            String round = "round-" + rounds;
            ObjectNode changed = ExampleObjects.profile();
            JsonNode file = changed.at("/spec/provisioningConfig/files/0/content/inline");
            ((ObjectNode) file).put("data", file.path("data").asText() + "# " + round + "\n");
            reaches(reporter, names.provisioning(), round, () -> tenant.storeProfile(changed));
            String dns = "10.99.%d.%d".formatted(rounds / 250, rounds % 250);
            reaches(
                    reporter,
                    names.provisioning(),
                    dns,
                    () -> tenant.mergeSettings("{provisioning: {clusterDNS: [" + dns + "]}}"));
            String server = "https://api-" + rounds + ".example.org:6443";
            reaches(
                    reporter,
                    names.bootstrap(),
                    server,
                    () -> tenant.clusterInfo(ExampleObjects.clusterInfo(server, tenant.worker())));
            String token = "fetch-" + round + "-end";
            reaches(reporter, names.bootstrap(), "Bearer " + token, () -> tenant.fetchToken(token));
            String revision = Integer.toString(rounds + 1);
            tenant.worker()
                    .admin()
                    .merge(
                            names.path(),
                            "{metadata: {annotations: {machinedeployment.clusters.k8s.io/revision: '" + revision
                                    + "'}}}");
            Await.until("the stamp", () -> stamp().equals(revision));
            assertThat(hub.terminate()).isZero();
            hub = startHub();
        }
        System.out.printf("%d rounds of 5 changes and a restart in %s%n", rounds, duration);
    }

    @Test
    void aCosmeticAnnotationWritesNothing() {
        // The status is written after the secrets, in a separate queue.
        Await.until("the status is written", () -> tenant.osc(names.osc())
                .filter(osc -> osc.path("status").path("newNodes").asText().equals("Current"))
                .isPresent());
        long inWorker = tenant.worker().audit().position();
        long inManagement = tenant.management().audit().position();

        tenant.worker().admin().merge(names.path(), "{metadata: {annotations: {example.org/colour: green}}}");

        // The other one was created later and is published, so this one has been looked at.
        MachineDeploymentObjectNames other = create("later-" + count);
        Await.until("the later one is published", () -> tenant.secret(other.bootstrap())
                .isPresent());
        assertThat(tenant.worker().audit().since(inWorker, RealTenant.HUB_IN_WORKER))
                .filteredOn(AuditLog.Entry::writes)
                .extracting(AuditLog.Entry::name)
                .doesNotContainAnyElementsOf(names.secrets())
                .doesNotContain(names.name());
        assertThat(tenant.management().audit().since(inManagement, RealTenant.HUB_IN_MANAGEMENT))
                .filteredOn(entry -> entry.name().equals(names.osc()))
                .isEmpty();
        tenant.worker().admin().delete(other.path());
    }

    @Test
    void aSecretThatSomebodyDeletesOrEditsIsThereAgain() {
        Map<String, String> before = payloads();
        machines().close();

        tenant.worker().admin().delete(ApiResource.SECRETS.in(RealTenant.SETTINGS, names.bootstrap()));
        tenant.worker()
                .admin()
                .merge(
                        ApiResource.SECRETS.in(RealTenant.SETTINGS, names.provisioning()),
                        "{data: {cloud-config: " + base64("spoilt") + "}}");

        Await.untilAsserted(() -> assertThat(payloads()).isEqualTo(before));
    }

    @Test
    void aNewConfigurationIsRefusedWithoutTouchingTheOlderOne() {
        Map<String, String> before = payloads();
        ObjectNode broken = ExampleObjects.profile();
        ((ObjectNode) broken.at("/spec/provisioningConfig/files/0/content/inline")).put("data", "{{ toYamll . }}");

        tenant.storeProfile(broken);

        Await.until("the condition says so", () -> tenant.osc(names.osc()).stream()
                .flatMap(osc -> osc.path("status").path("conditions").valueStream())
                .anyMatch(condition -> condition.path("status").asText().equals("False")
                        && condition.path("message").asText().contains("toYamll")));
        assertThat(payloads()).isEqualTo(before);
        Await.until(
                "the Event says so", () -> tenant.worker().admin().list(ApiResource.EVENTS.in("kube-system")).stream()
                        .anyMatch(event ->
                                event.path("regarding").path("name").asText().equals(names.name())
                                        && event.path("note").asText().contains("toYamll")));
    }

    /** Does something, waits until a secret carries a text, and reports how long that took. */
    private void reaches(TestReporter reporter, String secret, String text, Runnable change) {
        long start = System.nanoTime();
        change.run();
        Await.until(
                text + " in " + secret,
                () -> payloads().getOrDefault(secret, "").contains(text));
        reporter.publishEntry(text, (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    /** The payloads of all three secrets, the files in them without their indentation and decoded. */
    private Map<String, String> payloads() {
        Map<String, String> payloads = new TreeMap<>();
        for (String name : names.secrets()) {
            tenant.secret(name)
                    .ifPresent(secret -> payloads.put(
                            name,
                            readable(ManifestObjects.value(
                                    secret, name.equals(names.kubeletBootstrap()) ? "kubeconfig" : "cloud-config"))));
        }
        return payloads;
    }

    /** With each file also without indentation and decoded. */
    static String readable(String document) {
        List<MatchResult> encoded = ENCODED.matcher(document).results().toList();
        return document.replace("\n    ", "\n")
                + encoded.stream()
                        .map(match -> new String(Base64.getDecoder().decode(match.group(1)), UTF_8))
                        .collect(Collectors.joining("\n"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\n", "\\n") + '"';
    }
}
