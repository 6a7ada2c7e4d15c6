package io.osmhub.sim.objects;

import io.osmhub.sim.objects.ResourceType.TableColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The kinds that one cluster serves at this moment: the built-in ones and those of its CustomResourceDefinitions. Thread-safe. */
public final class ResourceCatalog {
    public static final ResourceKey NAMESPACES = new ResourceKey("", "namespaces");
    public static final ResourceKey SECRETS = new ResourceKey("", "secrets");
    public static final ResourceKey SERVICE_ACCOUNTS = new ResourceKey("", "serviceaccounts");
    static final ResourceKey DEFINITIONS = new ResourceKey("apiextensions.k8s.io", "customresourcedefinitions");

    /** The group of roles and bindings. */
    public static final String RBAC = "rbac.authorization.k8s.io";

    /**
     * In the order of discovery: apiVersion, plural, kind, traits, short names, columns. Traits: {@code cluster} for cluster-scoped,
     * {@code status} for a status subresource, {@code generation} for a counted generation, {@code revision} for updates that need a
     * resourceVersion. A column is {@code Name=path}, or {@code Name#path} for the number of elements. Webhook configurations are only
     * stored and watched: the simulator calls no webhook.
     */
    private static final List<ResourceType> BUILT_IN =
            """
            v1 namespaces Namespace cluster,status ns Status=.status.phase
            v1 nodes Node cluster,status no Status=.status.conditions[?(@.type=="Ready")].reason Version=.status.nodeInfo.kubeletVersion
            v1 configmaps ConfigMap - cm Data#.data
            v1 secrets Secret - - Type=.type Data#.data
            v1 serviceaccounts ServiceAccount - sa
            v1 services Service status svc Type=.spec.type Cluster-IP=.spec.clusterIP
            v1 pods Pod status po Status=.status.phase
            v1 events Event - ev Type=.type Reason=.reason Object=.involvedObject.name Message=.message
            events.k8s.io/v1 events Event - ev Type=.type Reason=.reason Object=.involvedObject.name Note=.message
            coordination.k8s.io/v1 leases Lease revision - Holder=.spec.holderIdentity
            v1 endpoints Endpoints - ep
            discovery.k8s.io/v1 endpointslices EndpointSlice generation - AddressType=.addressType
            rbac.authorization.k8s.io/v1 roles Role - -
            rbac.authorization.k8s.io/v1 rolebindings RoleBinding - - Role=.roleRef.name
            rbac.authorization.k8s.io/v1 clusterroles ClusterRole cluster -
            rbac.authorization.k8s.io/v1 clusterrolebindings ClusterRoleBinding cluster - Role=.roleRef.name
            apiextensions.k8s.io/v1 customresourcedefinitions CustomResourceDefinition cluster,status,generation,revision crd,crds
            admissionregistration.k8s.io/v1 mutatingwebhookconfigurations MutatingWebhookConfiguration cluster,generation -
            admissionregistration.k8s.io/v1 validatingwebhookconfigurations ValidatingWebhookConfiguration cluster,generation -
            apps/v1 deployments Deployment status,generation deploy
            policy/v1 poddisruptionbudgets PodDisruptionBudget status,generation pdb
            """.lines().map(ResourceCatalog::builtIn).toList();

    /** Events as they are stored; {@code events.k8s.io} is another view of them. */
    static final ResourceType CORE_EVENT = BUILT_IN.stream()
            .filter(type -> type.key().equals(new ResourceKey("", "events")))
            .findFirst()
            .orElseThrow();

    private volatile Map<ResourceKey, List<ResourceType>> custom = Map.of();

    private static ResourceType builtIn(String line) {
        String[] words = line.split(" ");
        int slash = words[0].indexOf('/');
        List<String> traits = list(words[3]);
        List<TableColumn> columns = new ArrayList<>();
        for (String column : Arrays.asList(words).subList(5, words.length)) {
            String[] parts = column.split("[=#]", 2);
            boolean count = column.charAt(parts[0].length()) == '#';
            columns.add(new TableColumn(
                    parts[0], count ? "integer" : "string", count ? "count" : "", parts[0], 0, parts[1]));
        }
        columns.add(TableColumn.AGE);
        return new ResourceType(
                new ResourceKey(words[0].substring(0, Math.max(slash, 0)), words[1]),
                words[0].substring(slash + 1),
                words[2].toLowerCase(Locale.ROOT),
                words[2],
                !traits.contains("cluster"),
                traits.contains("status"),
                null,
                traits.contains("generation"),
                !traits.contains("revision"),
                list(words[4]),
                columns,
                null);
    }

    private static List<String> list(String words) {
        return words.equals("-") ? List.of() : List.of(words.split(","));
    }

    /** Serves these versions of a custom kind from now on, the preferred version first; an empty list ends it. */
    synchronized void define(ResourceKey key, List<ResourceType> versions) {
        Map<ResourceKey, List<ResourceType>> next = new LinkedHashMap<>(custom);
        if (versions.isEmpty()) {
            next.remove(key);
        } else {
            next.put(key, List.copyOf(versions));
        }
        custom = Map.copyOf(next);
    }

    /** The type at {@code /apis/group/version/plural}. */
    public Optional<ResourceType> at(String group, String version, String plural) {
        ResourceKey key = new ResourceKey(group, plural);
        return custom.getOrDefault(key, BUILT_IN).stream()
                .filter(type -> type.key().equals(key) && type.version().equals(version))
                .findFirst();
    }

    /** The type of objects with these two fields. */
    public Optional<ResourceType> of(String apiVersion, String kind) {
        return all().stream()
                .filter(type -> type.kind().equals(kind) && type.apiVersion().equals(apiVersion))
                .findFirst();
    }

    /** Any version of a kind; empty if it is not served. */
    public Optional<ResourceType> find(ResourceKey key) {
        return all().stream().filter(type -> type.key().equals(key)).findFirst();
    }

    /** Any version of a kind that must be served. */
    public ResourceType any(ResourceKey key) {
        return find(key).orElseThrow(ApiError::noSuchPath);
    }

    /** Every type. */
    public List<ResourceType> all() {
        List<ResourceType> all = new ArrayList<>(BUILT_IN);
        custom.values().forEach(all::addAll);
        return all;
    }

    /** Versions by group, the preferred first, without the core group. */
    public Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new TreeMap<>();
        for (ResourceType type : all()) {
            List<String> versions = groups.computeIfAbsent(type.group(), _ -> new ArrayList<>());
            if (!versions.contains(type.version())) {
                versions.add(type.version());
            }
        }
        groups.remove("");
        return groups;
    }
}
