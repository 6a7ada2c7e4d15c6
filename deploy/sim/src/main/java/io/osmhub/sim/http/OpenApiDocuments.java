package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.resource.ResourceCatalog;
import io.osmhub.sim.resource.ResourceType;
import java.util.Optional;

/** As much of OpenAPI v3 as kubectl wants to see before it lets the server judge fields: paths with their parameters, without schemas. */
final class OpenApiDocuments {
    private static final String ROOT = "/openapi/v3";

    private final ResourceCatalog catalog;

    OpenApiDocuments(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    /** The document at a path, empty when there is none. */
    Optional<ObjectNode> find(String path) {
        if (path.equals(ROOT)) {
            ObjectNode index = JsonTrees.object();
            ObjectNode paths = index.putObject("paths");
            for (ResourceType type : catalog.all()) {
                String base = base(type).substring(1);
                paths.putObject(base).put("serverRelativeURL", ROOT + "/" + base);
            }
            return Optional.of(index);
        }
        if (!path.startsWith(ROOT + "/")) {
            return Optional.empty();
        }
        String base = path.substring(ROOT.length());
        ObjectNode document = JsonTrees.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "simulated");
        ObjectNode paths = document.putObject("paths");
        for (ResourceType type : catalog.all()) {
            if (base(type).equals(base)) {
                describe(paths, type);
            }
        }
        document.putObject("components").putObject("schemas");
        return paths.isEmpty() ? Optional.empty() : Optional.of(document);
    }

    private static void describe(ObjectNode paths, ResourceType type) {
        String scope = type.namespaced() ? "/namespaces/{namespace}/" : "/";
        String collection = base(type) + scope + type.plural();
        operation(paths, collection, "post", "post", type);
        operation(paths, collection + "/{name}", "patch", "patch", type);
        operation(paths, collection + "/{name}", "put", "put", type);
    }

    private static void operation(ObjectNode paths, String path, String method, String action, ResourceType type) {
        ObjectNode operation = JsonTrees.child(paths, path).putObject(method);
        for (String name : new String[] {"dryRun", "fieldManager", "fieldValidation"}) {
            ObjectNode parameter = operation.withArray("parameters").addObject();
            parameter.put("name", name).put("in", "query").putObject("schema").put("type", "string");
        }
        operation.put("x-kubernetes-action", action);
        operation
                .putObject("x-kubernetes-group-version-kind")
                .put("group", type.group())
                .put("version", type.version())
                .put("kind", type.kind());
        operation.putObject("responses");
    }

    private static String base(ResourceType type) {
        return type.group().isEmpty() ? "/api/" + type.version() : "/apis/" + type.apiVersion();
    }
}
