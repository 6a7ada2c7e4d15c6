package io.osmhub.core.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.SecretName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * OSM's flags as a settings layer. Values are taken verbatim and validated as OSM does, with its messages, so that a
 * deployment of OSM keeps its flags and gets equal bytes. Reports all mistakes together.
 *
 * <p>OSM: operating-system-manager v1.11.2, {@code cmd/osm-controller} and {@code pkg/containerruntime}.
 */
public final class OsmFlags {
    private static final String REGISTRY_MIRRORS = "-node-registry-mirrors";
    private static final String CONTAINERD_MIRRORS = "-node-containerd-registry-mirrors";
    private static final Pattern WITH_REGISTRY = Pattern.compile("([a-zA-Z0-9.-]+)=(.*)", Pattern.DOTALL);
    private static final String MIRROR_ERROR =
            "failed to generate container runtime config: incorrect mirror provided: not a valid URL";

    /** The flags that are settings of a tenant, without dashes, except those that name files. */
    public static final List<String> NAMES = Setting.ALL.stream()
            .filter(setting -> setting.path().startsWith("provisioning."))
            .filter(setting -> setting != Setting.KUBERNETES_CA && setting != Setting.HOST_CA)
            .flatMap(setting -> setting.flags().stream())
            .map(flag -> flag.substring(1))
            .toList();

    private final FindingsCollector findings = new FindingsCollector(ProblemObject.NONE, Reason.SettingsInvalid);

