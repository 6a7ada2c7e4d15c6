package io.osmhub.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.Recipe;
import io.osmhub.demo.stage.Stage;
import io.osmhub.demo.stage.Tenant;
import io.osmhub.sim.ClusterObjects;
import io.osmhub.sim.faults.Faults;
import io.osmhub.sim.faults.Verdict;
import io.osmhub.sim.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.function.Consumer;

/** One tenant with one MachineDeployment, for one fault. */
final class Scene {
    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String OWN_PROFILE = "osp-own";
    private static final Set<String> WRITES = Set.of("create", "update", "patch");

    private final Stage stage;
    private final Tenant tenant;
    private ObjectNode machineDeployment =
            Recipe.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName("kube-system", "workers"), 1);
    private boolean byObject;

    Scene(Stage stage, Tenant tenant) {
        this.stage = stage;
        this.tenant = tenant;
    }

    String namespace() {
        return tenant.namespace();
    }

    /** Namespace of its MachineDeployment. */
    String machineNamespace() {
        return machineDeployment.path("metadata").path("namespace").asText("");
    }

    /** Name of its MachineDeployment. */
    String machineDeployment() {
        return machineDeployment.path("metadata").path("name").asText("");
    }

    ClusterObjects worker() {
        return tenant.objects();
    }

    Faults faults() {
        return tenant.cluster().faults();
    }

    // Before the hub sees it

    void uses(String profile) {
        annotate("k8c.io/operating-system-profile", profile);
    }

    void annotate(String key, String value) {
        machineDeployment.withObject("/metadata/annotations").put(key, value);
    }

    ObjectNode machine() {
        return machineDeployment.withObject("/spec/template/spec");
    }

    ObjectNode provider() {
        return machineDeployment.withObject("/spec/template/spec/providerSpec/value");
    }

    void named(String namespace, String name) {
        worker().createIfAbsent(Json.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        machineDeployment.withObject("/metadata").put("namespace", namespace).put("name", name);
    }

    /** Another MachineDeployment, which comes first. */
    void other(String namespace, String name) {
        worker().createIfAbsent(Json.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        worker().create(Recipe.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName(namespace, name), 1));
    }

    /** A profile of the tenant's own, which the MachineDeployment uses: the example, changed. */
    void ownProfile(Consumer<ObjectNode> change) {
        ObjectNode shared = stage.management()
                .objects()
                .get(PROFILE_API, "OperatingSystemProfile", Stage.PROFILES, Recipe.UBUNTU_ON_AWS.profile())
                .orElseThrow();
        ObjectNode own = Json.object().put("apiVersion", PROFILE_API).put("kind", "OperatingSystemProfile");
        own.putObject("metadata").put("namespace", tenant.namespace()).put("name", OWN_PROFILE);
        own.set("spec", shared.path("spec").deepCopy());
        change.accept(own.withObject("/spec"));
        stage.management()
                .objects()
                .createIfAbsent(Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                        + tenant.namespace() + "\"}}"));
        stage.management().objects().create(own);
        uses(OWN_PROFILE);
    }

    void file(ObjectNode spec, String text) {
        file(spec.withObject("/provisioningConfig"), "/etc/own", text);
    }

    void bootstrapFile(ObjectNode spec, String text) {
        file(spec.withObject("/bootstrapConfig"), "/etc/own", text);
    }

    private static void file(ObjectNode config, String path, String text) {
        ObjectNode file = config.withArray("/files").addObject();
        file.put("path", path).put("permissions", 644);
        file.putObject("content").putObject("inline").put("data", text);
    }

    /** Writes of a kind are refused, whoever tries. */
    void refuse(String resource, int code) {
        faults().script(request -> request.resource().equals(resource) && WRITES.contains(request.verb())
                ? Fault.refused(code)
                : Verdict.PASS);
    }

    /** By a WorkerCluster that somebody wrote, which stays when its Secret goes. */
    void registerByObject() {
        byObject = true;
    }

    /** Lets the hub see it. */
    void enter() {
        worker().create(machineDeployment);
        ClusterObjects management = stage.management().objects();
        management.createIfAbsent(Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                + tenant.namespace() + "\"}}"));
        ObjectNode secret = Json.read("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"%s","name":"%s","labels":{}}}""".formatted(tenant.namespace(), secretName()));
        if (byObject) {
            management.create("""
                    {"apiVersion":"osmhub.io/v1alpha1","kind":"WorkerCluster","metadata":{"namespace":"%s","name":"%s"},
                     "spec":{"kubeconfigSecretRef":{"name":"%s"}}}""".formatted(tenant.namespace(), tenant.workerCluster(), secretName()));
        } else {
            secret.withObject("/metadata/labels").put("osmhub.io/worker-cluster", tenant.workerCluster());
        }
        secret.withObject("/data").put("kubeconfig", base64(tenant.cluster().kubeconfig()));
        management.create(secret);
    }

    private String secretName() {
        return tenant.workerCluster() + "-kubeconfig";
    }

    // While the hub serves it

    void patchMachineDeployment(String patch) {
        worker().patch("cluster.k8s.io/v1alpha1", "MachineDeployment", machineNamespace(), machineDeployment(), patch);
    }

    void patchWorkerCluster(String patch) {
        stage.management()
                .objects()
                .patch("osmhub.io/v1alpha1", "WorkerCluster", tenant.namespace(), tenant.workerCluster(), patch);
    }

    /** Another kubeconfig in the Secret: the one there is with another user. */
    void kubeconfig(Consumer<ObjectNode> user) {
        ObjectNode kubeconfig = Json.read(tenant.cluster().kubeconfig());
        user.accept((ObjectNode) kubeconfig.path("users").path(0).path("user"));
        stage.management()
                .objects()
                .patch(
                        "v1",
                        "Secret",
                        tenant.namespace(),
                        secretName(),
                        "{\"data\":{\"kubeconfig\":\"" + base64(kubeconfig.toString()) + "\"}}");
    }

    void revokeCredential() {
        tenant.cluster().revoke(tenant.cluster().adminToken());
    }

    void removeKubeconfig() {
        stage.management().objects().delete("v1", "Secret", tenant.namespace(), secretName());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
