package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.NodeJsonWriter;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the API server that nodes join: the cluster of {@code cluster-info}, else a ready endpoint of the Service
 * {@code kubernetes}; a setting may override the URL.
 */
public final class ApiServerDiscovery {
    private static final String CLUSTER_INFO = "worker cluster, ConfigMap kube-public/cluster-info";
    private static final String INVALID = "ClusterInfoInvalid";
    private static final String CURE = "it must hold exactly one cluster with server and certificate-authority-data";

    private ApiServerDiscovery() {}

    /** The used fields of an EndpointSlice. {@code number} is null for a port without one, {@code ready} if unset. */
    public record EndpointSlice(List<Port> ports, List<Endpoint> endpoints) {
        public record Port(String name, @Nullable Integer number) {}

        public record Endpoint(
                List<String> addresses, @Nullable Boolean ready) {}
    }

    /**
     * Where the worker cluster publishes its API server.
     *
     * @param clusterInfo key {@code kubeconfig} of the ConfigMap, null if missing
     * @param slices those of the Service {@code default/kubernetes}, in list order
     * @param fallbackCa certificate authorities for the address of a slice, PEM
     */
    public record Sources(@Nullable String clusterInfo, List<EndpointSlice> slices, String fallbackCa) {
        public Sources {
            slices = List.copyOf(slices);
        }
    }

    /**
     * Chooses an API server.
     *
     * @param override URL that replaces the one found; empty to keep it
     * @throws TenantMistake if none is found
     */
    public static ApiServerEndpoint find(Sources sources, String override) {
        List<ProblemFinding> unusable = List.of();
        ApiServerEndpoint found = null;
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

    /** Whether cluster-info alone identifies the API server, so that no EndpointSlice is needed. */
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

    private static @Nullable ApiServerEndpoint fromSlices(Sources sources) {
        for (EndpointSlice slice : sources.slices) {
            String server = server(slice);
            if (server != null) {
                return new ApiServerEndpoint(server, fallback(sources));
            }
        }
        return null;
    }

    private static ApiServerEndpoint at(String override, SortedMap<String, String> fields) {
        try {
            return new ApiServerEndpoint(override, fields);
        } catch (IllegalArgumentException e) {
            throw new TenantMistake(new ProblemFinding(
                    "SettingsInvalid",
                    "",
                    "provisioning.bootstrap.apiServerURL",
                    String.valueOf(e.getMessage()),
                    "write a URL without control characters"));
        }
    }

    /** Reads a kubeconfig with one cluster; its contexts and users are ignored. */
    static ApiServerEndpoint fromClusterInfo(String kubeconfig) {
        List<SourceDocument> documents = YamlDocumentReader.read(CLUSTER_INFO, kubeconfig, INVALID);
        if (documents.isEmpty()) {
            throw invalid("kubeconfig", "is empty");
        }
        FindingsCollector mistakes = new FindingsCollector(CLUSTER_INFO, INVALID);
        ObjectFieldReader root = ObjectFieldReader.of(documents.getFirst().root(), "", mistakes);
        List<ApiServerEndpoint> clusters = root.objects("clusters", ApiServerDiscovery::cluster);
        if (mistakes.isEmpty() && clusters.size() != 1) {
            mistakes.add("clusters", "has " + clusters.size() + " clusters", CURE);
        }
        mistakes.throwIfAny();
        return clusters.getFirst();
    }

    private static ApiServerEndpoint cluster(ObjectFieldReader entry) {
        ObjectFieldReader cluster = entry.requiredObject("cluster");
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
        DocumentNode extensions = cluster.value("extensions");
        if (extensions instanceof DocumentNode.Items items && !items.nodes().isEmpty()) {
            fields.put("extensions", NodeJsonWriter.write(extensions));
        }
        String caData = cluster.text(ApiServerEndpoint.CA_DATA, "");
        if (!caData.isEmpty()) {
            caData(cluster, caData, fields);
        }
        try {
            return new ApiServerEndpoint(cluster.text("server", ""), fields);
        } catch (IllegalArgumentException e) {
            throw invalid(cluster.path(""), String.valueOf(e.getMessage()));
        }
    }

    private static void caData(ObjectFieldReader cluster, String caData, SortedMap<String, String> fields) {
        try {
            byte[] pem = Base64.getDecoder().decode(caData.replace("\n", "").replace("\r", ""));
            fields.put(
                    ApiServerEndpoint.CA_DATA,
                    JsonWriter.quote(Base64.getEncoder().encodeToString(pem)));
        } catch (IllegalArgumentException e) {
            cluster.mistakes().add(cluster.path(ApiServerEndpoint.CA_DATA), "is not valid base64", "");
        }
    }

    private static SortedMap<String, String> fallback(Sources sources) {
        SortedMap<String, String> fields = new TreeMap<>();
        if (!sources.fallbackCa.isEmpty()) {
            byte[] pem = sources.fallbackCa.getBytes(UTF_8);
            fields.put(
                    ApiServerEndpoint.CA_DATA,
                    JsonWriter.quote(Base64.getEncoder().encodeToString(pem)));
        }
        return fields;
    }

    private static TenantMistake missing(Sources sources, List<ProblemFinding> unusable) {
        List<ProblemFinding> findings = new ArrayList<>(unusable);
        findings.add(new ProblemFinding(
                "APIServerEndpointMissing",
                "worker cluster",
                "",
                "no address for nodes: ConfigMap kube-public/cluster-info is "
                        + (unusable.isEmpty() ? "missing" : "unusable") + " and "
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
        return new TenantMistake(new ProblemFinding(INVALID, CLUSTER_INFO, field, what, CURE));
    }
}
