package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Leftovers of a removed hub in a worker cluster, recognised by annotations, names and finalizer. Running nodes do not need
 * them; new ones do unless operating-system-manager or another hub serves the cluster first.
 */
public record LeftoverObjects(ClusterClient worker, List<Item> items) {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String SYSTEM = "kube-system";
    private static final String OWNED = "osmhub.io/machine-deployment";
    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAME = "osm-hub";

    /** An object to delete, or a MachineDeployment whose finalizer to remove. */
    public record Item(Resource resource, ObjectMetadata head) {
        boolean keepsObject() {
            return resource == Resource.MACHINE_DEPLOYMENTS;
        }

        String describe() {
            String path = head.namespace().isEmpty() ? head.name() : head.namespace() + "/" + head.name();
            return keepsObject() ? "finalizer of machinedeployments " + path : resource.plural() + " " + path;
        }
    }

    public LeftoverObjects {
        items = List.copyOf(items);
    }

    /** Finds the objects without changing them. */
    public static LeftoverObjects find(ClusterClient worker) {
        Predicate<ObjectMetadata> owned = head -> head.annotations().containsKey(OWNED);
        List<Item> items = new ArrayList<>();
        add(items, worker, Resource.MACHINE_DEPLOYMENTS, "", head -> head.hasFinalizer(FINALIZER));
        add(items, worker, Resource.SECRETS, SETTINGS, owned);
        add(items, worker, Resource.SECRETS, SYSTEM, owned);
        for (Resource grant : List.of(Resource.ROLE_BINDINGS, Resource.ROLES, Resource.SERVICE_ACCOUNTS)) {
            add(items, worker, grant, SETTINGS, owned);
        }
        addNamed(items, worker, Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        addNamed(items, worker, Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        for (String role : List.of("osmhub.io:worker", "osmhub.io:worker-admission")) {
            addNamed(items, worker, Resource.CLUSTER_ROLE_BINDINGS, "", role);
            addNamed(items, worker, Resource.CLUSTER_ROLES, "", role);
        }
        for (String namespace : List.of(SETTINGS, SYSTEM, "kube-public", "default")) {
            for (String name : List.of(NAME, "osm-hub-renew", "osm-hub-fetch")) {
                addNamed(items, worker, Resource.ROLE_BINDINGS, namespace, name);
                addNamed(items, worker, Resource.ROLES, namespace, name);
            }
        }
        addNamed(items, worker, Resource.SERVICE_ACCOUNTS, SYSTEM, NAME);
        return new LeftoverObjects(worker, items);
    }

    private static void add(
            List<Item> items,
            ClusterClient worker,
            Resource resource,
            String namespace,
            Predicate<ObjectMetadata> filter) {
        worker.list(resource, namespace, Map.of()).stream()
                .map(ObjectMetadata::of)
                .filter(filter)
                .forEach(head -> items.add(new Item(resource, head)));
    }

    private static void addNamed(
            List<Item> items, ClusterClient worker, Resource resource, String namespace, String name) {
        JsonNode found = worker.get(resource, namespace, name);
        if (found != null) {
            items.add(new Item(resource, ObjectMetadata.of(found)));
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
    public void remove() {
        for (Item item : items) {
            ObjectMetadata head = item.head();
            if (!item.keepsObject()) {
                worker.delete(item.resource(), head);
                continue;
            }
            try {
                worker.patch(item.resource(), head.namespace(), head.name(), withoutFinalizer(head));
            } catch (CommandFailure e) {
                if (e.kind() != CommandFailure.CommandFailureKind.NOT_FOUND) {
                    throw e;
                }
            }
        }
    }

    private static ObjectNode withoutFinalizer(ObjectMetadata head) {
        ObjectNode patch = WireJson.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", head.uid()).put("resourceVersion", head.resourceVersion());
        ArrayNode finalizers = metadata.putArray("finalizers");
        head.finalizers().stream().filter(one -> !one.equals(FINALIZER)).forEach(finalizers::add);
        return patch;
    }
}
