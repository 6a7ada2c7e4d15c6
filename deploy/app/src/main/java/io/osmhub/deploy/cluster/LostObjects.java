package io.osmhub.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a hub that is gone left in a worker cluster, recognised by its annotations, names and finalizer. Nodes that run do not need
 * it; new ones do, unless operating-system-manager or another hub takes over before.
 */
public final class LostObjects {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String SYSTEM = "kube-system";
    private static final String OWNED = "osmhub.io/machine-deployment";
    private static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";
    private static final String NAME = "osm-hub";

    private final KubeApi worker;
    private final List<Item> items;

    /** One object to be deleted, or a MachineDeployment to lose its finalizer. */
    private record Item(Resource resource, ObjectHead head) {
        boolean keepsObject() {
            return resource == Resource.MACHINE_DEPLOYMENTS;
        }

        String words() {
            String path = head.namespace().isEmpty() ? head.name() : head.namespace() + "/" + head.name();
            return keepsObject() ? "finalizer of machinedeployments " + path : resource.plural() + " " + path;
        }
    }

    private LostObjects(KubeApi worker, List<Item> items) {
        this.worker = worker;
        this.items = items;
    }

    /** Looks only. */
    public static LostObjects find(KubeApi worker) throws ApiFailure {
        List<Item> items = new ArrayList<>();
        for (JsonNode object : list(worker, Resource.MACHINE_DEPLOYMENTS, "")) {
            ObjectHead head = ObjectHead.of(object);
            if (head.hasFinalizer(FINALIZER)) {
                items.add(new Item(Resource.MACHINE_DEPLOYMENTS, head));
            }
        }
        for (String namespace : List.of(SETTINGS, SYSTEM)) {
            for (JsonNode object : list(worker, Resource.SECRETS, namespace)) {
                ObjectHead head = ObjectHead.of(object);
                if (head.annotations().containsKey(OWNED)) {
                    items.add(new Item(Resource.SECRETS, head));
                }
            }
        }
        for (Resource grant : List.of(Resource.ROLE_BINDINGS, Resource.ROLES, Resource.SERVICE_ACCOUNTS)) {
            for (JsonNode object : list(worker, grant, SETTINGS)) {
                ObjectHead head = ObjectHead.of(object);
                if (head.annotations().containsKey(OWNED)) {
                    items.add(new Item(grant, head));
                }
            }
        }
        named(worker, items, Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        named(worker, items, Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "", NAME);
        named(worker, items, Resource.CLUSTER_ROLE_BINDINGS, "", "osmhub.io:worker");
        named(worker, items, Resource.CLUSTER_ROLES, "", "osmhub.io:worker");
        named(worker, items, Resource.CLUSTER_ROLE_BINDINGS, "", "osmhub.io:worker-admission");
        named(worker, items, Resource.CLUSTER_ROLES, "", "osmhub.io:worker-admission");
        for (String namespace : List.of(SETTINGS, SYSTEM, "kube-public", "default")) {
            for (String name : List.of(NAME, "osm-hub-renew", "osm-hub-fetch")) {
                named(worker, items, Resource.ROLE_BINDINGS, namespace, name);
                named(worker, items, Resource.ROLES, namespace, name);
            }
        }
        named(worker, items, Resource.SERVICE_ACCOUNTS, SYSTEM, NAME);
        return new LostObjects(worker, List.copyOf(items));
    }

    private static void named(KubeApi worker, List<Item> items, Resource resource, String namespace, String name)
            throws ApiFailure {
        try {
            items.add(new Item(resource, ObjectHead.of(tree(worker.send(ApiRequest.get(resource, namespace, name))))));
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static JsonNode list(KubeApi worker, Resource resource, String namespace) throws ApiFailure {
        try {
            return tree(worker.send(ApiRequest.list(resource, namespace, Map.of())))
                    .path("items");
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return WireJson.object();
            }
            throw e;
        }
    }

    private static JsonNode tree(byte[] answer) throws ApiFailure {
        try {
            return WireJson.read(answer);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not JSON");
        }
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    public int count() {
        return items.size();
    }

    /** One line for each, in the order in which they go. */
    public List<String> lines() {
        return items.stream().map(Item::words).toList();
    }

    /** Removes all; those that went meanwhile are passed over. */
    public void remove() throws ApiFailure {
        for (Item item : items) {
            try {
                if (item.keepsObject()) {
                    letGo(item.head());
                } else {
                    worker.send(ApiRequest.delete(
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

    private void letGo(ObjectHead head) throws ApiFailure {
        ObjectNode patch = WireJson.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", head.uid()).put("resourceVersion", head.resourceVersion());
        ArrayNode finalizers = metadata.putArray("finalizers");
        head.finalizers().stream().filter(one -> !one.equals(FINALIZER)).forEach(finalizers::add);
        worker.send(ApiRequest.patch(
                Resource.MACHINE_DEPLOYMENTS,
                head.namespace(),
                head.name(),
                ApiRequest.MERGE_PATCH,
                WireJson.text(patch)));
    }
}
