package io.osmhub.core.settings;

import io.osmhub.core.document.Mistakes;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.url.GoQuery;
import io.osmhub.core.golang.url.GoUrl;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The peer's flags as a layer of settings. Values are taken word for word and checked as the peer checks them, with its texts,
 * so that a deployment of the peer keeps its flags and gets its bytes. All mistakes are reported together.
 *
 * <p>Peer: operating-system-manager v1.11.2, {@code cmd/osm-controller} and {@code pkg/containerruntime}.
 */
public final class PeerFlags {
    private static final String CLUSTER_DNS = "cluster-dns";
    private static final String CONTAINER_RUNTIME = "container-runtime";
    private static final String EXTERNAL_CLOUD_PROVIDER = "external-cloud-provider";
    private static final String PAUSE_IMAGE = "pause-image";
    private static final String INITIAL_TAINTS = "initial-taints";
    private static final String FEATURE_GATES = "node-kubelet-feature-gates";
    private static final String HTTP_PROXY = "node-http-proxy";
    private static final String NO_PROXY = "node-no-proxy";
    private static final String INSECURE_REGISTRIES = "node-insecure-registries";
    private static final String REGISTRY_MIRRORS = "node-registry-mirrors";
    private static final String CONTAINERD_MIRRORS = "node-containerd-registry-mirrors";
    private static final String REGISTRY_CREDENTIALS = "node-registry-credentials-secret";
    private static final String DEVICE_OWNERSHIP = "device-ownership-from-security-context";
    private static final String API_SERVER = "override-bootstrap-kubelet-apiserver";
    private static final String SERVICE_ACCOUNT = "bootstrap-token-service-account-name";

    /** The flags that are settings of a tenant, apart from those that name files. */
    public static final List<String> NAMES = List.of(
            CLUSTER_DNS,
            CONTAINER_RUNTIME,
            EXTERNAL_CLOUD_PROVIDER,
            PAUSE_IMAGE,
            INITIAL_TAINTS,
            FEATURE_GATES,
            HTTP_PROXY,
            NO_PROXY,
            INSECURE_REGISTRIES,
            REGISTRY_MIRRORS,
            CONTAINERD_MIRRORS,
            REGISTRY_CREDENTIALS,
            DEVICE_OWNERSHIP,
            API_SERVER,
            SERVICE_ACCOUNT);

    private final Map<String, List<String>> flags;
    private final Mistakes mistakes = new Mistakes("", "SettingsInvalid");
    private final SettingsLayer.Builder layer = new SettingsLayer.Builder();

    private PeerFlags(Map<String, List<String>> flags) {
        this.flags = flags;
    }

    /**
     * Reads flags.
     *
     * @param flags values by name without dashes, in the order given; a flag that may not be repeated counts its last value
     * @param kubernetesCaBundle content of the file of {@code -kubernetes-ca-bundle}, null without that flag
     * @param hostCaBundle content of the file of {@code -host-ca-bundle}, null without that flag
     * @throws io.osmhub.core.problem.TenantMistake with every mistake; each finding's field is the flag with its dash
     */
    public static SettingsLayer read(
            Map<String, List<String>> flags, @Nullable String kubernetesCaBundle, @Nullable String hostCaBundle) {
        PeerFlags reader = new PeerFlags(flags);
        Map<String, List<Endpoint>> mirrors = reader.containerdMirrors();
        reader.layer.set(Setting.EXTERNAL_CLOUD_PROVIDER, reader.bool(EXTERNAL_CLOUD_PROVIDER));
        reader.layer.set(Setting.DEVICE_OWNERSHIP, reader.bool(DEVICE_OWNERSHIP));
        reader.containerRuntime();
        reader.layer.set(Setting.KUBERNETES_CA, reader.caBundle("kubernetes-ca-bundle", kubernetesCaBundle));
        reader.layer.set(Setting.HOST_CA, reader.caBundle("host-ca-bundle", hostCaBundle));
        reader.clusterDns();
        reader.featureGates();
        reader.serviceAccount();
        reader.registries(mirrors);
        reader.layer
                .set(Setting.PAUSE_IMAGE, reader.last(PAUSE_IMAGE))
                .set(Setting.INITIAL_TAINTS, reader.last(INITIAL_TAINTS))
                .set(Setting.HTTP_PROXY, reader.last(HTTP_PROXY))
                .set(Setting.NO_PROXY, reader.last(NO_PROXY))
                .set(Setting.API_SERVER_URL, reader.last(API_SERVER));
        reader.mistakes.raise();
        return reader.layer.build();
    }

