package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the API server that nodes join: the cluster of {@code cluster-info}, else a ready endpoint of the Service
 * {@code kubernetes}, under another URL if a setting says so.
 */
public final class ApiServerDiscovery {
    private static final String CLUSTER_INFO = "worker cluster, ConfigMap kube-public/cluster-info";
    private static final String INVALID = "ClusterInfoInvalid";
    private static final String CURE = "it must hold exactly one cluster with server and certificate-authority-data";

    private ApiServerDiscovery() {}

    /** What is read of an EndpointSlice. {@code number} is null for a port without one, {@code ready} when it is not said. */
    public record EndpointSlice(List<Port> ports, List<Endpoint> endpoints) {
        public record Port(String name, @Nullable Integer number) {}

        public record Endpoint(
                List<String> addresses, @Nullable Boolean ready) {}
    }

    /**
     * What the worker cluster tells about itself.
     *
     * @param clusterInfo key {@code kubeconfig} of the ConfigMap, null when there is none
     * @param slices those of the Service {@code default/kubernetes}, in the order listed
     * @param fallbackCa certificate authorities that go with a slice's address, PEM
     */
    public record Sources(@Nullable String clusterInfo, List<EndpointSlice> slices, String fallbackCa) {
        public Sources {
            slices = List.copyOf(slices);
        }
    }

    /**
     * Chooses.
     *
     * @param override URL that replaces what was found; empty to keep it
     * @throws TenantMistake when nothing is found
     */
    public static ApiServer find(Sources sources, String override) {
        List<Finding> unusable = List.of();
        ApiServer found = null;
        if (sources.clusterInfo != null) {
            try {
                found = fromClusterInfo(sources.clusterInfo);
            } catch (TenantMistake e) {
                unusable = e.findings();
            }
        }
        if (found == null) {
            found = fromSlices(sources);
        }
        if (!override.isEmpty()) {
            return at(override, found == null ? fallback(sources) : found.fields());
        }
        if (found == null) {
            throw missing(sources, unusable);
        }
        return found;
    }

    /** Whether cluster-info alone names the API server, so that no EndpointSlice is needed. */
    public static boolean isUsable(@Nullable String clusterInfo) {
        if (clusterInfo == null) {
            return false;
        }
        try {
            fromClusterInfo(clusterInfo);
            return true;
        } catch (TenantMistake e) {
            return false;
        }
    }

    private static @Nullable ApiServer fromSlices(Sources sources) {
        for (EndpointSlice slice : sources.slices) {
            String server = server(slice);
            if (server != null) {
                return new ApiServer(server, fallback(sources));
            }
        }
        return null;
    }

    private static ApiServer at(String override, SortedMap<String, String> fields) {
        try {
            return new ApiServer(override, fields);
        } catch (IllegalArgumentException e) {
            throw new TenantMistake(new Finding(
                    "SettingsInvalid",
                    "",
                    "provisioning.bootstrap.apiServerURL",
                    String.valueOf(e.getMessage()),
                    "write a URL without control characters"));
        }
    }

    /** Reads a kubeconfig with one cluster; contexts and users in it do not matter. */
    static ApiServer fromClusterInfo(String kubeconfig) {
        List<Document> documents = YamlText.read(CLUSTER_INFO, kubeconfig, INVALID);
        if (documents.isEmpty()) {
            throw invalid("kubeconfig", "is empty");
        }
        Mistakes mistakes = new Mistakes(CLUSTER_INFO, INVALID);
        ObjectReader root = ObjectReader.of(documents.getFirst().root(), "", mistakes);
        List<ApiServer> clusters = root.objects("clusters", ApiServerDiscovery::cluster);
        if (mistakes.none() && clusters.size() != 1) {
            mistakes.add("clusters", "has " + clusters.size() + " clusters", CURE);
        }
        mistakes.raise();
        return clusters.getFirst();
    }

    private static ApiServer cluster(ObjectReader entry) {
        ObjectReader cluster = entry.requiredObject("cluster");
        SortedMap<String, String> fields = new TreeMap<>();
        for (String field : List.of("certificate-authority", "tls-server-name", "proxy-url")) {
            String text = cluster.text(field, "");
            if (!text.isEmpty()) {
                fields.put(field, JsonWriter.quote(text));
            }
        }
        for (String field : List.of("insecure-skip-tls-verify", "disable-compression")) {
            if (cluster.bool(field, false)) {
                fields.put(field, "true");
            }
        }
        Node extensions = cluster.value("extensions");
        if (extensions instanceof Node.Items items && !items.nodes().isEmpty()) {
            fields.put("extensions", JsonText.of(extensions));
        }
        String caData = cluster.text(ApiServer.CA_DATA, "");
        if (!caData.isEmpty()) {
            caData(cluster, caData, fields);
        }
        try {
            return new ApiServer(cluster.text("server", ""), fields);
        } catch (IllegalArgumentException e) {
            throw invalid(cluster.path(""), String.valueOf(e.getMessage()));
        }
    }

    private static void caData(ObjectReader cluster, String caData, SortedMap<String, String> fields) {
        try {
            byte[] pem = Base64.getDecoder().decode(caData.replace("\n", "").replace("\r", ""));
            fields.put(ApiServer.CA_DATA, JsonWriter.quote(Base64.getEncoder().encodeToString(pem)));
        } catch (IllegalArgumentException e) {
            cluster.mistakes().add(cluster.path(ApiServer.CA_DATA), "is not valid base64", "");
        }
    }

    private static SortedMap<String, String> fallback(Sources sources) {
        SortedMap<String, String> fields = new TreeMap<>();
        if (!sources.fallbackCa.isEmpty()) {
            byte[] pem = sources.fallbackCa.getBytes(UTF_8);
            fields.put(ApiServer.CA_DATA, JsonWriter.quote(Base64.getEncoder().encodeToString(pem)));
        }
        return fields;
    }

    private static TenantMistake missing(Sources sources, List<Finding> unusable) {
        List<Finding> findings = new ArrayList<>(unusable);
        findings.add(new Finding(
                "APIServerEndpointMissing",
                "worker cluster",
                "",
                "no address for nodes: ConfigMap kube-public/cluster-info is "
                        + (unusable.isEmpty() ? "missing" : "of no use") + " and "
                        + (sources.slices.isEmpty()
                                ? "no endpointslices found for kubernetes service"
                                : "no ready endpoint found in kubernetes endpointslices"),
                "set spec.provisioning.bootstrap.apiServerURL"));
        return new TenantMistake(findings);
    }

    private static @Nullable String server(EndpointSlice slice) {
        for (EndpointSlice.Port port : slice.ports()) {
            if (port.name().equals("https") && port.number() != null) {
                for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
                    IpAddress address = Boolean.TRUE.equals(endpoint.ready())
                                    && !endpoint.addresses().isEmpty()
                            ? IpAddress.parse(endpoint.addresses().getFirst())
                            : null;
                    if (address != null) {
                        String host = address.isV4() ? address.toString() : "[" + address + "]";
                        return "https://" + host + ":" + port.number();
                    }
                }
                return null;
            }
        }
        return null;
    }

    private static TenantMistake invalid(String field, String what) {
        return new TenantMistake(new Finding(INVALID, CLUSTER_INFO, field, what, CURE));
    }
}
