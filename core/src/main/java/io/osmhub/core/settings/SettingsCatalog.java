package io.osmhub.core.settings;

import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.BOOTSTRAP;
import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.CONFIG;
import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.EDGE_SCRIPT;
import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.KUBELET_BOOTSTRAP;
import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.PROVISIONING;
import static io.osmhub.core.settings.SettingsCatalog.AffectedObject.TOKEN;

import io.osmhub.core.schema.Schema;
import io.osmhub.core.schema.SchemaDescriptions;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every setting of a tenant, for {@code hub explain settings} and the documentation. Type, values and meaning come from
 * the schema, the rest from the rows below.
 */
public final class SettingsCatalog {
    private static final String HUB_ONLY = "hub only";
    private static final String WEBHOOKS = "webhook manifests";

    /**
     * One setting.
     *
     * @param field path below {@code spec}; the hub-wide default has the same path below {@code defaults}
     * @param peer OSM's flag, or OSM's other source of the value
     * @param builtInDefault the default when neither the tenant nor the hub sets it
     * @param affectedObjects objects that a change of this setting alone can change
     * @param note remark about a change; may be empty
     * @param hubWide whether it has a hub-wide default; the others are per tenant only
     */
    public record Entry(
            String field,
            String peer,
            String builtInDefault,
            List<AffectedObject> affectedObjects,
            String note,
            boolean hubWide) {
        public Entry {
            affectedObjects = List.copyOf(affectedObjects);
        }

        /** For example {@code list of texts}. */
        public String type() {
            return SchemaDescriptions.describeType(schema());
        }

        /** The allowed values; empty for any of the type. */
        public String values() {
            return SchemaDescriptions.describeValues(schema());
        }

        /** The full description. */
        public String description() {
            return schema().metadata().description();
        }

        /** The first sentence of the description. */
        public String summary() {
            String description = description();
            int end = description.indexOf(". ");
            return end < 0 ? description : description.substring(0, end + 1);
        }

        /** The letters of {@code affectedObjects}, for example {@code O B P}; {@code -} if empty. */
        public String rollsLetters() {
            return affectedObjects.isEmpty()
                    ? "-"
                    : affectedObjects.stream()
                            .map(rolled -> String.valueOf(rolled.letter()))
                            .collect(Collectors.joining(" "));
        }

        private Schema schema() {
            Schema schema = WorkerCluster.schema().fields().get("spec");
            for (String name : field.split("\\.")) {
                schema = schema instanceof Schema.ObjectSchema structure
                        ? structure.fields().get(name)
                        : null;
            }
            if (schema == null) {
                throw new IllegalStateException("no field spec." + field);
            }
            return schema;
        }
    }

