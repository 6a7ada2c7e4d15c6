package io.osmhub.core.settings;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.schema.SchemaDescriptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of a tenant, one row each: path below {@code spec} of a WorkerCluster, OSM's flag or other source of the value, the
 * built-in default, and the published objects that a change of this setting alone can change. Type, limits and description are those
 * of the CustomResourceDefinition. A higher layer's value replaces a lower one's completely.
 */
public enum Setting {
    CLUSTER_DNS("provisioning.clusterDNS", "-cluster-dns", "[10.10.10.10]", "O P"),
    EXTERNAL_CLOUD_PROVIDER("provisioning.externalCloudProvider", "-external-cloud-provider", "false", "O P"),
    FEATURE_GATES(
            "provisioning.kubelet.featureGates",
            "-node-kubelet-feature-gates",
            "{RotateKubeletServerCertificate: true}",
            "O P"),
    INITIAL_TAINTS("provisioning.kubelet.initialTaints", "-initial-taints", "[]", "O P"),
    CONTAINER_RUNTIME("provisioning.containerRuntime.name", "-container-runtime", "containerd", "O P"),
    PAUSE_IMAGE("provisioning.containerRuntime.pauseImage", "-pause-image", "\"\"", "O P"),
    DEVICE_OWNERSHIP(
            "provisioning.containerRuntime.deviceOwnershipFromSecurityContext",
            "-device-ownership-from-security-context",
            "false",
            "O P"),
    INSECURE_REGISTRIES("provisioning.registries.insecure", "-node-insecure-registries", "[]", "O P"),
    MIRRORS(
            "provisioning.registries.mirrors",
            "-node-registry-mirrors, -node-containerd-registry-mirrors",
            "[]",
            "O P"),
    REGISTRY_CREDENTIALS(
            "provisioning.registries.credentialsSecretRef", "-node-registry-credentials-secret", Texts.NONE, "P"),
    HTTP_PROXY("provisioning.proxy.httpProxy", "-node-http-proxy", "\"\"", "O B P"),
    HTTP_PROXY_SECRET("provisioning.proxy.httpProxySecretRef", Texts.HUB_ONLY, Texts.NONE, "B P"),
    NO_PROXY("provisioning.proxy.noProxy", "-node-no-proxy", "[.svc, .cluster.local, localhost, 127.0.0.1]", "O B P"),
    KUBERNETES_CA(
            "provisioning.kubernetesCA", "-kubernetes-ca-bundle", "{inline: \"\"} = CA of the kubeconfig", "O B P K"),
    HOST_CA("provisioning.hostCA", "-host-ca-bundle", "{inline: \"\"} = none", "O B P"),
    API_SERVER_URL(
            "provisioning.bootstrap.apiServerURL",
            "-override-bootstrap-kubelet-apiserver",
            "\"\" = cluster-info",
            "O B P K E"),
    SERVICE_ACCOUNT(
            "provisioning.bootstrap.serviceAccountRef", "-bootstrap-token-service-account-name", Texts.NONE, "K T"),
    TOKEN_TTL("provisioning.bootstrap.tokenTTL", Texts.HUB_ONLY, "2h", "T"),
    NODE_FETCH("provisioning.bootstrap.nodeFetch", Texts.HUB_ONLY, "Auto", "B P E"),
    CLOUD_CREDENTIALS("provisioning.cloudCredentialsSecretRef", "environment of OSM's process", Texts.NONE, "-"),
    DOWNLOADS_KUBERNETES("provisioning.downloads.kubernetes", Texts.HUB_ONLY, Texts.PUBLIC, "O B P"),
    DOWNLOADS_CNI_PLUGINS("provisioning.downloads.cniPlugins", Texts.HUB_ONLY, Texts.PUBLIC, "O B P"),
    DOWNLOADS_CRI_TOOLS("provisioning.downloads.criTools", Texts.HUB_ONLY, Texts.PUBLIC, "O B P"),
    DOWNLOADS_CONTAINERD("provisioning.downloads.containerd", Texts.HUB_ONLY, Texts.PUBLIC, "O B P"),
    DOWNLOADS_OS_PACKAGES("provisioning.downloads.osPackages", Texts.HUB_ONLY, Texts.PUBLIC, "O B P"),
    AIR_GAPPED("provisioning.airGapped", Texts.HUB_ONLY, "false", "O B P"),
    USER_DATA_LIMIT("provisioning.userDataLimitBytes", Texts.HUB_ONLY, "= limit of the provider", "-"),
    PROFILE_NAMESPACES("profiles.namespaces", Texts.HUB_ONLY, "[]", "-"),
    INSTALL_DEFAULTS("profiles.installDefaults", "-disable-default-osps (= None)", "Shared", "-"),
    BY_OPERATING_SYSTEM("profiles.byOperatingSystem", "KKP datacenter operatingSystemProfiles", "{} = osp-<os>", "-"),
    MAX_CONCURRENT_RECONCILES("connection.maxConcurrentReconciles", "-worker-count", "10", "-"),
    REQUEST_TIMEOUT("connection.requestTimeout", Texts.HUB_ONLY, "10s", "-"),
    PING_INTERVAL("connection.pingInterval", Texts.HUB_ONLY, "6s", "-"),
    WRITES_PER_SECOND("connection.writeBudget.perSecond", Texts.HUB_ONLY, "200", "-"),
    WRITE_BURST("connection.writeBudget.burst", Texts.HUB_ONLY, "2000", "-"),
    ADMISSION_MODE("admission.mode", Texts.WEBHOOKS, "= Managed if the hub has webhooks.workerURL, else None", "-"),
    ADMISSION_FAILURE_POLICY("admission.failurePolicy", Texts.WEBHOOKS + " (Fail)", "Ignore", "-"),
    ADMISSION_TIMEOUT("admission.timeoutSeconds", Texts.WEBHOOKS, "5", "-"),

