package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the API server that nodes join: the cluster of {@code cluster-info}, else a ready endpoint of the Service
 * {@code kubernetes}; a setting may override the URL.
 */
public final class ApiServerDiscovery {
    private static final ProblemObject CLUSTER_INFO = ProblemObject.inWorker("ConfigMap", "kube-public/cluster-info");
    private static final Reason INVALID = Reason.ClusterInfoInvalid;
    private static final String CURE = "it must hold exactly one cluster with server and certificate-authority-data";

    private ApiServerDiscovery() {}

    /**
     * The used fields of an EndpointSlice.
     *
     * @param port number of the first port named {@code https}; null if none
     * @param addresses the first one of each ready endpoint
     */
    public record EndpointSlice(@Nullable Integer port, List<String> addresses) {}

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
        List<Problem> unusable = new ArrayList<>();
        ApiServerEndpoint found = null;
        if (sources.clusterInfo != null) {
            try {
                found = fromClusterInfo(sources.clusterInfo);
            } catch (TenantMistake e) {
                unusable.addAll(e.findings());
            }
        }
        if (found == null) {
            found = sources.slices.stream()
                    .flatMap(ApiServerDiscovery::servers)
                    .findFirst()
                    .map(server -> new ApiServerEndpoint(server, fallback(sources)))
                    .orElse(null);
        }
        if (!override.isEmpty()) {
            return at(override, found == null ? fallback(sources) : found.fields());
        }
        if (found == null) {
            unusable.add(new Problem(
                    Reason.APIServerEndpointMissing,
                    ProblemObject.input("worker cluster"),
                    "",
                    "no address for nodes: ConfigMap kube-public/cluster-info is "
                            + (unusable.isEmpty() ? "missing" : "unusable") + " and "
                            + (sources.slices.isEmpty()
                                    ? "no endpointslices found for kubernetes service"
                                    : "no ready endpoint found in kubernetes endpointslices"),
                    "set spec.provisioning.bootstrap.apiServerURL"));
            throw new TenantMistake(unusable);
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

    private static ApiServerEndpoint at(String override, SortedMap<String, String> fields) {
        try {
            return new ApiServerEndpoint(override, fields);
        } catch (IllegalArgumentException e) {
            throw new TenantMistake(new Problem(
                    Reason.SettingsInvalid,
                    ProblemObject.NONE,
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
            fields.put("extensions", SourceDocument.jsonText(extensions));
        }
        String caData = cluster.text(ApiServerEndpoint.CA_DATA, "");
        try {
            if (!caData.isEmpty()) {
                byte[] pem = Base64.getDecoder().decode(caData.replace("\n", "").replace("\r", ""));
                fields.put(ApiServerEndpoint.CA_DATA, base64(pem));
            }
        } catch (IllegalArgumentException e) {
            cluster.mistakes().add(cluster.path(ApiServerEndpoint.CA_DATA), "is not valid base64", "");
        }
        try {
            return new ApiServerEndpoint(cluster.text("server", ""), fields);
        } catch (IllegalArgumentException e) {
            throw invalid(cluster.path(""), String.valueOf(e.getMessage()));
        }
    }

    private static SortedMap<String, String> fallback(Sources sources) {
        SortedMap<String, String> fields = new TreeMap<>();
        if (!sources.fallbackCa.isEmpty()) {
            fields.put(ApiServerEndpoint.CA_DATA, base64(sources.fallbackCa.getBytes(UTF_8)));
        }
        return fields;
    }

    private static String base64(byte[] pem) {
        return JsonWriter.quote(Base64.getEncoder().encodeToString(pem));
    }

    private static Stream<String> servers(EndpointSlice slice) {
        return slice.addresses().stream()
                .map(IpAddress::parse)
                .filter(address -> address != null && slice.port() != null)
                .map(address ->
                        "https://" + (address.isV4() ? address.toString() : "[" + address + "]") + ":" + slice.port());
    }

    private static TenantMistake invalid(String field, String what) {
        return new TenantMistake(new Problem(INVALID, CLUSTER_INFO, field, what, CURE));
    }
}
