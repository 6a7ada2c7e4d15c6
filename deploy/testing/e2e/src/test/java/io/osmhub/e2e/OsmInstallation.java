package io.osmhub.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * Operating System Manager (OSM) as KKP installs it: its Deployment and kubeconfig in the tenant's namespace, and in the user cluster
 * one MachineDeployment with what OSM wrote for it. No process runs; Leases are written for it.
 */
final class OsmInstallation {
    private static final String NAME = "operating-system-manager";
    private static final ApiResource DEPLOYMENTS = new ApiResource("apps", "v1", "deployments");
    private static final ApiResource CLUSTERS = new ApiResource("kubermatic.k8c.io", "v1", "clusters");
    private static final Duration STOPPED = Duration.ofSeconds(1);

    private final RealTenant tenant;

    private OsmInstallation(RealTenant tenant) {
        this.tenant = tenant;
    }

    static OsmInstallation create(RealTenant tenant, FixtureCase osmCase) {
        OsmInstallation made = new OsmInstallation(tenant);
        ClusterClient management = tenant.management().admin();
        management.apply(ManifestObjects.namespace(tenant.namespace()));
        RealCluster worker = tenant.worker();
        management.apply(ManifestObjects.secret(
                tenant.namespace(),
                "operatingsystemmanager-kubeconfig",
                Map.of("kubeconfig", worker.kubeconfig(worker.adminToken()))));
        // The case's cluster has another CA than this one.
        management.apply(ManifestObjects.configMap(
                tenant.namespace(),
                "bundles",
                Map.of("ca.pem", osmCase.text("kubernetesCACert").orElseThrow())));
        made.deploy(
                management,
                tenant.namespace(),
                "[/usr/local/bin/osm-controller, -namespace=kube-system, -kubernetes-ca-bundle=/etc/bundles/ca.pem,"
                        + " -kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig]");
        installKinds(worker);
        ShippedManifests.installInWorker(worker);
        osmCase.prepare(tenant);
        // OSM extends it to an hour, of which half is left when it was last seen.
        worker.admin()
                .merge(
                        ApiResource.SECRETS.in(
                                "kube-system",
                                "bootstrap-token-"
                                        + osmCase.config()
                                                .at("/bootstrapToken/id")
                                                .asText()),
                        "{stringData: {expiration: \"%s\"}}"
                                .formatted(Instant.now()
                                        .plus(Duration.ofMinutes(35))
                                        .truncatedTo(ChronoUnit.SECONDS)));
        ObjectNode profile = osmCase.profile().deepCopy();
        profile.withObject("/metadata").put("namespace", "kube-system");
        worker.admin().create(profile);
        ObjectNode machineDeployment = osmCase.machineDeployment().deepCopy();
        machineDeployment
                .withObject("/metadata")
                .putArray("finalizers")
                .add("kubermatic.io/cleanup-operating-system-configs");
        worker.admin().create(machineDeployment);
        for (String file : List.of("osc", "provisioning-secret", "bootstrap-secret", "kubelet-bootstrap-secret")) {
            ManifestObjects.file(osmCase.folder().resolve(file + ".yaml")).forEach(worker.admin()::create);
        }
        made.writeLease(STOPPED);
        return made;
    }

    private static void installKinds(RealCluster worker) {
        List<ObjectNode> definitions =
                ManifestObjects.file(ShippedManifests.FOLDER.resolve("../../../docs/examples/machine-crds.yaml"));
        definitions.addAll(ShippedManifests.definitions().subList(0, 2));
        definitions.forEach(worker.admin()::apply);
        definitions.forEach(definition -> RealClusters.awaitServed(worker, ManifestObjects.name(definition)));
    }

