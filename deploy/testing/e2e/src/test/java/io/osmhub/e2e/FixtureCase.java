package io.osmhub.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.template.corpus.UnsupportedCases;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One pipeline fixture: what lies in the clusters, and the payloads that the peer makes of it. */
record FixtureCase(String name, Path folder, JsonNode config, ObjectNode machineDeployment, ObjectNode profile) {
    /** Cases of our own, in the same form. */
    static final Path OWN =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("core/src/test/resources/render");

    private static final String NEVER = "2099-01-01T00:00:00Z";

    /** All cases that are rendered: our own, and OSM's; fails in CI and skips elsewhere without those with third-party profiles. */
    static List<FixtureCase> rendered() {
        return Stream.of(new PipelineCorpus(OWN), OsmFixtures.all())
                .flatMap(corpus -> corpus.names().stream().map(corpus::folder))
                .filter(folder -> Files.exists(folder.resolve("bootstrap.txt")))
                .filter(folder -> !Files.exists(folder.resolve("error.txt")))
                .filter(folder -> UnsupportedCases.refusedName(String.valueOf(folder.getFileName())) == null)
                .map(FixtureCase::read)
                .toList();
    }

    /** One of OSM's own cases; fails in CI and skips elsewhere without them. */
    static FixtureCase osm(String name) {
        return read(OsmFixtures.all().folder(name));
    }

    private static FixtureCase read(Path folder) {
        JsonNode config = ManifestObjects.file(folder.resolve("case.yaml")).getFirst();
        Path profile = config.has("osp")
                ? folder.resolveSibling("osps").resolve(config.path("osp").asText() + ".yaml")
                : folder.resolve("osp.yaml");
        return new FixtureCase(
                String.valueOf(folder.getFileName()),
                folder,
                config,
                ManifestObjects.file(folder.resolve("machinedeployment.yaml")).getFirst(),
                storable(ManifestObjects.file(profile).getFirst()));
    }

    /** An API server stores no null where an object belongs; to a profile both mean that there is nothing. */
    private static ObjectNode storable(ObjectNode profile) {
        ObjectNode spec = (ObjectNode) profile.path("spec");
        for (String part : List.of("bootstrapConfig", "provisioningConfig")) {
            if (spec.path(part).isNull()) {
                spec.putObject(part);
            }
        }
        return profile;
    }

    Optional<String> text(String field) {
        return Optional.ofNullable(config.get(field)).map(JsonNode::asText);
    }

    /** Flags of the peer as they are written on its command line. */
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        for (Map.Entry<String, JsonNode> flag : config.path("flags").properties()) {
            if (flag.getValue().isArray()) {
                flag.getValue().forEach(value -> flags.add("-" + flag.getKey() + "=" + value.asText()));
            } else {
                flags.add("-" + flag.getKey() + "=" + flag.getValue().asText());
            }
        }
        return flags;
    }

    MachineDeploymentObjectNames names() {
        return MachineDeploymentObjectNames.of(machineDeployment);
    }

    /** The payloads that the peer makes, by the name of their secret. */
    Map<String, String> payloads() {
        Map<String, String> payloads = new LinkedHashMap<>();
        payloads.put(names().kubeletBootstrap(), ManifestObjects.text(folder.resolve("kubelet-bootstrap.txt")));
        payloads.put(names().provisioning(), ManifestObjects.text(folder.resolve("provisioning.txt")));
        payloads.put(names().bootstrap(), ManifestObjects.text(folder.resolve("bootstrap.txt")));
        return payloads;
    }

    /** The same payloads as they are found in a worker cluster; a secret that is not there has none. */
    Map<String, String> readPublished(RealTenant tenant) {
        Map<String, String> published = new LinkedHashMap<>();
        payloads().keySet().forEach(name -> tenant.secret(name)
                .ifPresent(secret -> published.put(
                        name,
                        ManifestObjects.value(
                                secret, name.equals(names().kubeletBootstrap()) ? "kubeconfig" : "cloud-config"))));
        return published;
    }

    /** Puts what the case says to be in the worker cluster there: endpoint, tokens, objects that are referred to. */
    void prepare(RealTenant tenant) {
        RealCluster worker = tenant.worker();
        text("clusterInfoKubeconfig").ifPresent(tenant::clusterInfo);
        text("apiServerToken").ifPresent(tenant::fetchToken);
        worker.admin().apply(ManifestObjects.namespace(ManifestObjects.namespace(machineDeployment)));
        for (JsonNode object : config.path("objects")) {
            worker.admin().apply(ManifestObjects.namespace(ManifestObjects.namespace(object)));
            worker.admin().put(withAccount(object.deepCopy()));
        }
        JsonNode token = config.path("bootstrapToken");
        if (!token.isMissingNode()) {
            ObjectNode secret = ManifestObjects.secret(
                    "kube-system",
                    "bootstrap-token-" + token.path("id").asText(),
                    Map.of(
                            "token-id",
                            token.path("id").asText(),
                            "token-secret",
                            token.path("secret").asText(),
                            "expiration",
                            NEVER,
                            "usage-bootstrap-authentication",
                            "true",
                            "usage-bootstrap-signing",
                            "true",
                            "auth-extra-groups",
                            "system:bootstrappers:machine-controller:default-node-token"));
            secret.put("type", "bootstrap.kubernetes.io/token");
            ((ObjectNode) secret.path("metadata"))
                    .putObject("labels")
                    .put("machinedeployment.k8s.io/name", names().key());
            worker.admin().put(secret);
        }
    }

    /** An API server stores no token of a ServiceAccount without saying whose it is. */
    private static ObjectNode withAccount(ObjectNode object) {
        if (object.path("type").asText().equals("kubernetes.io/service-account-token")) {
            ((ObjectNode) object.path("metadata"))
                    .putObject("annotations")
                    .put("kubernetes.io/service-account.name", "default");
        }
        return object;
    }

    @Override
    public String toString() {
        return name;
    }
}
