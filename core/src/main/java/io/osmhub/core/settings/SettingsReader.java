package io.osmhub.core.settings;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.NodeFetchMode;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings by their field names: {@code spec} of a WorkerCluster, the hub's defaults, or a file with these
 * fields. Reports all mistakes of one document together.
 */
public final class SettingsReader {
    private static final String REASON = "SettingsInvalid";
    /** Fields of a WorkerCluster that concern the registration, not the settings. */
    private static final List<String> BESIDE_SETTINGS =
            List.of("target", "kubeconfigSecretRef", "paused", "deletionPolicy", "cleanupTimeout", "credentials");

    private static final List<String> TAINT_EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SettingsLayer.Builder layer = new SettingsLayer.Builder();
    private final FindingsCollector mistakes;

    private SettingsReader(FindingsCollector mistakes) {
        this.mistakes = mistakes;
    }

    /**
     * Reads a file for offline rendering: settings alone, or a whole WorkerCluster.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake
     */
    public static SettingsLayer readFile(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), REASON);
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        SettingsLayer layer = readFields(root.has("kind") ? root.requiredObject("spec") : root);
        mistakes.throwIfAny();
        return layer;
    }

    /** Reads the fields below {@code spec}; mistakes are added to the reader. */
    public static SettingsLayer readFields(ObjectFieldReader spec) {
        SettingsReader reader = new SettingsReader(spec.mistakes());
        reader.provisioning(spec.objectOrEmpty("provisioning"));
        reader.profiles(spec.objectOrEmpty("profiles"));
        reader.connection(spec.objectOrEmpty("connection"));
        reader.admission(spec.objectOrEmpty("admission"));
        BESIDE_SETTINGS.forEach(spec::value);
        spec.reportUnknownFields();
        return reader.layer.build();
    }

    private void provisioning(ObjectFieldReader in) {
        layer.set(Setting.CLUSTER_DNS, ifSet(in, "clusterDNS", () -> addresses(in)));
        layer.set(Setting.EXTERNAL_CLOUD_PROVIDER, in.bool("externalCloudProvider"));
        kubelet(in.objectOrEmpty("kubelet"));
        containerRuntime(in.objectOrEmpty("containerRuntime"));
        registries(in.objectOrEmpty("registries"));
        proxy(in.objectOrEmpty("proxy"));
        layer.set(Setting.KUBERNETES_CA, caBundle(in.object("kubernetesCA")));
        layer.set(Setting.HOST_CA, caBundle(in.object("hostCA")));
        bootstrap(in.objectOrEmpty("bootstrap"));
        layer.set(
                Setting.CLOUD_CREDENTIALS,
                read(in.object("cloudCredentialsSecretRef"), SettingsReader::nameUnlessEmpty));
        downloads(in.objectOrEmpty("downloads"));
        layer.set(Setting.AIR_GAPPED, in.bool("airGapped"));
        layer.set(
                Setting.USER_DATA_LIMIT,
                ifSet(
                        in,
                        "userDataLimitBytes",
                        () -> Optional.ofNullable(in.integer("userDataLimitBytes", 1024, 1_048_576))));
        in.reportUnknownFields();
    }

    private List<String> addresses(ObjectFieldReader in) {
        List<String> addresses = new ArrayList<>();
        List<String> texts = in.texts("clusterDNS");
        for (int i = 0; i < texts.size(); i++) {
            IpAddress address = IpAddress.parse(texts.get(i));
            if (address == null) {
                mistakes.add(
                        in.path("clusterDNS") + "[" + i + "]",
                        "\"" + texts.get(i) + "\" is not an IP address",
                        "write for example 10.96.0.10");
            } else {
                addresses.add(address.toString());
            }
        }
        return addresses;
    }

    private void kubelet(ObjectFieldReader in) {
        layer.set(
                Setting.FEATURE_GATES,
                ifSet(in, "featureGates", () -> in.map("featureGates", (node, at) -> gate(node, at))));
        layer.set(
                Setting.INITIAL_TAINTS,
                ifSet(in, "initialTaints", () -> String.join(",", in.objects("initialTaints", this::taint))));
        in.reportUnknownFields();
    }

    private boolean gate(DocumentNode node, String at) {
        if (node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.BOOL) {
            return scalar.text().equals("true");
        }
        mistakes.add(at, "must be a boolean, not " + node.describe(), "write true or false");
        return false;
    }

    private String taint(ObjectFieldReader in) {
        String value = in.text("value");
        String effect = in.readChoice("effect", "", TAINT_EFFECTS, Function.identity());
        String text = in.requiredText("key") + (value == null ? "" : "=" + value) + ":" + effect;
        if (!in.has("effect")) {
            in.reportMissing("effect");
        }
        in.reportUnknownFields();
        return text;
    }

    private void containerRuntime(ObjectFieldReader in) {
        layer.set(Setting.CONTAINER_RUNTIME, choice(in, "name", "", List.of("containerd"), Function.identity()));
        layer.set(Setting.PAUSE_IMAGE, in.text("pauseImage"));
        layer.set(Setting.DEVICE_OWNERSHIP, in.bool("deviceOwnershipFromSecurityContext"));
        in.reportUnknownFields();
    }

    private void registries(ObjectFieldReader in) {
        layer.set(Setting.INSECURE_REGISTRIES, ifSet(in, "insecure", () -> in.texts("insecure")));
        layer.set(Setting.MIRRORS, ifSet(in, "mirrors", () -> in.objects("mirrors", SettingsReader::mirror)));
        layer.set(Setting.REGISTRY_CREDENTIALS, read(in.object("credentialsSecretRef"), ref -> nameUnlessEmpty(ref)
                .map(name -> new SecretName("", name))));
        in.reportUnknownFields();
    }

    private static Mirror mirror(ObjectFieldReader in) {
        Mirror mirror = new Mirror(in.requiredText("registry"), in.objects("endpoints", SettingsReader::endpoint));
        if (mirror.endpoints().isEmpty()) {
            in.reportMissing("endpoints");
        }
        in.reportUnknownFields();
        return mirror;
    }

    private static Endpoint endpoint(ObjectFieldReader in) {
        String url = in.requiredText("url");
        if (!url.isEmpty() && !isHttpUrl(url)) {
            in.mistakes()
                    .add(
                            in.path("url"),
                            "is not an http or https URL with a host",
                            "write for example https://mirror.example.org");
        }
        Endpoint endpoint = new Endpoint(url, in.bool("overridePath", false));
        in.reportUnknownFields();
        return endpoint;
    }

    private void proxy(ObjectFieldReader in) {
        String url = in.text("httpProxy");
        if (url != null && !url.isEmpty() && !isHttpUrl(url)) {
            mistakes.add(
                    in.path("httpProxy"),
                    "must be empty, or an http or https URL with a host",
                    "write for example http://proxy.example.org:3128");
        }
        if (url != null && in.has("httpProxySecretRef")) {
            mistakes.add(in.path(""), "httpProxy and httpProxySecretRef are both set", "set only one of them");
        }
        layer.set(Setting.HTTP_PROXY, url);
        layer.set(Setting.HTTP_PROXY_SECRET, read(in.object("httpProxySecretRef"), ref -> Optional.of(keyRef(ref))));
        layer.set(Setting.NO_PROXY, ifSet(in, "noProxy", () -> String.join(",", in.texts("noProxy"))));
        in.reportUnknownFields();
    }

    private static boolean isHttpUrl(String url) {
        int host = url.startsWith("http://") ? 7 : url.startsWith("https://") ? 8 : -1;
        return host > 0 && url.length() > host && "/?#:".indexOf(url.charAt(host)) < 0;
    }

    private @Nullable CaBundle caBundle(@Nullable ObjectFieldReader in) {
        if (in == null) {
            return null;
        }
        String pem = in.text("inline");
        KeyRef configMap = read(in.object("configMapKeyRef"), SettingsReader::keyRef);
        KeyRef secret = read(in.object("secretKeyRef"), SettingsReader::keyRef);
        int set = (pem == null ? 0 : 1) + (configMap == null ? 0 : 1) + (secret == null ? 0 : 1);
        if (set != 1) {
            mistakes.add(
                    in.path(""), "has " + set + " sources", "set exactly one of inline, configMapKeyRef, secretKeyRef");
        }
        String wrong = pem == null || pem.isEmpty() ? null : PemBundle.findError(pem);
        if (wrong != null) {
            mistakes.add(in.path("inline"), wrong, PemBundle.CURE);
        }
        in.reportUnknownFields();
        if (configMap != null) {
            return new CaBundle.FromConfigMap(configMap);
        }
        if (secret != null) {
            return new CaBundle.FromSecret(secret);
        }
        return pem == null || pem.isEmpty() ? new CaBundle.None() : new CaBundle.Inline(pem);
    }

    private void bootstrap(ObjectFieldReader in) {
        String url = in.text("apiServerURL");
        if (url != null && !url.isEmpty() && !(url.startsWith("https://") && isHttpUrl(url))) {
            mistakes.add(
                    in.path("apiServerURL"),
                    "must be empty, or an https URL with a host",
                    "write for example https://api.example.org:6443");
        }
        layer.set(Setting.API_SERVER_URL, url);
        layer.set(Setting.SERVICE_ACCOUNT, read(in.object("serviceAccountRef"), SettingsReader::serviceAccount));
        layer.set(Setting.TOKEN_TTL, duration(in, "tokenTTL", Duration.ofMinutes(90), DAY));
        layer.set(
                Setting.NODE_FETCH,
                choice(in, "nodeFetch", NodeFetchMode.AUTO, List.of(NodeFetchMode.values()), NodeFetchMode::wireName));
        in.reportUnknownFields();
    }

    private static Optional<ServiceAccountName> serviceAccount(ObjectFieldReader in) {
        ServiceAccountName name = new ServiceAccountName(in.requiredText("namespace"), in.requiredText("name"));
        in.reportUnknownFields();
        return Optional.of(name);
    }

    private void downloads(ObjectFieldReader in) {
        layer.set(Setting.DOWNLOADS_KUBERNETES, in.text("kubernetes"))
                .set(Setting.DOWNLOADS_CNI_PLUGINS, in.text("cniPlugins"))
                .set(Setting.DOWNLOADS_CRI_TOOLS, in.text("criTools"))
                .set(Setting.DOWNLOADS_CONTAINERD, in.text("containerd"))
                .set(Setting.DOWNLOADS_OS_PACKAGES, in.text("osPackages"));
        in.reportUnknownFields();
    }

    private void profiles(ObjectFieldReader in) {
        layer.set(Setting.PROFILE_NAMESPACES, ifSet(in, "namespaces", () -> in.texts("namespaces")));
        layer.set(
                Setting.INSTALL_DEFAULTS,
                choice(
                        in,
                        "installDefaults",
                        InstallDefaults.SHARED,
                        List.of(InstallDefaults.values()),
                        InstallDefaults::wireName));
        layer.set(Setting.BY_OPERATING_SYSTEM, ifSet(in, "byOperatingSystem", () -> in.textMap("byOperatingSystem")));
        in.reportUnknownFields();
    }

    private void connection(ObjectFieldReader in) {
        layer.set(Setting.MAX_CONCURRENT_RECONCILES, in.integer("maxConcurrentReconciles", 1, 100));
        layer.set(Setting.REQUEST_TIMEOUT, duration(in, "requestTimeout", Duration.ofSeconds(1), MINUTE));
        layer.set(Setting.PING_INTERVAL, duration(in, "pingInterval", Duration.ofSeconds(1), MINUTE));
        ObjectFieldReader budget = in.objectOrEmpty("writeBudget");
        Integer perSecond = budget.integer("perSecond", 1, 2000);
        Integer burst = budget.integer("burst", 1, 10_000);
        if (perSecond != null && burst != null && burst < perSecond) {
            mistakes.add(budget.path("burst"), "is less than perSecond", "raise it to " + perSecond + " or more");
        }
        layer.set(Setting.WRITES_PER_SECOND, perSecond);
        layer.set(Setting.WRITE_BURST, burst);
        budget.reportUnknownFields();
        in.reportUnknownFields();
    }

    private void admission(ObjectFieldReader in) {
        layer.set(
                Setting.ADMISSION_MODE,
                ifSet(
                        in,
                        "mode",
                        () -> Optional.ofNullable(choice(
                                in,
                                "mode",
                                Admission.Mode.NONE,
                                List.of(Admission.Mode.values()),
                                Admission.Mode::wireName))));
        layer.set(
                Setting.ADMISSION_FAILURE_POLICY,
                choice(
                        in,
                        "failurePolicy",
                        Admission.FailurePolicy.IGNORE,
                        List.of(Admission.FailurePolicy.values()),
                        Admission.FailurePolicy::wireName));
        layer.set(Setting.ADMISSION_TIMEOUT, in.integer("timeoutSeconds", 1, 30));
        in.reportUnknownFields();
    }

    private static Optional<String> nameUnlessEmpty(ObjectFieldReader in) {
        String name = in.requiredText("name");
        in.reportUnknownFields();
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static KeyRef keyRef(ObjectFieldReader in) {
        KeyRef ref = new KeyRef(in.requiredText("name"), in.requiredText("key"));
        in.reportUnknownFields();
        return ref;
    }

    private @Nullable Duration duration(ObjectFieldReader in, String field, Duration least, Duration most) {
        String text = in.text(field);
        if (text == null) {
            return null;
        }
        Duration duration = DurationFormat.parse(text);
        if (duration == null) {
            mistakes.add(
                    in.path(field), "\"" + text + "\" is not a valid duration", "write for example 30s, 10m or 1h30m");
        } else if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            mistakes.add(
                    in.path(field),
                    text + " is out of range",
                    "use " + DurationFormat.format(least) + " to " + DurationFormat.format(most));
        }
        return duration;
    }

    /** One of the given words; null if it is not set, {@code otherwise} if it is invalid. */
    private static <T> @Nullable T choice(
            ObjectFieldReader in, String field, T otherwise, List<T> values, Function<T, String> wireName) {
        return in.has(field) ? in.readChoice(field, otherwise, values, wireName) : null;
    }

    /** Reads only what is set: a missing list or map is inherited, an empty one is not. */
    private static <T> @Nullable T ifSet(ObjectFieldReader in, String field, Supplier<T> read) {
        return in.has(field) ? read.get() : null;
    }

    private static <T> @Nullable T read(@Nullable ObjectFieldReader in, Function<ObjectFieldReader, T> read) {
        return in == null ? null : read.apply(in);
    }
}