    // Without a hub-wide default. They affect the registration, so the settings' layers do not have them.
    TARGET("target", "Kubeconfig"),
    KUBECONFIG("kubeconfigSecretRef", Texts.NONE),
    PAUSED("paused", "false"),
    DELETION_POLICY("deletionPolicy", "Delete"),
    OSM_CONTENT("osmContent", "Keep"),
    CLEANUP_TIMEOUT("cleanupTimeout", "2m"),
    FORMER_HUB_IDS("formerHubIDs", Texts.NONE),
    CREDENTIALS_MODE("credentials.mode", "Provided"),
    CREDENTIALS_SERVICE_ACCOUNT("credentials.serviceAccountRef", "kube-system/osm-hub"),
    CREDENTIALS_TOKEN_TTL("credentials.tokenTTL", "168h");

    /** Those with a hub-wide default, in the order of the reference page. */
    public static final List<Setting> ALL =
            Arrays.stream(values()).filter(Setting::isHubWide).toList();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<Setting, JsonNode> BUILT_IN = new ConcurrentHashMap<>();
    private static final Map<Setting, JsonPointer> POINTERS = new ConcurrentHashMap<>();

    private final String path;
    private final String peer;
    private final String builtInText;
    private final String affectedLetters;

    /** A setting of one tenant; the definition has its default. */
    Setting(String path, String builtInText) {
        this(path, Texts.HUB_ONLY, builtInText, "");
    }

    /**
     * @param builtInText YAML of the value, its meaning after an equals sign; without a value only the meaning
     * @param affectedLetters letters of the affected objects; a hyphen for none, empty without a hub-wide default
     */
    Setting(String path, String peer, String builtInText, String affectedLetters) {
        this.path = path;
        this.peer = peer;
        this.builtInText = builtInText;
        this.affectedLetters = affectedLetters;
    }

    /** Of the field below {@code spec}; the hub-wide default has the same path below {@code defaults}. */
    public String path() {
        return path;
    }

    /** OSM's flags, or OSM's other source of the value. */
    public String peer() {
        return peer;
    }

    /** OSM's flags with their dash; empty if none sets it. */
    public List<String> flags() {
        return Arrays.stream(peer.split("[ ,]+"))
                .filter(word -> word.startsWith("-"))
                .toList();
    }

    /** The setting that a flag of OSM sets, with its dash; null if there is none. */
    public static @Nullable Setting ofFlag(String flag) {
        return ALL.stream()
                .filter(setting -> setting.flags().contains(flag))
                .findFirst()
                .orElse(null);
    }

    /** Whether it has a hub-wide default; the others are per tenant only. */
    public boolean isHubWide() {
        return !affectedLetters.isEmpty();
    }

