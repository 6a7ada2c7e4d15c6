package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulatedObjects;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.objects.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.function.Consumer;

/** One tenant with one MachineDeployment, for one fault. */
public final class FaultFixture {
    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String OWN_PROFILE = "osp-own";
    private static final Set<String> WRITES = Set.of("create", "update", "patch");

    private final SimulatedFleet stage;
    private final SimulatedTenant tenant;
    private ObjectNode machineDeployment =
            MachineFlavor.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName("kube-system", "workers"), 1);
    private boolean byObject;

    public FaultFixture(SimulatedFleet stage, SimulatedTenant tenant) {
        this.stage = stage;
        this.tenant = tenant;
    }

    public String namespace() {
        return tenant.namespace();
    }

    public String workerCluster() {
        return tenant.workerCluster();
    }

    /** Namespace of its MachineDeployment. */
    public String machineNamespace() {
        return machineDeployment.path("metadata").path("namespace").asText("");
    }

    /** Name of its MachineDeployment. */
    public String machineDeployment() {
        return machineDeployment.path("metadata").path("name").asText("");
    }

    SimulatedObjects worker() {
        return tenant.objects();
    }

    ClusterFaults faults() {
        return tenant.cluster().faults();
    }

    // Before the hub sees it

    void useProfile(String profile) {
        annotate("k8c.io/operating-system-profile", profile);
    }

    void useProfile(String profile, String cloudProvider) {
        useProfile(profile);
        provider().put("cloudProvider", cloudProvider).putObject("cloudProviderSpec");
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

    void rename(String namespace, String name) {
        worker().createIfAbsent(JsonTrees.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        machineDeployment.withObject("/metadata").put("namespace", namespace).put("name", name);
    }

    /** Another MachineDeployment, which comes first. */
    void addOtherMachineDeployment(String namespace, String name) {
        worker().createIfAbsent(JsonTrees.read(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        worker().create(MachineFlavor.UBUNTU_ON_AWS.machineDeployment(new MachineDeploymentName(namespace, name), 1));
    }

    /** A profile of the tenant's own, which the MachineDeployment uses: the example, changed. */
    void addTenantProfile(Consumer<ObjectNode> change) {
        stage.management()
                .objects()
                .createIfAbsent(JsonTrees.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                        + tenant.namespace() + "\"}}"));
        stage.management().objects().create(profile(stage, tenant.namespace(), OWN_PROFILE, change));
        useProfile(OWN_PROFILE);
    }

    /** The example profile under another name, changed. */
    static ObjectNode profile(SimulatedFleet stage, String namespace, String name, Consumer<ObjectNode> change) {
        ObjectNode shared = stage.management()
                .objects()
                .get(
                        PROFILE_API,
                        "OperatingSystemProfile",
                        SimulatedFleet.PROFILES,
                        MachineFlavor.UBUNTU_ON_AWS.profile())
                .orElseThrow();
        ObjectNode own = JsonTrees.object().put("apiVersion", PROFILE_API).put("kind", "OperatingSystemProfile");
        own.putObject("metadata").put("namespace", namespace).put("name", name);
        own.set("spec", shared.path("spec").deepCopy());
        change.accept(own.withObject("/spec"));
        ProfileAnnotations.replaceFields(own);
        return own;
    }

    void file(ObjectNode spec, String text) {
        addFile(spec, text);
    }

    static void addFile(ObjectNode spec, String text) {
        file(spec.withObject("/provisioningConfig"), "/etc/own", text);
    }

    static void addBootstrapFile(ObjectNode spec, String text) {
        file(spec.withObject("/bootstrapConfig"), "/etc/own", text);
    }

    private static void file(ObjectNode config, String path, String text) {
        ObjectNode file = config.withArray("/files").addObject();
        file.put("path", path).put("permissions", 644);
        file.putObject("content").putObject("inline").put("data", text);
    }

    /** Rejects all writes of a kind. */
    void rejectWrites(String resource, int code) {
        faults().script(request -> request.resource().equals(resource) && WRITES.contains(request.verb())
                ? TenantFault.refused(code)
                : FaultAction.PASS);
    }

    /** By a manually created WorkerCluster, which is kept when its Secret is deleted. */
    void registerByObject() {
        byObject = true;
    }

    /** Lets the hub see it. */
    public void register() {
        worker().create(machineDeployment);
        SimulatedObjects management = stage.management().objects();
        management.createIfAbsent(
                JsonTrees.read("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                        + tenant.namespace() + "\"}}"));
        ObjectNode secret = JsonTrees.read("""
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

    JsonNode storedWorkerCluster() {
        return stage.management()
                .objects()
                .get("osmhub.io/v1alpha1", "WorkerCluster", tenant.namespace(), tenant.workerCluster())
                .<JsonNode>map(found -> found)
                .orElseGet(JsonTrees::object);
    }

    /** Another kubeconfig in the Secret: the one there is with another user. */
    void replaceKubeconfig(Consumer<ObjectNode> user) {
        ObjectNode kubeconfig = JsonTrees.read(tenant.cluster().kubeconfig());
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

    /** A token that the worker cluster accepts, of a user without any permission. */
    String tokenWithoutPermission() {
        return JsonTrees.read(tenant.cluster().kubeconfig("weak", "nothing"))
                .at("/users/0/user/token")
                .asText();
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
