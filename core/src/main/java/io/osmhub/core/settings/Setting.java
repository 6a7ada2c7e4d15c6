package io.osmhub.core.settings;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Kubelet;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.workercluster.ProvisioningSettings.NodeFetch;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.AdmissionMode;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.FailurePolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One setting: the unit that a layer sets or inherits. A higher layer's value replaces a lower one's completely.
 *
 * @param path of the field below {@code spec} of a WorkerCluster
 * @param builtIn the default when no layer sets it
 * @param decode reads a value that fits the schema
 */
public record Setting<T>(String path, T builtIn, Function<JsonNode, T> decode) {
    public static final Setting<List<String>> CLUSTER_DNS = of(
            "provisioning.clusterDNS",
            List.of("10.10.10.10"),
            value -> Decoders.list(value, item -> String.valueOf(IpAddress.parse(item.textValue()))));
    public static final Setting<Boolean> EXTERNAL_CLOUD_PROVIDER =
            of("provisioning.externalCloudProvider", false, JsonNode::booleanValue);
    public static final Setting<Map<String, Boolean>> FEATURE_GATES = of(
            "provisioning.kubelet.featureGates",
            Map.of(Kubelet.ROTATION, true),
            value -> Decoders.map(value, JsonNode::booleanValue));
    public static final Setting<String> INITIAL_TAINTS = of(
            "provisioning.kubelet.initialTaints", "", value -> String.join(",", Decoders.list(value, Decoders::taint)));
    public static final Setting<String> CONTAINER_RUNTIME =
            of("provisioning.containerRuntime.name", "containerd", JsonNode::textValue);
    public static final Setting<String> PAUSE_IMAGE =
            of("provisioning.containerRuntime.pauseImage", "", JsonNode::textValue);
    public static final Setting<Boolean> DEVICE_OWNERSHIP =
            of("provisioning.containerRuntime.deviceOwnershipFromSecurityContext", false, JsonNode::booleanValue);
    public static final Setting<List<String>> INSECURE_REGISTRIES =
            of("provisioning.registries.insecure", List.of(), Decoders::texts);
    public static final Setting<List<Mirror>> MIRRORS =
            of("provisioning.registries.mirrors", List.of(), value -> Decoders.list(value, Decoders::mirror));
    public static final Setting<Optional<SecretName>> REGISTRY_CREDENTIALS =
            of("provisioning.registries.credentialsSecretRef", Optional.empty(), value -> Decoders.name(value)
                    .map(name -> new SecretName("", name)));
    public static final Setting<String> HTTP_PROXY = of("provisioning.proxy.httpProxy", "", JsonNode::textValue);
    public static final Setting<Optional<KeyRef>> HTTP_PROXY_SECRET =
            of("provisioning.proxy.httpProxySecretRef", Optional.empty(), value -> Optional.of(Decoders.keyRef(value)));
    public static final Setting<String> NO_PROXY = of(
            "provisioning.proxy.noProxy",
            ".svc,.cluster.local,localhost,127.0.0.1",
            value -> String.join(",", Decoders.texts(value)));
    public static final Setting<CaBundle> KUBERNETES_CA =
            of("provisioning.kubernetesCA", new CaBundle.None(), Decoders::caBundle);
    public static final Setting<CaBundle> HOST_CA = of("provisioning.hostCA", new CaBundle.None(), Decoders::caBundle);
    public static final Setting<String> API_SERVER_URL =
            of("provisioning.bootstrap.apiServerURL", "", JsonNode::textValue);
    public static final Setting<Optional<ServiceAccountName>> SERVICE_ACCOUNT = of(
            "provisioning.bootstrap.serviceAccountRef",
            Optional.empty(),
            value -> Optional.of(new ServiceAccountName(
                    value.get("namespace").textValue(), value.get("name").textValue())));
    public static final Setting<Duration> TOKEN_TTL =
            of("provisioning.bootstrap.tokenTTL", Duration.ofHours(2), Decoders::duration);
    public static final Setting<NodeFetch> NODE_FETCH =
            of("provisioning.bootstrap.nodeFetch", NodeFetch.AUTO, value -> Decoders.choice(NodeFetch.class, value));
    public static final Setting<Optional<String>> CLOUD_CREDENTIALS =
            of("provisioning.cloudCredentialsSecretRef", Optional.empty(), Decoders::name);
    public static final Setting<String> DOWNLOADS_KUBERNETES =
            of("provisioning.downloads.kubernetes", "", JsonNode::textValue);
    public static final Setting<String> DOWNLOADS_CNI_PLUGINS =
            of("provisioning.downloads.cniPlugins", "", JsonNode::textValue);
    public static final Setting<String> DOWNLOADS_CRI_TOOLS =
            of("provisioning.downloads.criTools", "", JsonNode::textValue);
    public static final Setting<String> DOWNLOADS_CONTAINERD =
            of("provisioning.downloads.containerd", "", JsonNode::textValue);
    public static final Setting<String> DOWNLOADS_OS_PACKAGES =
            of("provisioning.downloads.osPackages", "", JsonNode::textValue);
    public static final Setting<Boolean> AIR_GAPPED = of("provisioning.airGapped", false, JsonNode::booleanValue);
    /** Empty for the limit of the cloud provider. */
    public static final Setting<Optional<Integer>> USER_DATA_LIMIT =
            of("provisioning.userDataLimitBytes", Optional.empty(), value -> Optional.of(value.intValue()));

