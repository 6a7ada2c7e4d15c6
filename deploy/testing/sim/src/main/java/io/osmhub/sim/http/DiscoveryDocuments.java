package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The discovery documents at {@code /api}, {@code /apis} and below, {@code /version}, and as much of OpenAPI v3 as kubectl needs before
 * it lets the server validate fields: paths with their parameters, without schemas.
 */
record DiscoveryDocuments(ResourceCatalog catalog) {
    private static final String VERSION = "v1.34.1";
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");
    private static final String OPEN_API = "/openapi/v3";

    /** The document at a path; empty if there is none. */
    Optional<ObjectNode> find(String path) {
        String[] parts = path.replaceAll("^/|/$", "").split("/");
        return switch (parts[0] + parts.length) {
            case "version1" -> Optional.of(versionDocument());
            case "api1" -> {
                ObjectNode versions = JsonTrees.object().put("kind", "APIVersions");
                versions.putArray("versions").add("v1");
                versions.putArray("serverAddressByClientCIDRs");
                yield Optional.of(versions);
            }
            case "apis1" -> Optional.of(groups());
            case "api2" -> parts[1].equals("v1") ? resources("", "v1") : Optional.empty();
            case "apis2" -> Optional.ofNullable(allGroups().get(parts[1])).map(versions -> group(parts[1], versions));
            case "apis3" -> resources(parts[1], parts[2]);
            case "openapi2" -> path.equals(OPEN_API) ? Optional.of(openApiIndex()) : Optional.empty();
            default -> path.startsWith(OPEN_API + "/") ? openApi(path.substring(OPEN_API.length())) : Optional.empty();
        };
    }

    private ObjectNode versionDocument() {
        String[] numbers = VERSION.substring(1).split("\\.");
        return JsonTrees.object()
                .put("major", numbers[0])
                .put("minor", numbers[1])
                .put("gitVersion", VERSION)
                .put("gitCommit", "simulated")
                .put("gitTreeState", "clean")
                .put("buildDate", "2026-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "linux/amd64");
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
        for (String version : versions) {
            array.addObject().put("groupVersion", name + "/" + version).put("version", version);
        }
        group.set("preferredVersion", array.get(0).deepCopy());
        return group;
    }

    private Optional<ObjectNode> resources(String group, String version) {
        List<ObjectNode> resources = new ArrayList<>();
        for (ResourceType type : catalog.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                ObjectNode resource = entry(type.plural(), type.singular(), type.kind(), type.namespaced(), VERBS);
                if (!type.shortNames().isEmpty()) {
                    resource.set("shortNames", JsonTrees.arrayOf(type.shortNames()));
                }
                resources.add(resource);
                addSubresources(type, resources);
            }
        }
        if (version.equals("v1")) {
            ReviewHandler.KINDS
                    .getOrDefault(group, Map.of())
                    .forEach((plural, kind) ->
                            resources.add(entry(plural, "", kind, plural.startsWith("local"), List.of("create"))));
        }
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

    private static void addSubresources(ResourceType type, List<ObjectNode> resources) {
        if (type.status()) {
            resources.add(entry(type.plural() + "/status", "", type.kind(), type.namespaced(), STATUS_VERBS));
        }
        if (type.scale() != null) {
            ObjectNode scale = entry(type.plural() + "/scale", "", "Scale", type.namespaced(), STATUS_VERBS);
            resources.add(scale.put("group", "autoscaling").put("version", "v1"));
        }
        if (type.key().equals(ResourceCatalog.NAMESPACES)) {
            resources.add(entry("namespaces/finalize", "", type.kind(), false, List.of("update")));
        }
        if (type.key().equals(ResourceCatalog.SERVICE_ACCOUNTS)) {
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

    private ObjectNode openApiIndex() {
        ObjectNode index = JsonTrees.object();
        ObjectNode paths = index.putObject("paths");
        for (ResourceType type : catalog.all()) {
            paths.putObject(base(type).substring(1)).put("serverRelativeURL", OPEN_API + base(type));
        }
        return index;
    }

    private Optional<ObjectNode> openApi(String base) {
        ObjectNode document = JsonTrees.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "simulated");
        ObjectNode paths = document.putObject("paths");
        for (ResourceType type : catalog.all()) {
            if (base(type).equals(base)) {
                String collection = base + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
                addOperation(paths, collection, "post", type);
                addOperation(paths, collection + "/{name}", "patch", type);
                addOperation(paths, collection + "/{name}", "put", type);
            }
        }
        document.putObject("components").putObject("schemas");
        return paths.isEmpty() ? Optional.empty() : Optional.of(document);
    }

    private static void addOperation(ObjectNode paths, String path, String method, ResourceType type) {
        ObjectNode operation = JsonTrees.child(paths, path).putObject(method);
        for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
            ObjectNode parameter = operation.withArray("parameters").addObject();
            parameter.put("name", name).put("in", "query").putObject("schema").put("type", "string");
        }
        operation.put("x-kubernetes-action", method);
        operation
                .putObject("x-kubernetes-group-version-kind")
                .put("group", type.group())
                .put("version", type.version())
                .put("kind", type.kind());
        operation.putObject("responses");
    }

    private static String base(ResourceType type) {
        return (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
    }
}