    private @Nullable String last(String flag) {
        List<String> values = flags.getOrDefault(flag, List.of());
        return values.isEmpty() ? null : values.getLast();
    }

    private void mistake(String flag, String what, String cure) {
        mistakes.add("-" + flag, what, cure);
    }

    @SuppressWarnings("NullAway") // left out is a state of its own
    private @Nullable Boolean bool(String flag) {
        String text = last(flag);
        if (text == null) {
            return null;
        }
        try {
            return GoNumbers.parseBool(Str.bytes(text));
        } catch (CallFailure e) {
            mistake(
                    flag,
                    "invalid boolean value " + quote(text) + " for -" + flag + ": parse error",
                    "write true or false");
            return null;
        }
    }

    private void containerRuntime() {
        String runtime = last(CONTAINER_RUNTIME);
        if (runtime != null && !runtime.equals("containerd")) {
            mistake(
                    CONTAINER_RUNTIME,
                    runtime + " not supported; containerd is the only supported container runtimes",
                    "");
        }
        layer.set(Setting.CONTAINER_RUNTIME, runtime);
    }

    private @Nullable CaBundle caBundle(String flag, @Nullable String content) {
        if (content == null) {
            return null;
        }
        String wrong = PemBundle.mistake(content);
        if (PemBundle.certificates(content).isEmpty()) {
            mistake(flag, "-" + flag + " is invalid: file does not contain valid PEM-encoded certificates", "");
        } else if (wrong != null) {
            mistake(flag, "-" + flag + ": the file " + wrong, PemBundle.CURE);
        }
        return new CaBundle.Inline(content);
    }