    public static final Setting<List<String>> PROFILE_NAMESPACES =
            of("profiles.namespaces", List.of(), Decoders::texts);
    public static final Setting<InstallDefaults> INSTALL_DEFAULTS = of(
            "profiles.installDefaults", InstallDefaults.SHARED, value -> Decoders.choice(InstallDefaults.class, value));
    /** Operating systems left out get {@code osp-<os>}. */
    public static final Setting<Map<String, String>> BY_OPERATING_SYSTEM =
            of("profiles.byOperatingSystem", Map.of(), value -> Decoders.map(value, JsonNode::textValue));

    public static final Setting<Integer> MAX_CONCURRENT_RECONCILES =
            of("connection.maxConcurrentReconciles", 10, JsonNode::intValue);
    public static final Setting<Duration> REQUEST_TIMEOUT =
            of("connection.requestTimeout", Duration.ofSeconds(10), Decoders::duration);
    public static final Setting<Duration> PING_INTERVAL =
            of("connection.pingInterval", Duration.ofSeconds(6), Decoders::duration);
    public static final Setting<Integer> WRITES_PER_SECOND =
            of("connection.writeBudget.perSecond", 200, JsonNode::intValue);
    public static final Setting<Integer> WRITE_BURST = of("connection.writeBudget.burst", 1000, JsonNode::intValue);

    /** Empty for Managed if the hub has a URL for worker clusters, else None. */
    public static final Setting<Optional<AdmissionMode>> ADMISSION_MODE =
            of("admission.mode", Optional.empty(), value -> Optional.of(Decoders.choice(AdmissionMode.class, value)));

    public static final Setting<FailurePolicy> ADMISSION_FAILURE_POLICY =
            of("admission.failurePolicy", FailurePolicy.IGNORE, value -> Decoders.choice(FailurePolicy.class, value));
    public static final Setting<Integer> ADMISSION_TIMEOUT = of("admission.timeoutSeconds", 5, JsonNode::intValue);

    /** In the order of the reference page. */
    public static final List<Setting<?>> ALL = List.copyOf(Decoders.SETTINGS);

    private static <T> Setting<T> of(String path, T builtIn, Function<JsonNode, T> decode) {
        Setting<T> setting = new Setting<>(path, builtIn, decode);
        Decoders.SETTINGS.add(setting);
        return setting;
    }

    /** Decodes valid JSON. Apart, because the settings above are made before any later static field. */
    private static final class Decoders {
        static final List<Setting<?>> SETTINGS = new ArrayList<>();

        static <T> List<T> list(JsonNode value, Function<JsonNode, T> decode) {
            return value.valueStream().map(decode).toList();
        }

        static List<String> texts(JsonNode value) {
            return list(value, JsonNode::textValue);
        }

        static <T> Map<String, T> map(JsonNode value, Function<JsonNode, T> decode) {
            Map<String, T> entries = new LinkedHashMap<>();
            value.properties().forEach(entry -> entries.put(entry.getKey(), decode.apply(entry.getValue())));
            return entries;
        }

        static Duration duration(JsonNode value) {
            return DurationFormat.parseOrThrow(value.textValue());
        }

        static <E extends Enum<E>> E choice(Class<E> type, JsonNode value) {
            return type.cast(requireNonNull(RecordSchemaReader.constants(type).get(value.textValue())));
        }

        /** The text of OSM's flag. */
        static String taint(JsonNode taint) {
            JsonNode value = taint.path("value");
            return taint.get("key").textValue()
                    + (value.isTextual() ? "=" + value.textValue() : "")
                    + ":"
                    + taint.get("effect").textValue();
        }

        static Mirror mirror(JsonNode mirror) {
            return new Mirror(
                    mirror.get("registry").textValue(),
                    list(
                            mirror.get("endpoints"),
                            endpoint -> new Endpoint(
                                    endpoint.get("url").textValue(),
                                    endpoint.path("overridePath").booleanValue())));
        }

        /** The name in a reference; empty switches an inherited one off. */
        static Optional<String> name(JsonNode reference) {
            return Optional.of(reference.get("name").textValue()).filter(name -> !name.isEmpty());
        }

        static KeyRef keyRef(JsonNode reference) {
            return new KeyRef(
                    reference.get("name").textValue(), reference.get("key").textValue());
        }

        static CaBundle caBundle(JsonNode bundle) {
            if (bundle.has("configMapKeyRef")) {
                return new CaBundle.FromConfigMap(keyRef(bundle.get("configMapKeyRef")));
            }
            if (bundle.has("secretKeyRef")) {
                return new CaBundle.FromSecret(keyRef(bundle.get("secretKeyRef")));
            }
            String pem = bundle.get("inline").textValue();
            return pem.isEmpty() ? new CaBundle.None() : new CaBundle.Inline(pem);
        }
    }
}
