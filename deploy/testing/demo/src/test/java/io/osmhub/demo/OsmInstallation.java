package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulatedObjects;
import io.osmhub.sim.objects.JsonTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One user cluster as Operating System Manager (OSM) leaves it, with one MachineDeployment and the objects that OSM wrote for it: its
 * profile, configuration, immutable secrets, token and Lease; and in the management cluster the Deployment and kubeconfig of OSM.
 */
final class OsmInstallation {
    static final String NAME = "operating-system-manager";

    private static final String SETTINGS = "cloud-init-settings";

    private final SimulatedCluster management;
    private final SimulatedCluster worker;
    private final String namespace;

    /** The inputs and results of one case of OSM's fixtures. */
    record OsmCase(
            String name, JsonNode config, ObjectNode machineDeployment, ObjectNode profile, List<ObjectNode> written) {
        private static final List<String> WRITTEN = List.of(
                "osc.yaml", "provisioning-secret.yaml", "bootstrap-secret.yaml", "kubelet-bootstrap-secret.yaml");

        static OsmCase read(String name) {
            return read(OsmFixtures.shared().resolve(name), OsmFixtures.shared().resolve("osps"));
        }

        /**
         * A case for an operating system without fixtures of OSM: another case with its name, as our renderer publishes it, which
         * equals OSM's in every fixture; the secrets are immutable, as OSM writes them.
         */
        static OsmCase derive(String name, String operatingSystem, Path scratch) throws IOException {
            OsmCase base = read(name);
            Path folder = Files.createDirectories(scratch.resolve(base.name() + "-" + operatingSystem));
            ObjectNode profile = base.profile().deepCopy();
            profile.withObject("/metadata").put("name", "osp-" + operatingSystem);
            profile.withObject("/spec").put("osName", operatingSystem);
            ObjectNode machineDeployment = base.machineDeployment().deepCopy();
            ObjectNode metadata = machineDeployment.withObject("/metadata");
            metadata.put("name", String.valueOf(folder.getFileName()));
            metadata.withObject("/annotations").put("k8c.io/operating-system-profile", "osp-" + operatingSystem);
            machineDeployment
                    .withObject("/spec/template/spec/providerSpec/value")
                    .put("operatingSystem", operatingSystem);
            List<String> options = new ArrayList<>(List.of("render", "-n", "kube-system", "--out"));
            options.add(folder.resolve("rendered").toString());
            JsonNode config = base.config();
            JsonNode token = config.path("bootstrapToken");
            Map.of(
                            "--osp", profile.toString(),
                            "--machine-deployment", machineDeployment.toString(),
                            "--kubernetes-ca", config.path("kubernetesCACert").asText(),
                            "--cluster-info",
                                    config.path("clusterInfoKubeconfig").asText(),
                            "--fetch-token-file", config.path("apiServerToken").asText(),
                            "--bootstrap-token-file",
                                    token.path("id").asText() + "."
                                            + token.path("secret").asText())
                    .forEach((option, text) ->
                            options.addAll(List.of(option, write(folder.resolve(option.substring(2)), text))));
            for (Map.Entry<String, JsonNode> flag : config.path("flags").properties()) {
                options.addAll(List.of(
                        "--peer-flag", flag.getKey() + "=" + flag.getValue().asText()));
            }
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
            int exit = HubCommand.run(
                    new Terminal(InputStream.nullInputStream(), stream, stream), options.toArray(String[]::new));
            if (exit != 0) {
                throw new IllegalStateException(said.toString(StandardCharsets.UTF_8));
            }
            List<ObjectNode> written = new ArrayList<>();
            for (String file : WRITTEN) {
                ObjectNode object = yaml(folder.resolve("rendered").resolve(file));
                if (file.startsWith("provisioning") || file.startsWith("bootstrap")) {
                    object.put("immutable", true);
                }
                written.add(object);
            }
            return new OsmCase(String.valueOf(folder.getFileName()), config, machineDeployment, profile, written);
        }

        private static String write(Path file, String text) {
            try {
                return Files.writeString(file, text).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static OsmCase read(Path folder, Path profiles) {
            JsonNode config = yaml(folder.resolve("case.yaml"));
            Path own = folder.resolve("osp.yaml");
            List<ObjectNode> written = new ArrayList<>();
            for (String file : WRITTEN) {
                written.add(yaml(folder.resolve(file)));
            }
            return new OsmCase(
                    String.valueOf(folder.getFileName()),
                    config,
                    yaml(folder.resolve("machinedeployment.yaml")),
                    yaml(config.has("osp") ? profiles.resolve(config.path("osp").asText() + ".yaml") : own),
                    written);
        }
    }

    private OsmInstallation(SimulatedCluster management, SimulatedCluster worker, String namespace) {
        this.management = management;
        this.worker = worker;
        this.namespace = namespace;
    }

    static ObjectNode yaml(Path file) {
        try {
            return JsonTrees.read(SourceDocument.json(
                            YamlDocumentReader.read(file.toString(), Files.readString(file), Reason.SettingsInvalid)
                                    .getFirst()
                                    .root())
                    .toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Installs OSM as KKP does, running. */
    static OsmInstallation create(
            SimulatedCluster management, SimulatedCluster worker, String namespace, OsmCase osmCase) {
        OsmInstallation made = new OsmInstallation(management, worker, namespace);
        made.installManagement(osmCase);
        made.installWorker(osmCase);
        return made;
    }

    SimulatedCluster worker() {
        return worker;
    }

    String namespace() {
        return namespace;
    }

    private static String base64(String text) {
        return JsonTrees.base64(text);
    }

    private void installManagement(OsmCase osmCase) {
        SimulatedObjects objects = management.objects();
        createNamespace(management, namespace);
        ObjectNode secret = object("v1", "Secret", namespace, "operatingsystemmanager-kubeconfig");
        secret.putObject("data").put("kubeconfig", base64(worker.kubeconfig()));
        objects.create(secret);
        ObjectNode bundles = object("v1", "ConfigMap", namespace, "bundles");
        List<String> arguments = new ArrayList<>(List.of(
                "-kubeconfig",
                "/etc/kubernetes/kubeconfig/kubeconfig",
                "-health-probe-address",
                "0.0.0.0:8085",
                "-namespace",
                "kube-system",
                "-kubernetes-ca-bundle",
                "/etc/bundles/kubernetes.pem"));
        // The case's cluster has another CA than the simulated one.
        JsonNode config = osmCase.config();
        bundles.putObject("data")
                .put(
                        "kubernetes.pem",
                        config.path("kubernetesCABundle")
                                .asText(config.path("kubernetesCACert").asText()));
        if (config.has("hostCABundle")) {
            bundles.withObject("/data")
                    .put("host.pem", config.path("hostCABundle").asText());
            arguments.addAll(List.of("-host-ca-bundle", "/etc/bundles/host.pem"));
        }
        objects.create(bundles);
        for (Map.Entry<String, JsonNode> flag : config.path("flags").properties()) {
            for (JsonNode value : flag.getValue().isArray() ? flag.getValue() : List.of(flag.getValue())) {
                arguments.add("-" + flag.getKey() + "=" + value.asText());
            }
        }
        objects.create(deployment(arguments));
    }

    private ObjectNode deployment(List<String> arguments) {
        ObjectNode deployment = object("apps/v1", "Deployment", namespace, NAME);
        deployment.putObject("spec").put("replicas", 1);
        ObjectNode pod = deployment.withObject("/spec/template/spec");
        ObjectNode container = pod.putArray("containers").addObject().put("name", NAME);
        ObjectNode command = JsonTrees.object().put("command", "/usr/local/bin/osm-controller");
        ArrayNode words = command.putArray("args");
        arguments.forEach(words::add);
        container.putArray("command").add("/http-prober-bin/http-prober");
        container
                .putArray("args")
                .add("-endpoint")
                .add("https://apiserver-external." + namespace + ".svc.cluster.local./healthz")
                .add("-insecure")
                .add("-command")
                .add(command.toString());
        ArrayNode mounts = container.putArray("volumeMounts");
        mounts.addObject().put("name", "kubeconfig").put("mountPath", "/etc/kubernetes/kubeconfig");
        mounts.addObject().put("name", "bundles").put("mountPath", "/etc/bundles");
        ObjectNode variable = container.putArray("env").addObject().put("name", "AZURE_CLIENT_ID");
        variable.withObject("/valueFrom/secretKeyRef")
                .put("name", "cloud-credentials")
                .put("key", "clientID");
        ArrayNode volumes = pod.putArray("volumes");
        volumes.addObject()
                .put("name", "kubeconfig")
                .putObject("secret")
                .put("secretName", "operatingsystemmanager-kubeconfig");
        volumes.addObject().put("name", "bundles").putObject("configMap").put("name", "bundles");
        return deployment;
    }

    private void installWorker(OsmCase osmCase) {
        worker.installWorkerPrerequisites();
        SimulatedObjects objects = worker.objects();
        for (ShippedDefinition definition :
                List.of(ShippedDefinition.OPERATING_SYSTEM_PROFILES, ShippedDefinition.OPERATING_SYSTEM_CONFIGS)) {
            for (SourceDocument document : YamlDocumentReader.read("crd", definition.yaml(), Reason.SettingsInvalid)) {
                objects.create(
                        JsonTrees.read(SourceDocument.json(document.root()).toString()));
            }
        }
        JsonNode config = osmCase.config();
        if (config.has("clusterInfoKubeconfig")) {
            ObjectNode info = object("v1", "ConfigMap", "kube-public", "cluster-info");
            info.putObject("data")
                    .put("kubeconfig", config.path("clusterInfoKubeconfig").asText());
            objects.replace(info);
        }
        // The simulated token controller fills it in first, once.
        LiveApi.awaitTrue(() -> objects.get("v1", "Secret", SETTINGS, "cloud-init-getter-token")
                .filter(secret -> secret.path("data").has("token"))
                .isPresent());
        objects.patch(
                "v1",
                "Secret",
                SETTINGS,
                "cloud-init-getter-token",
                "{\"data\":{\"token\":\"" + base64(config.path("apiServerToken").asText()) + "\"}}");
        for (JsonNode object : config.path("objects")) {
            createNamespace(worker, object.at("/metadata/namespace").asText());
            objects.createIfAbsent(object.deepCopy());
        }
        ObjectNode profile = osmCase.profile().deepCopy();
        profile.withObject("/metadata").put("namespace", "kube-system");
        objects.create(profile);
        add(osmCase);
        renewLease(NAME + "-7d9c5f-x2x7q_0b1c");
    }

    /** Another MachineDeployment of the same profile and settings. */
    void add(OsmCase osmCase) {
        SimulatedObjects objects = worker.objects();
        ObjectNode machineDeployment = osmCase.machineDeployment().deepCopy();
        machineDeployment
                .withObject("/metadata")
                .putArray("finalizers")
                .add("kubermatic.io/cleanup-operating-system-configs");
        createNamespace(worker, machineDeployment.at("/metadata/namespace").asText());
        objects.create(machineDeployment);
        osmCase.written().forEach(written -> objects.create(written.deepCopy()));
        JsonNode token = osmCase.config().path("bootstrapToken");
        if (!token.isMissingNode()) {
            objects.create(token(
                    machineDeployment,
                    token.path("id").asText(),
                    token.path("secret").asText()));
        }
    }

    /** As OSM extends it: to an hour, of which half is left when it was last seen. */
    private static ObjectNode token(ObjectNode machineDeployment, String id, String value) {
        JsonNode metadata = machineDeployment.path("metadata");
        String key = metadata.path("namespace").asText() + "-"
                + metadata.path("name").asText();
        ObjectNode secret = object("v1", "Secret", "kube-system", "bootstrap-token-" + id);
        secret.put("type", "bootstrap.kubernetes.io/token");
        secret.withObject("/metadata/labels").put("machinedeployment.k8s.io/name", key);
        ObjectNode data = secret.putObject("data");
        Map.of(
                        "token-id",
                        id,
                        "token-secret",
                        value,
                        "expiration",
                        Instant.now()
                                .plus(Duration.ofMinutes(35))
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString(),
                        "usage-bootstrap-authentication",
                        "true",
                        "usage-bootstrap-signing",
                        "true",
                        "auth-extra-groups",
                        "system:bootstrappers:machine-controller:default-node-token")
                .forEach((field, text) -> data.put(field, base64(text)));
        return secret;
    }

    /** Holds OSM's Lease in the worker cluster for a second. */
    void renewLease(String holder) {
        renewLease(holder, Duration.ofSeconds(1));
    }

    /** Replaces OSM's Lease in the worker cluster. */
    void renewLease(String holder, Duration duration) {
        ObjectNode lease = object("coordination.k8s.io/v1", "Lease", "kube-system", NAME);
        lease.putObject("spec")
                .put("holderIdentity", holder)
                .put("leaseDurationSeconds", duration.toSeconds())
                .put("renewTime", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
        worker.objects().delete("coordination.k8s.io/v1", "Lease", "kube-system", NAME);
        worker.objects().create(lease);
    }

    static void createNamespace(SimulatedCluster cluster, String name) {
        ObjectNode namespace = JsonTrees.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        cluster.objects().createIfAbsent(namespace);
    }

    static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = JsonTrees.object().put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    /** Changes OSM's Deployment in the management cluster. */
    void patchDeployment(String mergePatch) {
        management.objects().patch("apps/v1", "Deployment", namespace, NAME, mergePatch);
    }

    /** Adds KKP's objects of this user cluster: its Cluster and Seed, and OSM's webhook. */
    void installKkp() {
        kind("Cluster", "clusters", "Cluster");
        kind("Seed", "seeds", "Namespaced");
        kind("ClusterTemplate", "clustertemplates", "Cluster");
        SimulatedObjects objects = management.objects();
        createNamespace(management, "kubermatic");
        ObjectNode seed = object(KKP, "Seed", "kubermatic", "fjord");
        seed.withObject("/spec/datacenters/nord-aws-1/spec/aws").put("region", "eu-north-1");
        objects.createIfAbsent(seed);
        ObjectNode cluster = object(KKP, "Cluster", "", namespace.substring("cluster-".length()));
        cluster.withObject("/spec/cloud").put("dc", "nord-aws-1");
        cluster.withObject("/status").put("namespaceName", namespace);
        objects.create(cluster);
        ObjectNode webhook = object("apps/v1", "Deployment", namespace, NAME + "-webhook");
        webhook.putObject("spec").put("replicas", 1);
        objects.create(webhook);
        objects.patchStatus(
                "apps/v1", "Deployment", namespace, NAME + "-webhook", "{\"status\":{\"readyReplicas\":1}}");
    }

    static final String KKP = "kubermatic.k8c.io/v1";

    private void kind(String kind, String plural, String scope) {
        ObjectNode definition =
                object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", plural + ".kubermatic.k8c.io");
        ObjectNode spec = definition.putObject("spec");
        spec.put("group", "kubermatic.k8c.io").put("scope", scope);
        spec.putObject("names")
                .put("kind", kind)
                .put("listKind", kind + "List")
                .put("plural", plural)
                .put("singular", plural.substring(0, plural.length() - 1));
        ObjectNode version = spec.putArray("versions").addObject();
        version.put("name", "v1").put("served", true).put("storage", true);
        version.withObject("/schema/openAPIV3Schema")
                .put("type", "object")
                .put("x-kubernetes-preserve-unknown-fields", true);
        management.objects().createIfAbsent(definition);
    }

    /** The replicas of OSM in the Cluster object; missing if KKP's default applies. */
    JsonNode clusterReplicas() {
        return management
                .objects()
                .get(KKP, "Cluster", "", namespace.substring("cluster-".length()))
                .orElseThrow()
                .at("/spec/componentsOverride/operatingSystemManager/replicas");
    }
}
