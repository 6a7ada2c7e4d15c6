package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Leftovers of a removed hub in a worker cluster, recognised by annotations, names and finalizer. Running nodes do not need
 * them; new ones do unless operating-system-manager or another hub serves the cluster first.
 */
public final class LeftoverObjects {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String SYSTEM = "kube-system";
    private static final String OWNED = "osmhub.io/machine-deployment";
    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAME = "osm-hub";

    private final KubeApi workerApi;
    private final List<Item> items;

    /** An object to delete, or a MachineDeployment whose finalizer to remove. */
    private record Item(Resource resource, ObjectMetadata head) {
        boolean keepsObject() {
            return resource == Resource.MACHINE_DEPLOYMENTS;
        }

        String describe() {
            String path = head.namespace().isEmpty() ? head.name() : head.namespace() + "/" + head.name();
            return keepsObject() ? "finalizer of machinedeployments " + path : resource.plural() + " " + path;
        }
    }

    private LeftoverObjects(KubeApi workerApi, List<Item> items) {
        this.workerApi = workerApi;
        this.items = items;
    }

    /** Finds the objects without changing them. */
    public static LeftoverObjects find(KubeApi workerApi) throws ApiFailure {
        List<Item> items = new ArrayList<>();
        for (JsonNode object : list(workerApi, Resource.MACHINE_DEPLOYMENTS, "")) {
            ObjectMetadata head = ObjectMetadata.of(object);
            if (head.hasFinalizer(FINALIZER)) {
                items.add(new Item(Resource.MACHINE_DEPLOYMENTS, head));
            }
        }
        for (String namespace : List.of(SETTINGS, SYSTEM)) {
            for (JsonNode object : list(workerApi, Resource.SECRETS, namespace)) {
                ObjectMetadata head = ObjectMetadata.of(object);
                if (head.annotations().containsKey(OWNED)) {
                    items.add(new Item(Resource.SECRETS, head));
                }
            }
        }
        for (Resource grant : List.of(Resource.ROLE_BINDINGS, Resource.ROLES, Resource.SERVICE_ACCOUNTS)) {
            for (JsonNode object : list(workerApi, grant, SETTINGS)) {
                ObjectMetadata head = ObjectMetadata.of(object);
                if (head.annotations().containsKey(OWNED)) {
                    items.add(new Item(grant, head));
                }
            }
        }
        named(workerApi, items, Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        named(workerApi, items, Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        named(workerApi, items, Resource.CLUSTER_ROLE_BINDINGS, "", "osmhub.io:worker");
        named(workerApi, items, Resource.CLUSTER_ROLES, "", "osmhub.io:worker");
        named(workerApi, items, Resource.CLUSTER_ROLE_BINDINGS, "", "osmhub.io:worker-admission");
        named(workerApi, items, Resource.CLUSTER_ROLES, "", "osmhub.io:worker-admission");
        for (String namespace : List.of(SETTINGS, SYSTEM, "kube-public", "default")) {
            for (String name : List.of(NAME, "osm-hub-renew", "osm-hub-fetch")) {
                named(workerApi, items, Resource.ROLE_BINDINGS, namespace, name);
                named(workerApi, items, Resource.ROLES, namespace, name);
            }
        }
        named(workerApi, items, Resource.SERVICE_ACCOUNTS, SYSTEM, NAME);
        return new LeftoverObjects(workerApi, List.copyOf(items));
    }

    private static void named(KubeApi workerApi, List<Item> items, Resource resource, String namespace, String name)
            throws ApiFailure {
        JsonNode found = WireJson.find(workerApi, resource, namespace, name);
        if (found != null) {
            items.add(new Item(resource, ObjectMetadata.of(found)));
        }
    }

    private static JsonNode list(KubeApi workerApi, Resource resource, String namespace) throws ApiFailure {
        try {
            return WireJson.response(workerApi.send(ApiRequest.list(resource, namespace, Map.of())), "JSON")
                    .path("items");
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return WireJson.object();
            }
            throw e;
        }
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    public int count() {
        return items.size();
    }

    /** One line per object, in order of removal. */
    public List<String> lines() {
        return items.stream().map(Item::describe).toList();
    }

    /** Removes all objects; ignores those already deleted. */
    public void remove() throws ApiFailure {
        for (Item item : items) {
            try {
                if (item.keepsObject()) {
                    letGo(item.head());
                } else {
                    workerApi.send(ApiRequest.delete(
                            item.resource(),
                            item.head().namespace(),
                            item.head().name(),
                            item.head().uid(),
                            null));
                }
            } catch (ApiFailure e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
    }

    private void letGo(ObjectMetadata head) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", head.uid()).put("resourceVersion", head.resourceVersion());
        ArrayNode finalizers = metadata.putArray("finalizers");
        head.finalizers().stream().filter(one -> !one.equals(FINALIZER)).forEach(finalizers::add);
        workerApi.send(ApiRequest.patch(
                Resource.MACHINE_DEPLOYMENTS,
                head.namespace(),
                head.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch)));
    }
}