    private void clusterDns() {
        String text = last(CLUSTER_DNS);
        if (text == null) {
            return;
        }
        List<String> addresses = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            IpAddress address = IpAddress.parse(item.strip());
            if (address == null) {
                mistake(
                        CLUSTER_DNS,
                        "invalid cluster dns specified: unable to parse ip " + item,
                        "write addresses separated by commas");
            } else {
                addresses.add(address.toString());
            }
        }
        layer.set(Setting.CLUSTER_DNS, addresses);
    }

    private void featureGates() {
        String text = last(FEATURE_GATES);
        if (text == null) {
            return;
        }
        Map<String, Boolean> gates = new TreeMap<>();
        String invalid = "invalid kubelet feature gates specified: ";
        for (String item : text.split(",", -1)) {
            String[] parts = item.split("=", -1);
            if (parts.length != 2) {
                mistake(FEATURE_GATES, invalid + "invalid kubelet feature gate: " + quote(item), "write Name=true");
                continue;
            }
            try {
                gates.put(parts[0], GoNumbers.parseBool(Str.bytes(parts[1])));
            } catch (CallFailure e) {
                mistake(
                        FEATURE_GATES,
                        invalid + "failed to parse kubelet feature gate: " + quote(item),
                        "write " + parts[0] + "=true");
            }
        }
        layer.set(Setting.FEATURE_GATES, gates);
    }

    private void serviceAccount() {
        String text = last(SERVICE_ACCOUNT);
        if (text == null || text.isEmpty()) {
            return;
        }
        String[] parts = text.split("/", -1);
        if (parts.length != 2) {
            mistake(
                    SERVICE_ACCOUNT,
                    "-" + SERVICE_ACCOUNT + " is in incorrect format " + quote(text)
                            + ", should be in 'namespace/name'",
                    "");
        } else {
            layer.set(Setting.SERVICE_ACCOUNT, Optional.of(new ServiceAccountName(parts[0], parts[1])));
        }
    }

    private void registries(Map<String, List<Endpoint>> mirrors) {
        registryMirrors(mirrors);
        if (!mirrors.isEmpty()) {
            List<Mirror> list = new ArrayList<>();
            mirrors.forEach((registry, endpoints) -> list.add(new Mirror(registry, endpoints)));
            layer.set(Setting.MIRRORS, list);
        }
        String insecure = last(INSECURE_REGISTRIES);
        if (insecure != null) {
            layer.set(Setting.INSECURE_REGISTRIES, items(insecure));
        }
        String credentials = last(REGISTRY_CREDENTIALS);
        if (credentials == null || credentials.isEmpty()) {
            return;
        }
        String[] parts = credentials.split("/", -1);
        if (parts.length != 2) {
            mistake(
                    REGISTRY_CREDENTIALS,
                    "failed to generate container runtime config: -" + REGISTRY_CREDENTIALS + " is in incorrect format "
                            + quote(credentials) + ", should be in 'namespace/secretname'",
                    "");
        } else {
            layer.set(Setting.REGISTRY_CREDENTIALS, Optional.of(new SecretName(parts[0], parts[1])));
        }
    }

    private static List<String> items(String text) {
        List<String> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            if (!item.isBlank()) {
                items.add(item.strip());
            }
        }
        return items;
    }

    private Map<String, List<Endpoint>> containerdMirrors() {
        Map<String, List<Endpoint>> mirrors = new LinkedHashMap<>();
        for (String value : flags.getOrDefault(CONTAINERD_MIRRORS, List.of())) {
            int equals = value.indexOf('=');
            if (equals < 0) {
                mistake(
                        CONTAINERD_MIRRORS,
                        "invalid value " + quote(value) + " for flag -" + CONTAINERD_MIRRORS
                                + ": should have exactly 1 =",
                        "write registry=mirror");
            } else {
                mirrors.computeIfAbsent(value.substring(0, equals), registry -> new ArrayList<>())
                        .add(endpoint(value.substring(equals + 1)));
            }
        }
        return mirrors;
    }

    private void registryMirrors(Map<String, List<Endpoint>> mirrors) {
        String text = last(REGISTRY_MIRRORS);
        for (String item : text == null ? List.<String>of() : items(text)) {
            int equals = registryEnd(item);
            String registry = equals < 0 ? "docker.io" : item.substring(0, equals);
            String mirror = item.substring(equals + 1);
            String url = mirror.startsWith("http") ? mirror : "https://" + mirror;
            try {
                GoUrl.parse(Str.bytes(url));
                mirrors.computeIfAbsent(registry, r -> new ArrayList<>()).add(endpoint(url));
            } catch (CallFailure e) {
                // What stands before an @ may be a password.
                String cause = url.indexOf('@') < 0 ? Str.text(e.text()) : "no URL";
                mistake(
                        REGISTRY_MIRRORS,
                        "failed to generate container runtime config: incorrect mirror provided: " + cause,
                        "");
            }
        }
    }

    /** Index of the equals sign after a registry of letters, digits, points and hyphens; -1 when the item has no such registry. */
    private static int registryEnd(String item) {
        int i = 0;
        while (i < item.length()) {
            char c = item.charAt(i);
            boolean registry =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
            if (!registry) {
                return c == '=' && i > 0 ? i : -1;
            }
            i++;
        }
        return -1;
    }

    /** A mirror's URL; the query parameter {@code kubermatic} is for us and not for containerd. */
    private static Endpoint endpoint(String value) {
        try {
            String bytes = Str.bytes(value);
            GoUrl url = GoUrl.parse(bytes);
            GoQuery query = GoQuery.parse(url.query());
            if (!query.has("kubermatic")) {
                return new Endpoint(value, false);
            }
            GoQuery ours = GoQuery.parse(GoQuery.unescape(query.first("kubermatic"), true));
            String rest = query.encodedWithout("kubermatic");
            // The rest is kept as it was written, escapes included.
            int mark = bytes.indexOf('?');
            int hash = bytes.indexOf('#');
            String text = bytes.substring(0, mark)
                    + (rest.isEmpty() ? "" : "?" + rest)
                    + (url.fragment().isEmpty() ? "" : bytes.substring(hash));
            return new Endpoint(Str.text(text), isTrue(ours.first("override_path")));
        } catch (CallFailure e) {
            // No URL: written as it is.
            return new Endpoint(value, false);
        }
    }

    private static boolean isTrue(String bytes) {
        try {
            return GoNumbers.parseBool(bytes);
        } catch (CallFailure e) {
            return false;
        }
    }

    private static String quote(String text) {
        return Str.text(GoQuote.quote(Str.bytes(text)));
    }
}
