package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.ApiResource.ResourcePath;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real API servers ask a real hub before they store something: in the management cluster and in a worker cluster. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class AdmissionE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final String PROFILE = "k8c.io/operating-system-profile";
    private static final String PROFILE_NAMESPACE = "k8c.io/operating-system-profile-namespace";
    private static final ApiResource MUTATING =
            new ApiResource("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations");
    private static final ApiResource VALIDATING =
            new ApiResource("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
    private static final int CALLERS = 4;
    private static final int RENEWALS = 3;
    private static final int LEAST_REQUESTS = 40;

    private static RealTenant tenant;
    private static InstalledHub hub;

    private final RealCluster management = CLUSTERS.management();
    private final RealCluster worker = CLUSTERS.worker(1);

    @BeforeAll
    static void start() {
        RealCluster management = CLUSTERS.management();
        int port = FreePort.find();
        var kubeconfig = RealTenant.prepareManagement(management, CLUSTERS.folder());
        tenant = RealTenant.prepare("tenant-a", management, CLUSTERS.worker(1));
        ManifestObjects.file(ShippedManifests.FOLDER.resolve("rbac-worker-admission.yaml"))
                .forEach(CLUSTERS.worker(1).admin()::apply);
        for (ObjectNode configuration : ShippedManifests.webhookConfigurations()) {
            management.admin().apply(atThisMachine(configuration, port));
        }
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", CLUSTERS.worker(1)));
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, """
                apiVersion: config.osmhub.io/v1alpha1
                kind: HubConfiguration
                kubeconfigPolicy:
                  allow: [Loopback]
                api: {address: ""}
                webhooks: {address: "127.0.0.1:%1$d", workerURL: "https://127.0.0.1:%1$d"}
                defaults:
                  profiles: {byOperatingSystem: {ubuntu: osp-example}}
                log: {format: console}
                """.formatted(port))
                .awaitReady();
        Await.until(
                "the management cluster trusts the hub",
                () -> bundles(VALIDATING, management).size() == 1);
        tenant.storeProfile(ExampleObjects.profile());
        tenant.register().awaitSynced();
        Await.until("the worker cluster asks the hub", () -> configuration().isPresent());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    /** The same webhooks by URL, because there is no Service network. */
    private static ObjectNode atThisMachine(ObjectNode configuration, int port) {
        configuration.path("webhooks").forEach(webhook -> {
            ObjectNode client = (ObjectNode) webhook.path("clientConfig");
            String path = client.path("service").path("path").asText();
            client.removeAll();
            client.put("url", "https://127.0.0.1:" + port + path);
        });
        return configuration;
    }

    private static java.util.Optional<JsonNode> configuration() {
        return CLUSTERS.worker(1).admin().find(MUTATING.named("osm-hub"));
    }

    private static Set<String> bundles(ApiResource kind, RealCluster cluster) {
        Set<String> bundles = new HashSet<>();
        cluster.admin()
                .get(kind.named("osm-hub"))
                .path("webhooks")
                .forEach(webhook -> bundles.add(
                        webhook.path("clientConfig").path("caBundle").asText()));
        bundles.remove("");
        return bundles;
    }

    private static ObjectNode machineDeployment(String name) {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment(name);
        ((ObjectNode) machineDeployment.at("/metadata/annotations")).remove(PROFILE);
        return machineDeployment;
    }

    private static ObjectNode profile(String name, String script) {
        ObjectNode profile = ExampleObjects.profile();
        ((ObjectNode) profile.path("metadata")).put("name", name).put("namespace", "tenant-a");
        ((ObjectNode) profile.at("/spec/bootstrapConfig/files/0/content/inline")).put("data", script);
        return profile;
    }

    @Test
    @Order(1)
    void aMachineDeploymentGetsTheProfileOfItsOperatingSystemAndKeepsEverythingElse() {
        ObjectNode machineDeployment = machineDeployment("defaulted");
        ((ObjectNode) machineDeployment.path("spec")).put("unknownToTheHub", "kept");

        JsonNode stored = worker.admin().create(machineDeployment);

        assertThat(stored.path("metadata").path("annotations").path(PROFILE).asText())
                .isEqualTo("osp-example");
        assertThat(stored.path("spec").path("unknownToTheHub").asText()).isEqualTo("kept");
        assertThat(stored.path("spec").path("template"))
                .isEqualTo(machineDeployment.path("spec").path("template"));
        Await.until("its secret is published", () -> tenant.secret("defaulted-kube-system-bootstrap-config")
                .isPresent());
    }

    @Test
    @Order(2)
    void aMachineDeploymentThatItsProfileCannotServeIsRefusedWithWhatIsSupported() {
        ObjectNode machineDeployment = machineDeployment("elsewhere");
        ((ObjectNode) machineDeployment.at("/spec/template/spec/providerSpec/value")).put("cloudProvider", "gce");

        assertThatThrownBy(() -> worker.admin().create(machineDeployment))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("does not support cloud provider \"gce\"")
                .hasMessageContaining("aws, hetzner, openstack");
    }

    @Test
    @Order(3)
    void aNamespaceThatIsNotGrantedIsRefused() {
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("curious");
        ((ObjectNode) machineDeployment.at("/metadata/annotations")).put(PROFILE_NAMESPACE, "tenant-b");

        assertThatThrownBy(() -> worker.admin().create(machineDeployment))
                .hasMessageContaining("tenant-b is not granted to this tenant");
    }

    @Test
    @Order(4)
    void aStoredMachineDeploymentCanBeScaledAndDeletedWhateverItSays() {
        ResourcePath path = ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "odd");
        tenant.mergeSettings("{paused: true}");
        Await.until("the hub writes nothing", () -> tenant.state().equals("Paused"));
        worker.admin().delete(MUTATING.named("osm-hub"));
        ObjectNode odd = machineDeployment("odd");
        ((ObjectNode) odd.at("/spec/template/spec/providerSpec/value")).put("unknownField", 1);
        ((ObjectNode) odd.path("metadata")).putArray("finalizers").add("example.org/held");
        worker.admin().create(odd);
        tenant.mergeSettings("{paused: false}");
        Await.until("the webhook is back", () -> configuration().isPresent());

        worker.admin().merge(path, "{spec: {replicas: 5}}");
        worker.admin().merge(path, "{metadata: {labels: {team: a}}}");
        worker.admin().delete(path);
        worker.admin().merge(path, "{metadata: {finalizers: null}}");

        Await.until(
                "the webhook configuration is deleted",
                () -> worker.admin().find(path).isEmpty());
    }

    @Test
    @Order(5)
    void aProfileThatCannotBeRenderedIsRefusedWithThePlace() {
        assertThatThrownBy(() ->
                        management.admin().create(profile("osp-typo", "#!/bin/bash\necho {{ .Token | toYamll }}\n")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.bootstrapConfig.files[0] (/opt/bin/bootstrap) line 2")
                .hasMessageContaining("toYamll");
        assertThatThrownBy(
                        () -> management.admin().create(profile("osp-field", "#!/bin/bash\necho {{ .NoSuchField }}\n")))
                .hasMessageContaining("spec.bootstrapConfig.files[0] (/opt/bin/bootstrap) line 2")
                .hasMessageContaining("NoSuchField");

        management.admin().create(profile("osp-good", "#!/bin/bash\necho ready\n"));
    }

    @Test
    @Order(6)
    void aProfileChangesOnlyWithItsVersion() {
        ResourcePath path = ApiResource.OSPS.in("tenant-a", "osp-good");

        assertThatThrownBy(() -> management.admin().merge(path, "{spec: {osVersion: '26.04'}}"))
                .hasMessageContaining(
                        "OperatingSystemProfile is immutable. For updates .spec.version needs to be updated");
        management.admin().merge(path, "{metadata: {labels: {team: a}}}");
        management.admin().merge(path, "{spec: {osVersion: '26.04', version: v1.1.0}}");
    }

    @Test
    @Order(7)
    void aConfigurationIsNeverChanged() {
        Await.until(
                "it is stored", () -> tenant.osc("defaulted-kube-system-config").isPresent());

        assertThatThrownBy(() -> management
                        .admin()
                        .merge(
                                ApiResource.OSCS.in("tenant-a", "defaulted-kube-system-config"),
                                "{spec: {osVersion: '1'}}"))
                .hasMessageContaining("OperatingSystemConfig is immutable and updates are not allowed");
    }

    @Test
    @Order(8)
    void aRegistrationThatWouldNotBeServedIsRefused() {
        ObjectNode local = ManifestObjects.object("""
                apiVersion: osmhub.io/v1alpha1
                kind: WorkerCluster
                metadata: {name: local, namespace: default}
                spec: {target: ManagementCluster}
                """);

        assertThatThrownBy(() -> management.admin().create(local)).hasMessageContaining("spec.target");
    }

    /** The hub reads what settings refer to and nodes get it: an editor of the tenant must not get a kubeconfig this way. */
    @Test
    @Order(9)
    void anEditorWhoMayNotReadSecretsCannotHaveTheHubReadThem() {
        ClusterClient editor = editor();
        ResourcePath path = ApiResource.WORKER_CLUSTERS.in("tenant-a", RealTenant.NAME);
        List<String> attacks = List.of(
                "{provisioning: {proxy: {httpProxySecretRef: {name: worker-kubeconfig, key: kubeconfig}}}}",
                "{provisioning: {hostCA: {secretKeyRef: {name: worker-kubeconfig, key: kubeconfig}}}}",
                "{provisioning: {kubernetesCA: {secretKeyRef: {name: worker-kubeconfig, key: kubeconfig}}}}",
                "{provisioning: {registries: {credentialsSecretRef: {name: worker-kubeconfig}}}}",
                "{provisioning: {cloudCredentialsSecretRef: {name: worker-kubeconfig}}}",
                "{kubeconfigSecretRef: {name: other}}");
        Await.until("the editor's role counts", () -> editor.allowed(path));

        assertThat(editor.allowed(ApiResource.SECRETS.in("tenant-a", "worker-kubeconfig")))
                .isFalse();
        for (String attack : attacks) {
            assertThatThrownBy(() -> editor.merge(path, "{spec: " + attack + "}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("must not refer to Secret tenant-a/")
                    .hasMessageContaining("without permission to get it");
        }
        editor.merge(path, "{spec: {provisioning: {clusterDNS: [10.0.0.53]}}}");

        // A caller that may read it may refer to it, and still no node gets a kubeconfig as its proxy.
        tenant.mergeSettings(attacks.getFirst());
        Await.until("the value is refused", () -> tenant.reason("Synced").equals("SettingsInvalid"));
        tenant.mergeSettings("{provisioning: {proxy: null}}");
        Await.until(
                "the settings are valid again", () -> !tenant.reason("Synced").equals("SettingsInvalid"));
    }

    /** As a person to whom an operator gave the shipped role. */
    private ClusterClient editor() {
        management.admin().apply("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: editor, namespace: tenant-a}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: editor, namespace: tenant-a}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'osmhub.io:tenant-editor'}
                subjects: [{kind: ServiceAccount, name: editor, namespace: tenant-a}]
                """);
        return management.client(management.token("tenant-a", "editor"));
    }

    @Test
    @Order(10)
    void whatAnotherWriterChangedInTheWebhookIsLeftToItAndReported() {
        worker.admin()
                .merge(
                        MUTATING.named("osm-hub"),
                        "{webhooks: [{name: machinedeployments.osmhub.io, clientConfig: {url: 'https://example.org/'},"
                                + " sideEffects: None, admissionReviewVersions: [v1]}]}");
        tenant.mergeSettings("{admission: {timeoutSeconds: 6}}");

        Await.until("the conflict is reported", () -> tenant.workerCluster()
                .filter(found -> found.path("status").toString().contains("Apply failed with"))
                .isPresent());
        assertThat(configuration()
                        .orElseThrow()
                        .at("/webhooks/0/clientConfig/url")
                        .asText())
                .isEqualTo("https://example.org/");

        worker.admin().delete(MUTATING.named("osm-hub"));
        tenant.mergeSettings("{admission: {timeoutSeconds: null}}");

        Await.until("it is applied again", () -> configuration()
                .filter(found ->
                        found.at("/webhooks/0/clientConfig/url").asText().startsWith("https://127.0.0.1:"))
                .isPresent());
        Await.until("the conflict is over", () -> tenant.workerCluster()
                .filter(found -> !found.path("status").toString().contains("Apply failed with"))
                .isPresent());
    }

    @Test
    @Order(11)
    void renewalsUnderLoadFailNoRequest() {
        tenant.mergeSettings("{admission: {failurePolicy: Fail}}");
        Await.until("a request fails when the hub does not answer", () -> configuration()
                .filter(found -> found.at("/webhooks/0/failurePolicy").asText().equals("Fail"))
                .isPresent());
        Set<String> certificates = new HashSet<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            ObjectNode machineDeployment = machineDeployment("load-" + number);
            callers.add(Thread.ofVirtual().start(() -> {
                ClusterClient client = worker.client(worker.adminToken());
                while (!over.get()) {
                    try {
                        assertThat(client.dryRun(machineDeployment)
                                        .path("metadata")
                                        .path("annotations")
                                        .path(PROFILE)
                                        .asText())
                                .isEqualTo("osp-example");
                        answered.incrementAndGet();
                    } catch (RuntimeException | AssertionError e) {
                        failed.add(String.valueOf(e.getMessage()));
                    }
                }
            }));
        }

        try {
            for (int renewal = 0; renewal < RENEWALS; renewal++) {
                String before = leaf();
                certificates.add(before);
                int seen = answered.get();
                management.admin().delete(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"));
                Await.until("another certificate is stored", () -> !leaf().isEmpty() && !leaf().equals(before));
                Await.until("requests go on", () -> answered.get() > seen + CALLERS);
            }
            certificates.add(leaf());
            Await.until("enough was asked", () -> answered.get() > LEAST_REQUESTS);
        } finally {
            over.set(true);
            callers.forEach(AdmissionE2E::join);
            tenant.mergeSettings("{admission: {failurePolicy: Ignore}}");
        }

        assertThat(failed).isEmpty();
        assertThat(certificates).hasSize(RENEWALS + 1);
        Await.until("a hub that is away holds nothing up", () -> configuration()
                .filter(found -> found.at("/webhooks/0/failurePolicy").asText().equals("Ignore"))
                .isPresent());
    }

    private String leaf() {
        return management
                .admin()
                .find(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"))
                .map(found -> found.path("data").path("tls.crt").asText())
                .orElse("");
    }

    private static void join(Thread caller) {
        try {
            caller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Test
    @Order(12)
    void theAuthorityIsNotLostWithItsSecret() {
        Set<String> trusted = bundles(VALIDATING, management);

        management.admin().delete(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"));

        Await.until("it is stored again", () -> management
                .admin()
                .find(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"))
                .isPresent());
        assertThat(bundles(VALIDATING, management)).isEqualTo(trusted);
        assertThatThrownBy(() -> management.admin().create(profile("osp-typo", "{{ nonsense }}")))
                .hasMessageContaining("nonsense");
    }

    @Test
    @Order(13)
    void aTenantCanDoWithoutTheWebhook() {
        tenant.mergeSettings("{admission: {mode: None}}");
        Await.until("it is removed", () -> configuration().isEmpty());

        tenant.mergeSettings("{admission: {mode: Managed}}");
        Await.until("it is there", () -> configuration().isPresent());
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void nothingIsHeldUpWhileTheHubIsAway() {
        ClusterClient editor = editor();
        ResourcePath path = ApiResource.WORKER_CLUSTERS.in("tenant-a", RealTenant.NAME);
        hub.kill();

        worker.admin().create(machineDeployment("alone"));
        worker.admin().merge(ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "alone"), "{spec: {replicas: 3}}");
        management.admin().create(profile("osp-alone", "#!/bin/bash\necho ready\n"));
        String reference = "{provisioning: {cloudCredentialsSecretRef: {name: worker-kubeconfig}}}";
        assertThatThrownBy(() -> editor.merge(path, "{spec: " + reference + "}"))
                .hasMessageContaining("references.workerclusters.osmhub.io");
        editor.merge(path, "{spec: {cleanupTimeout: 1m}}");
        tenant.mergeSettings(reference);

        assertThat(worker.admin()
                        .find(ApiResource.MACHINE_DEPLOYMENTS.in("kube-system", "alone"))
                        .orElseThrow()
                        .path("spec")
                        .path("replicas")
                        .asInt())
                .isEqualTo(3);
    }
}
