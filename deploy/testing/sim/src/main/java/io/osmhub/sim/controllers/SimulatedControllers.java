package io.osmhub.sim.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ObjectOperations.DeleteOptions;
import io.osmhub.sim.objects.ObjectOperations.WriteOptions;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import io.osmhub.sim.objects.WriteScope;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The controllers of one cluster. Like the real ones, they process each change asynchronously on another thread, so their effects
 * are delayed. They process only changes after their start.
 */
public final class SimulatedControllers {
    private static final WriteOptions OPTIONS = WriteOptions.by("kube-controller-manager");
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    private final ObjectOperations objects;
    private final ServiceAccountTokens tokens;
    private final String caPem;
    private final Executor executor;

    private SimulatedControllers(
            ObjectOperations objects, ServiceAccountTokens tokens, String caPem, Executor executor) {
        this.objects = objects;
        this.tokens = tokens;
        this.caPem = caPem;
        this.executor = executor;
    }

    /** Starts them; {@code executor} must run tasks one after another. */
    public static void start(ObjectOperations objects, ServiceAccountTokens tokens, String caPem, Executor executor) {
        SimulatedControllers controllers = new SimulatedControllers(objects, tokens, caPem, executor);
        objects.store().observe(controllers::see);
    }

    private void see(StoreEvent event) {
        boolean gone = event.type() == StoreEvent.Type.DELETED;
        StoredObject object = event.object();
        if (gone) {
            executor.execute(() -> collectDependents(object.uid()));
            executor.execute(() -> finishNamespace(object.namespace()));
        } else if (!object.owners().isEmpty() && ownersChanged(event)) {
            executor.execute(() -> collectOrphan(event.resource(), object));
        }
        if (event.resource().equals(ResourceCatalog.NAMESPACES) && !gone) {
            executor.execute(() -> finishNamespace(object.name()));
        }
        boolean secretOrAccount = event.resource().equals(ResourceCatalog.SECRETS)
                || event.resource().equals(ResourceCatalog.SERVICE_ACCOUNTS);
        if (secretOrAccount && !gone) {
            executor.execute(() -> fillTokens(event.resource(), object));
        }
    }

    private static boolean ownersChanged(StoreEvent event) {
        StoredObject previous = event.previous();
        return previous == null || !previous.owners().equals(event.object().owners());
    }

    // Dependents are deleted with their last owner.
    private void collectDependents(String uid) {
        for (ResourceKey kind : objects.store().kinds()) {
            for (StoredObject each : objects.store().all(kind)) {
                if (each.owners().contains(uid)) {
                    collectOrphan(kind, each);
                }
            }
        }
    }

    private void collectOrphan(ResourceKey kind, StoredObject object) {
        boolean owned = object.owners().stream().anyMatch(this::exists);
        Optional<ResourceType> type = objects.catalog().find(kind);
        if (!owned && type.isPresent()) {
            delete(type.get(), object, new DeleteOptions(object.uid(), "", false));
        }
    }

    private boolean exists(String uid) {
        return objects.store().kinds().stream().anyMatch(kind -> objects.store().all(kind).stream()
                .anyMatch(each -> each.uid().equals(uid)));
    }

    private void finishNamespace(String name) {
        StoredObject namespace = name.isEmpty() ? null : objects.store().get(ResourceCatalog.NAMESPACES, "", name);
        if (namespace == null) {
            return;
        }
        ObjectNode tree = namespace.tree();
        if (!tree.path("metadata").has("deletionTimestamp")
                || JsonTrees.at(tree, "spec", "finalizers").isEmpty()) {
            return;
        }
        boolean empty = true;
        for (ResourceKey kind : objects.store().kinds()) {
            Optional<ResourceType> type = objects.catalog().find(kind).filter(ResourceType::namespaced);
            if (type.isPresent()) {
                objects.store()
                        .listAfter(kind, name, "")
                        .forEach(each -> delete(type.get(), each, new DeleteOptions(each.uid(), "", false)));
                empty &= objects.store().listAfter(kind, name, "").isEmpty();
            }
        }
        if (empty) {
            ResourceType namespaces = objects.catalog().any(ResourceCatalog.NAMESPACES);
            ignoringRaces(() -> objects.patch(
                    namespaces,
                    "",
                    name,
                    WriteScope.FINALIZE,
                    body -> {
                        JsonTrees.child(body, "spec").putArray("finalizers");
                        return body;
                    },
                    OPTIONS));
        }
    }

    // A secret may be created before its account, so both trigger this.
    private void fillTokens(ResourceKey kind, StoredObject changed) {
        if (kind.equals(ResourceCatalog.SECRETS)) {
            fillToken(changed);
        } else {
            objects.store()
                    .listAfter(ResourceCatalog.SECRETS, changed.namespace(), "")
                    .forEach(this::fillToken);
        }
    }

    private void fillToken(StoredObject secret) {
        ObjectNode tree = secret.tree();
        if (!JsonTrees.text(tree, "type").equals("kubernetes.io/service-account-token")
                || tree.path("data").has("token")) {
            return;
        }
        JsonNode annotations = JsonTrees.at(tree, "metadata", "annotations");
        StoredObject account = objects.store()
                .get(ResourceCatalog.SERVICE_ACCOUNTS, secret.namespace(), JsonTrees.text(annotations, ACCOUNT));
        if (account == null) {
            return;
        }
        ResourceType secrets = objects.catalog().any(ResourceCatalog.SECRETS);
        ignoringRaces(() -> objects.patch(
                secrets,
                secret.namespace(),
                secret.name(),
                WriteScope.MAIN,
                body -> {
                    JsonTrees.child(JsonTrees.child(body, "metadata"), "annotations")
                            .put("kubernetes.io/service-account.uid", account.uid());
                    JsonTrees.child(body, "data")
                            .put("token", JsonTrees.base64(tokens.issueForSecret(account, secret.name())))
                            .put("namespace", JsonTrees.base64(secret.namespace()))
                            .put("ca.crt", JsonTrees.base64(caPem));
                    return body;
                },
                OPTIONS));
    }

    private void delete(ResourceType type, StoredObject object, DeleteOptions options) {
        ignoringRaces(() -> objects.delete(type, object.namespace(), object.name(), options));
    }

    // Concurrent change: its event triggers this again if relevant.
    private static void ignoringRaces(Runnable write) {
        try {
            write.run();
        } catch (ApiError raced) {
            if (!List.of(404, 409).contains(raced.code())) {
                throw raced;
            }
        }
    }
}
