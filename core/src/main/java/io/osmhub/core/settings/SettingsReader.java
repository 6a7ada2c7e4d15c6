package io.osmhub.core.settings;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.schema.DurationText;
import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
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
 * Reads settings written under their structured names: {@code spec} of a WorkerCluster, the hub's defaults, or a file with
 * these fields. All mistakes of one document are reported together.
 */
public final class SettingsReader {
    private static final String REASON = "SettingsInvalid";
    /** Fields of a WorkerCluster that concern the registration and are no settings. */
    private static final List<String> BESIDE_SETTINGS =
            List.of("target", "kubeconfigSecretRef", "paused", "deletionPolicy", "cleanupTimeout", "credentials");

    private static final List<String> TAINT_EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SettingsLayer.Builder layer = new SettingsLayer.Builder();
    private final Mistakes mistakes;

    private SettingsReader(Mistakes mistakes) {
        this.mistakes = mistakes;
    }

    /**
     * Reads a file for offline rendering: the settings alone, or a whole WorkerCluster.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake
     */
    public static SettingsLayer readFile(Document document) {
        Mistakes mistakes = new Mistakes(document.source(), REASON);
        ObjectReader root = ObjectReader.of(document.root(), "", mistakes);
        SettingsLayer layer = readFields(root.has("kind") ? root.requiredObject("spec") : root);
        mistakes.raise();
        return layer;
    }

    /** Reads the fields below {@code spec}; mistakes go to the reader's own collection. */
    public static SettingsLayer readFields(ObjectReader spec) {
        SettingsReader reader = new SettingsReader(spec.mistakes());
        reader.provisioning(spec.objectOrEmpty("provisioning"));
        reader.profiles(spec.objectOrEmpty("profiles"));
        reader.connection(spec.objectOrEmpty("connection"));
        reader.admission(spec.objectOrEmpty("admission"));
        BESIDE_SETTINGS.forEach(spec::value);
        spec.refuseUnknown();
        return reader.layer.build();
    }

    private void provisioning(ObjectReader in) {
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
        in.refuseUnknown();
    }

    private List<String> addresses(ObjectReader in) {
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

    private void kubelet(ObjectReader in) {
        layer.set(
                Setting.FEATURE_GATES,
                ifSet(in, "featureGates", () -> in.map("featureGates", (node, at) -> gate(node, at))));
        layer.set(
                Setting.INITIAL_TAINTS,
                ifSet(in, "initialTaints", () -> String.join(",", in.objects("initialTaints", this::taint))));
        in.refuseUnknown();
    }

    private boolean gate(Node node, String at) {
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.BOOL) {
            return scalar.text().equals("true");
        }
        mistakes.add(at, "must be a boolean, not " + node.describe(), "write true or false");
        return false;
    }

    private String taint(ObjectReader in) {
        String value = in.text("value");
        String effect = in.oneOf("effect", "", TAINT_EFFECTS, Function.identity());
        String text = in.requiredText("key") + (value == null ? "" : "=" + value) + ":" + effect;
        if (!in.has("effect")) {
            in.missing("effect");
        }
        in.refuseUnknown();
        return text;
    }

    private void containerRuntime(ObjectReader in) {
        layer.set(
                Setting.CONTAINER_RUNTIME,
                in.has("name") ? in.oneOf("name", "", List.of("containerd"), Function.identity()) : null);
        layer.set(Setting.PAUSE_IMAGE, in.text("pauseImage"));
        layer.set(Setting.DEVICE_OWNERSHIP, in.bool("deviceOwnershipFromSecurityContext"));
        in.refuseUnknown();
    }

    private void registries(ObjectReader in) {
        layer.set(Setting.INSECURE_REGISTRIES, ifSet(in, "insecure", () -> in.texts("insecure")));
        layer.set(Setting.MIRRORS, ifSet(in, "mirrors", () -> in.objects("mirrors", SettingsReader::mirror)));
        layer.set(Setting.REGISTRY_CREDENTIALS, read(in.object("credentialsSecretRef"), ref -> nameUnlessEmpty(ref)
                .map(name -> new SecretName("", name))));
        in.refuseUnknown();
    }

    private static Mirror mirror(ObjectReader in) {
        Mirror mirror = new Mirror(in.requiredText("registry"), in.objects("endpoints", SettingsReader::endpoint));
        if (mirror.endpoints().isEmpty()) {
            in.missing("endpoints");
        }
        in.refuseUnknown();
        return mirror;
    }

    private static Endpoint endpoint(ObjectReader in) {
        String url = in.requiredText("url");
        if (!url.isEmpty() && !isHttpUrl(url)) {
            in.mistakes()
                    .add(
                            in.path("url"),
                            "is not an http or https URL with a host",
                            "write for example https://mirror.example.org");
        }
        Endpoint endpoint = new Endpoint(url, in.bool("overridePath", false));
        in.refuseUnknown();
        return endpoint;
    }

    private void proxy(ObjectReader in) {
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
        in.refuseUnknown();
    }

    private static boolean isHttpUrl(String url) {
        int host = url.startsWith("http://") ? 7 : url.startsWith("https://") ? 8 : -1;
        return host > 0 && url.length() > host && "/?#:".indexOf(url.charAt(host)) < 0;
    }

