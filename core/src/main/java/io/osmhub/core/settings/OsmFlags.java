package io.osmhub.core.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * OSM's flags as a settings layer. Values are taken verbatim and validated as OSM does, with its messages, so that a
 * deployment of OSM keeps its flags and gets equal bytes. Reports all mistakes together.
 *
 * <p>OSM: operating-system-manager v1.11.2, {@code cmd/osm-controller} and {@code pkg/containerruntime}.
 */
public final class OsmFlags {
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

    /** The flags that are settings of a tenant, except those that name files. */
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
    private final FindingsCollector mistakes = new FindingsCollector("", "SettingsInvalid");
    private final SettingsLayer.Builder layer = new SettingsLayer.Builder();

    private OsmFlags(Map<String, List<String>> flags) {
        this.flags = flags;
    }

    /**
     * Reads flags.
     *
     * @param flags values by name without dashes, in order; of a flag that may not be repeated the last value counts
     * @param kubernetesCaBundle content of the file of {@code -kubernetes-ca-bundle}, null without that flag
     * @param hostCaBundle content of the file of {@code -host-ca-bundle}, null without that flag
     * @throws io.osmhub.core.problem.TenantMistake with every mistake; each finding's field is the flag with its dash
     */
    public static SettingsLayer read(
            Map<String, List<String>> flags, @Nullable String kubernetesCaBundle, @Nullable String hostCaBundle) {
        OsmFlags reader = new OsmFlags(flags);
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
        reader.mistakes.throwIfAny();
        return reader.layer.build();
    }

    private @Nullable String last(String flag) {
        List<String> values = flags.getOrDefault(flag, List.of());
        return values.isEmpty() ? null : values.getLast();
    }

    private void mistake(String flag, String what, String cure) {
        mistakes.add("-" + flag, what, cure);
    }

    @SuppressWarnings("NullAway") // null means left out
    private @Nullable Boolean bool(String flag) {
        String text = last(flag);
        if (text == null) {
            return null;
        }
        try {
            return GoNumbers.parseBool(GoString.bytes(text));
        } catch (GoCallException e) {
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
        String wrong = PemBundle.findError(content);
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
                gates.put(parts[0], GoNumbers.parseBool(GoString.bytes(parts[1])));
            } catch (GoCallException e) {
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
            if (UrlHost.parse(url) == null) {
                // Without the URL, which may have a password.
                mistake(
                        REGISTRY_MIRRORS,
                        "failed to generate container runtime config: incorrect mirror provided: not a valid URL",
                        "");
            } else {
                mirrors.computeIfAbsent(registry, r -> new ArrayList<>()).add(endpoint(url));
            }
        }
    }

    /** Index of the equals sign after a registry of letters, digits, points and hyphens; -1 if the item has no such registry. */
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

    /** A mirror's URL; the query parameter {@code kubermatic} is for OSM and the hub, not for containerd. */
    private static Endpoint endpoint(String value) {
        int hash = value.indexOf('#');
        String fragment = hash < 0 ? "" : value.substring(hash);
        String main = hash < 0 ? value : value.substring(0, hash);
        int mark = main.indexOf('?');
        SortedMap<String, List<String>> parameters = mark < 0 ? new TreeMap<>() : query(main.substring(mark + 1));
        List<String> ours = parameters.remove("kubermatic");
        if (ours == null || UrlHost.parse(value) == null) {
            return new Endpoint(value, false);
        }
        StringBuilder url = new StringBuilder(main.substring(0, mark));
        parameters.forEach((name, values) -> values.forEach(text -> url.append(url.length() == mark ? '?' : '&')
                .append(escape(name))
                .append('=')
                .append(escape(text))));
        try {
            List<String> overrides = query(unescape(ours.getFirst())).getOrDefault("override_path", List.of(""));
            return new Endpoint(url + (fragment.equals("#") ? "" : fragment), isTrue(overrides.getFirst()));
        } catch (IllegalArgumentException e) {
            return new Endpoint(value, false);
        }
    }

    /** The parameters of a URL's query, in the order in which OSM writes them. */
    private static SortedMap<String, List<String>> query(String query) {
        SortedMap<String, List<String>> parameters = new TreeMap<>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                continue;
            }
            int equals = pair.indexOf('=');
            try {
                String name = unescape(equals < 0 ? pair : pair.substring(0, equals));
                String value = unescape(equals < 0 ? "" : pair.substring(equals + 1));
                parameters.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            } catch (IllegalArgumentException e) {
                // OSM drops such a pair, too.
            }
        }
        return parameters;
    }

    private static String unescape(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    private static String escape(String text) {
        // OSM escapes as RFC 3986 requires, Java as HTML forms do.
        return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replace("%7E", "~");
    }

    private static boolean isTrue(String text) {
        try {
            return GoNumbers.parseBool(GoString.bytes(text));
        } catch (GoCallException e) {
            return false;
        }
    }

    private static String quote(String text) {
        return GoString.text(GoQuote.quote(GoString.bytes(text)));
    }
}