    private static final List<Entry> SETTINGS = List.of(
            row("-cluster-dns", "provisioning.clusterDNS", "[10.10.10.10]", CONFIG, PROVISIONING),
            row("-external-cloud-provider", "provisioning.externalCloudProvider", "false", CONFIG, PROVISIONING),
            row(
                    "-node-kubelet-feature-gates",
                    "provisioning.kubelet.featureGates",
                    "{RotateKubeletServerCertificate: true}",
                    CONFIG,
                    PROVISIONING),
            row("-initial-taints", "provisioning.kubelet.initialTaints", "[]", CONFIG, PROVISIONING),
            row("-container-runtime", "provisioning.containerRuntime.name", "containerd", CONFIG, PROVISIONING),
            row("-pause-image", "provisioning.containerRuntime.pauseImage", "\"\"", CONFIG, PROVISIONING),
            row(
                    "-device-ownership-from-security-context",
                    "provisioning.containerRuntime.deviceOwnershipFromSecurityContext",
                    "false",
                    CONFIG,
                    PROVISIONING),
            row("-node-insecure-registries", "provisioning.registries.insecure", "[]", CONFIG, PROVISIONING),
            row(
                    "-node-registry-mirrors, -node-containerd-registry-mirrors",
                    "provisioning.registries.mirrors",
                    "[]",
                    CONFIG,
                    PROVISIONING),
            row(
                    "-node-registry-credentials-secret",
                    "provisioning.registries.credentialsSecretRef",
                    "none",
                    PROVISIONING),
            row("-node-http-proxy", "provisioning.proxy.httpProxy", "\"\"", CONFIG, BOOTSTRAP, PROVISIONING),
            row(HUB_ONLY, "provisioning.proxy.httpProxySecretRef", "none", BOOTSTRAP, PROVISIONING),
            row(
                    "-node-no-proxy",
                    "provisioning.proxy.noProxy",
                    "[.svc, .cluster.local, localhost, 127.0.0.1]",
                    CONFIG,
                    BOOTSTRAP,
                    PROVISIONING),
            row(
                    "-kubernetes-ca-bundle",
                    "provisioning.kubernetesCA",
                    "CA of the kubeconfig",
                    CONFIG,
                    BOOTSTRAP,
                    PROVISIONING,
                    KUBELET_BOOTSTRAP),
            row("-host-ca-bundle", "provisioning.hostCA", "none", CONFIG, BOOTSTRAP, PROVISIONING),
            row(
                    "-override-bootstrap-kubelet-apiserver",
                    "provisioning.bootstrap.apiServerURL",
                    "\"\" = cluster-info",
                    CONFIG,
                    BOOTSTRAP,
                    PROVISIONING,
                    KUBELET_BOOTSTRAP,
                    EDGE_SCRIPT),
            row(
                    "-bootstrap-token-service-account-name",
                    "provisioning.bootstrap.serviceAccountRef",
                    "none",
                    KUBELET_BOOTSTRAP,
                    TOKEN),
            row(HUB_ONLY, "provisioning.bootstrap.tokenTTL", "2h", TOKEN),
            row(HUB_ONLY, "provisioning.bootstrap.nodeFetch", "Auto", BOOTSTRAP, PROVISIONING, EDGE_SCRIPT),
            row("environment of OSM's process", "provisioning.cloudCredentialsSecretRef", "none", PROVISIONING),
            download("kubernetes"),
            download("cniPlugins"),
            download("criTools"),
            download("containerd"),
            download("osPackages"),
            row(HUB_ONLY, "provisioning.airGapped", "false", CONFIG, BOOTSTRAP, PROVISIONING),
            row(HUB_ONLY, "provisioning.userDataLimitBytes", "limit of the provider"),
            row(HUB_ONLY, "profiles.namespaces", "[]"),
            row("-disable-default-osps (= None)", "profiles.installDefaults", "Shared"),
            new Entry(
                    "profiles.byOperatingSystem",
                    "KKP datacenter operatingSystemProfiles",
                    "osp-<os>",
                    List.of(),
                    "new MachineDeployments only",
                    true),
            row("-worker-count", "connection.maxConcurrentReconciles", "10"),
            row(HUB_ONLY, "connection.requestTimeout", "10s"),
            row(HUB_ONLY, "connection.pingInterval", "6s"),
            row(HUB_ONLY, "connection.writeBudget.perSecond", "200"),
            row(HUB_ONLY, "connection.writeBudget.burst", "1000"),
            row(WEBHOOKS, "admission.mode", "Managed if the hub has webhooks.workerURL, else None"),
            row(WEBHOOKS + " (Fail)", "admission.failurePolicy", "Ignore"),
            row(WEBHOOKS, "admission.timeoutSeconds", "5"),
            tenantOnly("target", "Kubeconfig"),
            tenantOnly("kubeconfigSecretRef", "none"),
            tenantOnly("paused", "false"),
            tenantOnly("deletionPolicy", "Delete"),
            tenantOnly("osmContent", "Keep"),
            tenantOnly("cleanupTimeout", "2m"),
            tenantOnly("formerHubIDs", "none"),
            tenantOnly("credentials.mode", "Provided"),
            tenantOnly("credentials.serviceAccountRef", "kube-system/osm-hub"),
            tenantOnly("credentials.tokenTTL", "168h"));

    private SettingsCatalog() {}

    /** All settings: first those with hub-wide defaults, in the order of the schema, then those per tenant only. */
    public static List<Entry> all() {
        return SETTINGS;
    }

    /** The settings at or below a path, with or without {@code spec.}. */
    public static List<Entry> below(String path) {
        String field = path.startsWith("spec.") ? path.substring("spec.".length()) : path;
        return SETTINGS.stream()
                .filter(setting -> setting.field().equals(field)
                        || setting.field().startsWith(field + ".")
                        || field.startsWith(setting.field() + "."))
                .toList();
    }

    /** The field closest to an unknown path. */
    public static Optional<String> suggestion(String path) {
        String field = path.startsWith("spec.") ? path.substring("spec.".length()) : path;
        Optional<String> near = SpellingSuggestion.findClosest(
                field, SETTINGS.stream().map(Entry::field).toList());
        // Users remember the last name of the path.
        return near.or(() -> SETTINGS.stream()
                .map(Entry::field)
                .filter(known -> known.endsWith("." + field))
                .findFirst());
    }

    private static Entry row(String peer, String field, String builtInDefault, AffectedObject... rolls) {
        return new Entry(field, peer, builtInDefault, List.of(rolls), "", true);
    }

    private static Entry download(String what) {
        return row(HUB_ONLY, "provisioning.downloads." + what, "\"\" = public", CONFIG, BOOTSTRAP, PROVISIONING);
    }

    private static Entry tenantOnly(String field, String schemaDefault) {
        return new Entry(field, HUB_ONLY, schemaDefault, List.of(), "", false);
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

        AffectedObject(char letter, String words) {
            this.letter = letter;
            this.displayName = words;
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