    /** Objects that a change of this setting alone can change. */
    public List<AffectedObject> affectedObjects() {
        return Arrays.stream(AffectedObject.values())
                .filter(affected -> affectedLetters.indexOf(affected.letter()) >= 0)
                .toList();
    }

    /** Whether a change can change what nodes get; a bootstrap token alone is not such content. */
    public boolean changesContent() {
        return affectedObjects().stream().anyMatch(affected -> affected != AffectedObject.TOKEN);
    }

    /** Remark about a change; may be empty. */
    public String note() {
        return this == BY_OPERATING_SYSTEM ? "new MachineDeployments only" : "";
    }

    /** The default when no layer sets it; missing if there is no value. Must not be changed. */
    public JsonNode builtIn() {
        return BUILT_IN.computeIfAbsent(this, setting -> {
            String yaml = builtInText.replaceFirst("(^|\\s)= .*", "");
            return yaml.isEmpty() || yaml.equals(Texts.NONE)
                    ? MissingNode.getInstance()
                    : SourceDocument.json(YamlDocumentReader.read(path, yaml, Reason.InternalError)
                            .getFirst()
                            .root());
        });
    }

    /** The default for users, for example {@code "" = cluster-info}. */
    public String builtInText() {
        // An empty object is only how the meaning is written in a layer.
        return builtInText.replaceFirst("^(\\{.*})? ?= ", "");
    }

    /** Its value in {@code spec}; missing if not set. */
    public JsonNode in(JsonNode spec) {
        return spec.at(pointer());
    }

    private JsonPointer pointer() {
        return POINTERS.computeIfAbsent(this, setting -> JsonPointer.compile("/" + path.replace('.', '/')));
    }

    /** Sets its value in {@code spec}, JSON or an object that is written as such; leaves it out if it is null or missing. */
    public void set(ObjectNode spec, @Nullable Object value) {
        JsonNode json = value instanceof JsonNode node ? node : JSON.valueToTree(value);
        if (!json.isMissingNode() && !json.isNull()) {
            spec.withObject(pointer().head()).set(pointer().last().getMatchingProperty(), json);
        }
    }

    /** For example {@code list of texts}. */
    public String type() {
        return SchemaDescriptions.describeType(schema());
    }

    /** The allowed values; empty for any of the type. */
    public String allowedValues() {
        return SchemaDescriptions.describeValues(schema(), Map.of());
    }

    /** The full description. */
    public String description() {
        return schema().path("description").asText();
    }

    /** The first sentence of the description. */
    public String summary() {
        String description = description();
        int end = description.indexOf(". ");
        return end < 0 ? description : description.substring(0, end + 1);
    }

    private JsonNode schema() {
        return ShippedDefinition.WORKER_CLUSTERS
                .schema()
                .at("/properties/spec/properties/" + path.replace(".", "/properties/"));
    }

    /** The settings at or below a path, with or without {@code spec.}, and the one that the path is below of. */
    public static List<Setting> below(String field) {
        String path = withoutSpec(field);
        return Arrays.stream(values())
                .filter(setting -> setting.path.equals(path)
                        || setting.path.startsWith(path + ".")
                        || path.startsWith(setting.path + "."))
                .toList();
    }

    private static String withoutSpec(String field) {
        return field.startsWith("spec.") ? field.substring("spec.".length()) : field;
    }

    /** Texts of several rows, which an enum's own constants could not use. */
    private interface Texts {
        String HUB_ONLY = "hub only";
        String WEBHOOKS = "webhook manifests";
        String NONE = "none";
        String PUBLIC = "\"\" = public";
    }

    /** A published object that may change with a setting, if the profile uses the value. */
    public enum AffectedObject {
        CONFIG('O', "OperatingSystemConfig"),
        BOOTSTRAP('B', "bootstrap secret"),
        PROVISIONING('P', "provisioning secret"),
        KUBELET_BOOTSTRAP('K', "kubelet bootstrap kubeconfig"),
        TOKEN('T', "bootstrap token"),
        EDGE_SCRIPT('E', "edge script");

        private final char letter;
        private final String displayName;

        AffectedObject(char letter, String displayName) {
            this.letter = letter;
            this.displayName = displayName;
        }

        /** Short form in tables. */
        public char letter() {
            return letter;
        }

        public String displayName() {
            return displayName;
        }
    }
}