    private void deploy(ClusterClient cluster, String namespace, String command) {
        cluster.apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: %s, name: %s}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: osm}}
                  template:
                    metadata: {labels: {app: osm}}
                    spec:
                      containers:
                      - name: osm
                        image: osm
                        command: %s
                        volumeMounts:
                        - {name: kubeconfig, mountPath: /etc/kubernetes/kubeconfig}
                        - {name: bundles, mountPath: /etc/bundles}
                      volumes:
                      - {name: kubeconfig, secret: {secretName: operatingsystemmanager-kubeconfig}}
                      - {name: bundles, configMap: {name: bundles}}
                """.formatted(namespace, NAME, command));
    }

    /** OSM holds its Lease for that long. */
    private void writeLease(Duration duration) {
        ClusterClient worker = tenant.worker().admin();
        worker.delete(ApiResource.LEASES.in("kube-system", NAME));
        worker.create(ManifestObjects.object(
                """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {namespace: kube-system, name: %s}
                spec: {holderIdentity: %s-7d9c5f-x2x7q_0b1c, leaseDurationSeconds: %d, renewTime: "%s"}
                """.formatted(NAME, NAME, duration.toSeconds(), Instant.now().truncatedTo(ChronoUnit.MICROS))));
    }

    int replicas() {
        return tenant.management()
                .admin()
                .get(DEPLOYMENTS.in(tenant.namespace(), NAME))
                .at("/spec/replicas")
                .asInt();
    }

    /** Adds KKP's objects of this user cluster, also as files for commands that read them. */
    void installKkp(Path folder) throws IOException {
        ClusterClient management = tenant.management().admin();
        kind("Cluster", "clusters", "Cluster");
        kind("Seed", "seeds", "Namespaced");
        kind("ClusterTemplate", "clustertemplates", "Cluster");
        kind("KubermaticConfiguration", "kubermaticconfigurations", "Namespaced");
        management.apply(ManifestObjects.namespace("kubermatic"));
        Map<String, String> objects = Map.of("config", """
                apiVersion: kubermatic.k8c.io/v1
                kind: KubermaticConfiguration
                metadata: {namespace: kubermatic, name: kubermatic}
                spec: {}
                """, "seed", """
                apiVersion: kubermatic.k8c.io/v1
                kind: Seed
                metadata: {namespace: kubermatic, name: fjord}
                spec: {datacenters: {nord-aws-1: {spec: {aws: {region: eu-north-1}}}}}
                """, "cluster", """
                apiVersion: kubermatic.k8c.io/v1
                kind: Cluster
                metadata: {name: %s}
                spec: {version: 1.31.0, cloud: {dc: nord-aws-1, providerName: aws, aws: {}}}
                status: {namespaceName: %s}
                """.formatted(
                        tenant.namespace().substring("cluster-".length()), tenant.namespace()));
        Files.createDirectories(folder);
        for (Map.Entry<String, String> object : objects.entrySet()) {
            management.apply(object.getValue());
            Files.writeString(folder.resolve(object.getKey() + ".yaml"), object.getValue());
        }
    }

    private void kind(String kind, String plural, String scope) {
        tenant.management().admin().apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %2$s.kubermatic.k8c.io}
                spec:
                  group: kubermatic.k8c.io
                  scope: %3$s
                  names: {kind: %1$s, plural: %2$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(kind, plural, scope));
        RealClusters.awaitServed(tenant.management(), plural + ".kubermatic.k8c.io");
    }

    /** What KKP does: OSM stops once the Cluster asks for it, and starts once it no longer does. */
    void stopAndStartAsTheClusterSays() {
        writeLease(Duration.ofHours(1));
        Await.until("OSM is stopped by the Cluster", Duration.ofMinutes(5), this::isStoppedByKkp);
        writeLease(STOPPED);
        Await.until("the Cluster lets OSM run again", Duration.ofMinutes(5), () -> !isStoppedByKkp());
        writeLease(Duration.ofHours(1));
    }

    private boolean isStoppedByKkp() {
        JsonNode cluster = tenant.management()
                .admin()
                .get(CLUSTERS.named(tenant.namespace().substring("cluster-".length())));
        return cluster.at("/spec/componentsOverride/operatingSystemManager/replicas")
                .isInt();
    }

    /** The Deployment in {@code kube-system} of the management cluster runs the hub with OSM's flags. */
    void runTheHubInItsPlace() {
        installKinds(tenant.management());
        ShippedManifests.installPrerequisites(tenant.management());
        deploy(tenant.management().admin(), "kube-system", "[hub, controller, -namespace, kube-system]");
    }
}