    private @Nullable CaBundle caBundle(@Nullable ObjectReader in) {
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
        String wrong = pem == null || pem.isEmpty() ? null : PemBundle.mistake(pem);
        if (wrong != null) {
            mistakes.add(in.path("inline"), wrong, PemBundle.CURE);
        }
        in.refuseUnknown();
        if (configMap != null) {
            return new CaBundle.FromConfigMap(configMap);
        }
        if (secret != null) {
            return new CaBundle.FromSecret(secret);
        }
        return pem == null || pem.isEmpty() ? new CaBundle.None() : new CaBundle.Inline(pem);
    }

    private void bootstrap(ObjectReader in) {
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
                in.has("nodeFetch")
                        ? in.oneOf("nodeFetch", NodeFetch.AUTO, List.of(NodeFetch.values()), NodeFetch::wireName)
                        : null);
        in.refuseUnknown();
    }

    private static Optional<ServiceAccountName> serviceAccount(ObjectReader in) {
        ServiceAccountName name = new ServiceAccountName(in.requiredText("namespace"), in.requiredText("name"));
        in.refuseUnknown();
        return Optional.of(name);
    }

    private void downloads(ObjectReader in) {
        layer.set(Setting.DOWNLOADS_KUBERNETES, in.text("kubernetes"))
                .set(Setting.DOWNLOADS_CNI_PLUGINS, in.text("cniPlugins"))
                .set(Setting.DOWNLOADS_CRI_TOOLS, in.text("criTools"))
                .set(Setting.DOWNLOADS_CONTAINERD, in.text("containerd"))
                .set(Setting.DOWNLOADS_OS_PACKAGES, in.text("osPackages"));
        in.refuseUnknown();
    }

    private void profiles(ObjectReader in) {
        layer.set(Setting.PROFILE_NAMESPACES, ifSet(in, "namespaces", () -> in.texts("namespaces")));
        layer.set(
                Setting.INSTALL_DEFAULTS,
                in.has("installDefaults")
                        ? in.oneOf(
                                "installDefaults",
                                InstallDefaults.SHARED,
                                List.of(InstallDefaults.values()),
                                InstallDefaults::wireName)
                        : null);
        layer.set(Setting.BY_OPERATING_SYSTEM, ifSet(in, "byOperatingSystem", () -> in.textMap("byOperatingSystem")));
        in.refuseUnknown();
    }

    private void connection(ObjectReader in) {
        layer.set(Setting.MAX_CONCURRENT_RECONCILES, in.integer("maxConcurrentReconciles", 1, 100));
        layer.set(Setting.REQUEST_TIMEOUT, duration(in, "requestTimeout", Duration.ofSeconds(1), MINUTE));
        layer.set(Setting.PING_INTERVAL, duration(in, "pingInterval", Duration.ofSeconds(1), MINUTE));
        ObjectReader budget = in.objectOrEmpty("writeBudget");
        Integer perSecond = budget.integer("perSecond", 1, 2000);
        Integer burst = budget.integer("burst", 1, 10_000);
        if (perSecond != null && burst != null && burst < perSecond) {
            mistakes.add(budget.path("burst"), "is less than perSecond", "raise it to " + perSecond + " or more");
        }
        layer.set(Setting.WRITES_PER_SECOND, perSecond);
        layer.set(Setting.WRITE_BURST, burst);
        budget.refuseUnknown();
        in.refuseUnknown();
    }

    private void admission(ObjectReader in) {
        layer.set(
                Setting.ADMISSION_MODE,
                in.has("mode")
                        ? Optional.of(in.oneOf(
                                "mode",
                                Admission.Mode.NONE,
                                List.of(Admission.Mode.values()),
                                Admission.Mode::wireName))
                        : null);
        layer.set(
                Setting.ADMISSION_FAILURE_POLICY,
                in.has("failurePolicy")
                        ? in.oneOf(
                                "failurePolicy",
                                Admission.FailurePolicy.IGNORE,
                                List.of(Admission.FailurePolicy.values()),
                                Admission.FailurePolicy::wireName)
                        : null);
        layer.set(Setting.ADMISSION_TIMEOUT, in.integer("timeoutSeconds", 1, 30));
        in.refuseUnknown();
    }

    private static Optional<String> nameUnlessEmpty(ObjectReader in) {
        String name = in.requiredText("name");
        in.refuseUnknown();
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static KeyRef keyRef(ObjectReader in) {
        KeyRef ref = new KeyRef(in.requiredText("name"), in.requiredText("key"));
        in.refuseUnknown();
        return ref;
    }

    private @Nullable Duration duration(ObjectReader in, String field, Duration least, Duration most) {
        String text = in.text(field);
        if (text == null) {
            return null;
        }
        Duration duration = DurationText.parse(text);
        if (duration == null) {
            mistakes.add(
                    in.path(field), "\"" + text + "\" is not a valid duration", "write for example 30s, 10m or 1h30m");
        } else if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            mistakes.add(
                    in.path(field),
                    text + " is out of range",
                    "use " + DurationText.text(least) + " to " + DurationText.text(most));
        }
        return duration;
    }

    /** Reads only what is there: a list or map that is left out is inherited, an empty one is not. */
    private static <T> @Nullable T ifSet(ObjectReader in, String field, Supplier<T> read) {
        return in.has(field) ? read.get() : null;
    }

    private static <T> @Nullable T read(@Nullable ObjectReader in, Function<ObjectReader, T> read) {
        return in == null ? null : read.apply(in);
    }
}
