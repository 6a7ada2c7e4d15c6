package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.resource.ResourceCatalog;
import io.osmhub.sim.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The discovery documents at {@code /api}, {@code /apis} and below, and {@code /version}. */
final class DiscoveryDocuments {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

    private final ResourceCatalog catalog;
    private final String version;

    /** {@code version} as in {@code v1.34.1}. */
    DiscoveryDocuments(ResourceCatalog catalog, String version) {
        this.catalog = catalog;
        this.version = version;
    }

    /** The document at a path, empty when there is none. */
    Optional<ObjectNode> find(String path) {
        String[] parts = path.replaceAll("^/|/$", "").split("/");
        return switch (parts[0] + parts.length) {
            case "version1" -> Optional.of(version());
            case "api1" -> Optional.of(coreVersions());
            case "apis1" -> Optional.of(groups());
            case "api2" -> parts[1].equals("v1") ? resources("", "v1") : Optional.empty();
            case "apis2" -> Optional.ofNullable(allGroups().get(parts[1])).map(versions -> group(parts[1], versions));
            case "apis3" -> resources(parts[1], parts[2]);
            default -> Optional.empty();
        };
    }

    private ObjectNode version() {
        String[] numbers = version.substring(1).split("\\.");
        return JsonTrees.object()
                .put("major", numbers[0])
                .put("minor", numbers[1])
                .put("gitVersion", version)
                .put("gitCommit", "simulated")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
    }

    private static ObjectNode coreVersions() {
        ObjectNode versions = JsonTrees.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs");
        return versions;
    }

    private Map<String, List<String>> allGroups() {
        Map<String, List<String>> groups = new TreeMap<>(catalog.groups());
        ReviewHandler.KINDS.keySet().forEach(group -> groups.put(group, List.of("v1")));
        return groups;
    }

    private ObjectNode groups() {
        ObjectNode list = JsonTrees.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode array = list.putArray("groups");
        allGroups().forEach((name, versions) -> {
            ObjectNode group = group(name, versions);
            group.remove(List.of("kind", "apiVersion"));
            array.add(group);
        });
        return list;
    }

    private static ObjectNode group(String name, List<String> versions) {
        ObjectNode group = JsonTrees.object()
                .put("kind", "APIGroup")
                .put("apiVersion", "v1")
                .put("name", name);
        ArrayNode array = group.putArray("versions");
        versions.forEach(each -> array.add(groupVersion(name, each)));
        group.set("preferredVersion", groupVersion(name, versions.getFirst()));
        return group;
    }

    private static ObjectNode groupVersion(String group, String version) {
        return JsonTrees.object().put("groupVersion", group + "/" + version).put("version", version);
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<ObjectNode> resources = new ArrayList<>();
        for (ResourceType type : catalog.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                resources.add(resource(type));
                subresources(type, resources);
            }
        }
        Map<String, String> reviews =
                version.equals("v1") ? ReviewHandler.KINDS.getOrDefault(group, Map.of()) : Map.of();
        reviews.forEach((plural, kind) ->
                resources.add(entry(plural, "", kind, plural.startsWith("local"), List.of("create"))));
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = JsonTrees.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        list.putArray("resources").addAll(resources);
        return Optional.of(list);
    }

    private static ObjectNode resource(ResourceType type) {
        ObjectNode resource = entry(type.plural(), type.singular(), type.kind(), type.namespaced(), VERBS);
        if (!type.traits().shortNames().isEmpty()) {
            resource.set("shortNames", JsonTrees.arrayOf(type.traits().shortNames()));
        }
        return resource;
    }

    private static void subresources(ResourceType type, List<ObjectNode> resources) {
        if (type.traits().status()) {
            resources.add(entry(type.plural() + "/status", "", type.kind(), type.namespaced(), STATUS_VERBS));
        }
        if (type.traits().scale() != null) {
            ObjectNode scale = entry(type.plural() + "/scale", "", "Scale", type.namespaced(), STATUS_VERBS);
            resources.add(scale.put("group", "autoscaling").put("version", "v1"));
        }
        if (type.key().equals(BuiltInResources.NAMESPACES)) {
            resources.add(entry("namespaces/finalize", "", type.kind(), false, List.of("update")));
        }
        if (type.key().equals(BuiltInResources.SERVICE_ACCOUNTS)) {
            ObjectNode token = entry("serviceaccounts/token", "", "TokenRequest", true, List.of("create"));
            resources.add(token.put("group", "authentication.k8s.io").put("version", "v1"));
        }
    }

    private static ObjectNode entry(String name, String singular, String kind, boolean namespaced, List<String> verbs) {
        ObjectNode entry = JsonTrees.object()
                .put("name", name)
                .put("singularName", singular)
                .put("namespaced", namespaced)
                .put("kind", kind);
        entry.set("verbs", JsonTrees.arrayOf(verbs));
        return entry;
    }
}