    private OsmFlags() {}

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
        OsmFlags reader = new OsmFlags();
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        for (Setting setting : Setting.ALL) {
            for (String flag : setting.flags()) {
                String value =
                        switch (setting) {
                            case KUBERNETES_CA -> kubernetesCaBundle;
                            case HOST_CA -> hostCaBundle;
                            default -> last(flags, flag);
                        };
                if (value != null && setting != Setting.MIRRORS) {
                    setting.set(spec, reader.decode(setting, flag, value));
                }
            }
        }
        Setting.MIRRORS.set(spec, reader.mirrors(flags));
        reader.findings.throwIfAny();
        return new SettingsLayer(spec);
    }

    private static @Nullable String last(Map<String, List<String>> flags, String flag) {
        List<String> values = flags.get(flag.substring(1));
        return values == null ? null : values.getLast();
    }

    /** The value as the field of a WorkerCluster; null if it is invalid, or means none. */
    private @Nullable Object decode(Setting setting, String flag, String value) {
        return switch (setting) {
            case CLUSTER_DNS -> addresses(flag, value);
            case EXTERNAL_CLOUD_PROVIDER, DEVICE_OWNERSHIP -> bool(flag, value);
            case FEATURE_GATES -> featureGates(flag, value);
            case INITIAL_TAINTS -> taints(value);
            case CONTAINER_RUNTIME -> containerRuntime(flag, value);
            case INSECURE_REGISTRIES -> items(value);
            case REGISTRY_CREDENTIALS ->
                reference(flag, value, "failed to generate container runtime config: ", "'namespace/secretname'");
            case NO_PROXY -> value.isEmpty() ? List.of() : List.of(value.split(",", -1));
            case KUBERNETES_CA, HOST_CA -> caBundle(flag, value);
            case SERVICE_ACCOUNT -> reference(flag, value, "", "'namespace/name'");
            case INSTALL_DEFAULTS -> Boolean.TRUE.equals(bool(flag, value)) ? InstallDefaults.NONE : null;
            default -> value;
        };
    }

    private @Nullable Boolean bool(String flag, String text) {
        Boolean value = bool(text);
        if (value == null) {
            findings.add(
                    flag,
                    "invalid boolean value " + quote(text) + " for " + flag + ": parse error",
                    "write true or false");
        }
        return value;
    }

    /** Null if it is not a Boolean of Go. */
    @SuppressWarnings("NullAway") // null means invalid
    private static @Nullable Boolean bool(String text) {
        try {
            return GoNumbers.parseBool(GoString.bytes(text));
        } catch (GoCallException e) {
            return null;
        }
    }

    private String containerRuntime(String flag, String runtime) {
        if (!runtime.equals("containerd")) {
            findings.add(flag, runtime + " not supported; containerd is the only supported container runtimes", "");
        }
        return runtime;
    }

    private Map<String, String> caBundle(String flag, String content) {
        String wrong = PemBundle.findError(content);
        if (PemBundle.certificates(content).isEmpty()) {
            findings.add(flag, flag + " is invalid: file does not contain valid PEM-encoded certificates", "");
        } else if (wrong != null) {
            findings.add(flag, flag + ": the file " + wrong, PemBundle.CURE);
        }
        return Map.of("inline", PemBundle.certificatesAndComments(content));
    }

    private List<String> addresses(String flag, String text) {
        List<String> addresses = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            IpAddress address = IpAddress.parse(item.strip());
            if (address == null) {
                findings.add(
                        flag,
                        "invalid cluster dns specified: unable to parse ip " + item,
                        "write addresses separated by commas");
            } else {
                addresses.add(address.toString());
            }
        }
        return addresses;
    }

    private Map<String, Boolean> featureGates(String flag, String text) {
        Map<String, Boolean> gates = new TreeMap<>();
        for (String item : text.split(",", -1)) {
            String[] parts = item.split("=", -1);
            Boolean value = parts.length == 2 ? bool(parts[1]) : null;
            if (value == null) {
                boolean isPair = parts.length == 2;
                findings.add(
                        flag,
                        "invalid kubelet feature gates specified: " + (isPair ? "failed to parse" : "invalid")
                                + " kubelet feature gate: " + quote(item),
                        "write " + (isPair ? parts[0] : "Name") + "=true");
            } else {
                gates.put(parts[0], value);
            }
        }
        return gates;
    }

    /** Taints written {@code key=value:effect} or {@code key:effect}. Without a colon there is no effect, which OSM permits. */
    private static List<Map<String, String>> taints(String text) {
        List<Map<String, String>> taints = new ArrayList<>();
        for (String taint : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int colon = taint.lastIndexOf(':');
            String[] label = (colon < 0 ? taint : taint.substring(0, colon)).split("=", 2);
            Map<String, String> fields = new LinkedHashMap<>(Map.of("key", label[0]));
            if (label.length == 2) {
                fields.put("value", label[1]);
            }
            if (colon >= 0) {
                fields.put("effect", taint.substring(colon + 1));
            }
            taints.add(fields);
        }
        return taints;
    }

    /** A name with its namespace; null if the text is empty or invalid. */
    private @Nullable SecretName reference(String flag, String text, String prefix, String form) {
        String[] parts = text.split("/", -1);
        if (!text.isEmpty() && parts.length != 2) {
            findings.add(flag, prefix + flag + " is in incorrect format " + quote(text) + ", should be in " + form, "");
        }
        return parts.length == 2 ? new SecretName(parts[0], parts[1]) : null;
    }

    private static List<String> items(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** The mirrors of both flags; null without any. */
    private @Nullable List<Mirror> mirrors(Map<String, List<String>> flags) {
        Map<String, List<Endpoint>> mirrors = new LinkedHashMap<>();
        for (String value : flags.getOrDefault(CONTAINERD_MIRRORS.substring(1), List.of())) {
            String[] parts = value.split("=", 2);
            if (parts.length == 2) {
                mirrors.computeIfAbsent(parts[0], registry -> new ArrayList<>()).add(endpoint(parts[1]));
            } else {
                findings.add(
                        CONTAINERD_MIRRORS,
                        "invalid value " + quote(value) + " for flag " + CONTAINERD_MIRRORS
                                + ": should have exactly 1 =",
                        "write registry=mirror");
            }
        }
        String text = last(flags, REGISTRY_MIRRORS);
        for (String item : text == null ? List.<String>of() : items(text)) {
            Matcher pair = WITH_REGISTRY.matcher(item);
            String mirror = pair.matches() ? pair.group(2) : item;
            String url = mirror.startsWith("http") ? mirror : "https://" + mirror;
            if (UrlHost.parse(url) == null) {
                // Without the URL, which may have a password.
                findings.add(REGISTRY_MIRRORS, MIRROR_ERROR, "");
            } else {
                mirrors.computeIfAbsent(pair.matches() ? pair.group(1) : "docker.io", registry -> new ArrayList<>())
                        .add(endpoint(url));
            }
        }
        return mirrors.isEmpty()
                ? null
                : mirrors.entrySet().stream()
                        .map(mirror -> new Mirror(mirror.getKey(), mirror.getValue()))
                        .toList();
    }

    /** A mirror's URL; the query parameter {@code kubermatic} is for OSM and the hub, not for containerd. */
    private static Endpoint endpoint(String value) {
        String[] main = value.split("(?=#)", 2);
        String[] parts = main[0].split("\\?", 2);
        SortedMap<String, List<String>> parameters = query(parts.length == 1 ? "" : parts[1]);
        List<String> ours = parameters.remove("kubermatic");
        if (ours == null || UrlHost.parse(value) == null) {
            return new Endpoint(value, false);
        }
        String query = parameters.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(text -> escape(entry.getKey()) + "=" + escape(text)))
                .collect(Collectors.joining("&"));
        String fragment = main.length == 1 || main[1].equals("#") ? "" : main[1];
        try {
            List<String> overrides = query(unescape(ours.getFirst())).getOrDefault("override_path", List.of(""));
            return new Endpoint(
                    parts[0] + (query.isEmpty() ? "" : "?" + query) + fragment,
                    Boolean.TRUE.equals(bool(overrides.getFirst())));
        } catch (IllegalArgumentException e) {
            return new Endpoint(value, false);
        }
    }

    /** The parameters of a URL's query, in the order in which OSM writes them. */
    private static SortedMap<String, List<String>> query(String query) {
        SortedMap<String, List<String>> parameters = new TreeMap<>();
        for (String text : query.split("&", -1)) {
            String[] pair = text.split("=", 2);
            if (text.isEmpty() || text.indexOf(';') >= 0) {
                continue;
            }
            try {
                parameters
                        .computeIfAbsent(unescape(pair[0]), name -> new ArrayList<>())
                        .add(unescape(pair.length == 1 ? "" : pair[1]));
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

    private static String quote(String text) {
        return GoString.text(GoQuote.quote(GoString.bytes(text)));
    }
}
