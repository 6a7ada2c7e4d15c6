package io.osmhub.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.objects.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

/** A hub to which everything has happened once that makes a metric begin: what its metrics page may be held against. */
final class FullMetricsHub {
    private FullMetricsHub() {}

    static ObservedHub start(Path folder) throws Exception {
        ObservedHub hub = new ObservedHub(folder, "");
        SimulatedTenant good = hub.publish("cluster-a");
        ObjectNode mistaken =
                MachineFlavor.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName("kube-system", "mistaken"), 1);
        mistaken.withObject("/metadata/annotations").put("k8c.io/operating-system-profile", "osp-that-is-not-there");
        good.objects().create(mistaken);
        withCertificate(hub.stage());
        good.cluster().faults().endWatches();
        hub.stage().addFile(MachineFlavor.UBUNTU_ON_AWS.profile(), "/etc/more", "more\n");
        hub.callApi("GET", "/api/v1/worker-clusters", "");
        hub.callApi("GET", "/api/v1/namespaces/nowhere/worker-clusters/nothing", "");
        hub.callApi("GET", "/api/v1/problems?what=nothing", "");
        System.gc();
        LiveApi.awaitTrue(() -> {
            Exposition now = Exposition.of(hub.scrape());
            return now.series().containsKey("osm_hub_watch_restarts_total")
                    && now.series().containsKey("osm_hub_render_failures_total")
                    && now.series().containsKey("osm_hub_tenant_credentials_expiry_timestamp_seconds")
                    && now.series().containsKey("osm_hub_tenant_token_min_validity_seconds")
                    && now.series().containsKey("osm_hub_http_requests_total")
                    && now.series().containsKey("jvm_gc_pause_seconds_max")
                    && now.values("osm_hub_http_requests_total", "route").contains("/api/v1/problems")
                    && now.values("osm_hub_problems", "reason").contains("ProfileNotFound");
        });
        return hub;
    }

    /** A tenant whose credential says when it ends. */
    private static void withCertificate(SimulatedFleet stage) {
        SimulatedTenant tenant = stage.addTenant("cluster-b", "worker-b");
        String kubeconfig = tenant.cluster().kubeconfigWithCertificate(Duration.ofDays(5), "admin", "system:masters");
        stage.management().objects().create(object("Namespace", "", "cluster-b"));
        ObjectNode secret = object("Secret", "cluster-b", "worker-b-kubeconfig");
        secret.withObject("/metadata/labels").put("osmhub.io/worker-cluster", "worker-b");
        secret.withObject("/data")
                .put("kubeconfig", Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8)));
        stage.management().objects().create(secret);
    }

    private static ObjectNode object(String kind, String namespace, String name) {
        ObjectNode object = JsonTrees.object();
        object.put("apiVersion", "v1").put("kind", kind);
        object.withObject("/metadata").put("name", name);
        if (!namespace.isEmpty()) {
            object.withObject("/metadata").put("namespace", namespace);
        }
        return object;
    }
}
