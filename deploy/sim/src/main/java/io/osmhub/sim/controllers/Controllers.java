package io.osmhub.sim.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.objects.DeleteOptions;
import io.osmhub.sim.objects.Objects;
import io.osmhub.sim.objects.Part;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.resource.BuiltIns;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.StoredObject;
import io.osmhub.sim.store.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The controllers of one cluster. They look at each change after it happened, on another thread, as the real ones do; so what they do
 * is seen a little later, and only what changed since they were started is looked at.
 */
public final class Controllers {
    private static final WriteOptions OPTIONS = WriteOptions.by("kube-controller-manager");
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    private final Objects objects;
    private final ServiceAccountTokens tokens;
    private final String caPem;
    private final Executor executor;

    private Controllers(Objects objects, ServiceAccountTokens tokens, String caPem, Executor executor) {
        this.objects = objects;
        this.tokens = tokens;
        this.caPem = caPem;
        this.executor = executor;
    }

    /** Starts them; {@code executor} must run tasks one after another. */
    public static void start(Objects objects, ServiceAccountTokens tokens, String caPem, Executor executor) {
        Controllers controllers = new Controllers(objects, tokens, caPem, executor);
        objects.store().observe(controllers::see);
    }

    private void see(WatchEvent event) {
        boolean gone = event.type() == WatchEvent.Type.DELETED;
        StoredObject object = event.object();
        if (gone) {
            executor.execute(() -> collectDependents(object.uid()));
            executor.execute(() -> finishNamespace(object.namespace()));
        } else if (!object.owners().isEmpty() && ownersChanged(event)) {
            executor.execute(() -> collectOrphan(event.resource(), object));
        }
        if (event.resource().equals(BuiltIns.NAMESPACES) && !gone) {
            executor.execute(() -> finishNamespace(object.name()));
        }
        boolean secretOrAccount =
                event.resource().equals(BuiltIns.SECRETS) || event.resource().equals(BuiltIns.SERVICE_ACCOUNTS);
        if (secretOrAccount && !gone) {
            executor.execute(() -> fillTokens(event.resource(), object));
        }
    }

    private static boolean ownersChanged(WatchEvent event) {
        StoredObject previous = event.previous();
        return previous == null || !previous.owners().equals(event.object().owners());
    }

    // Dependents go when none of their owners is left.
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
        Optional<ResourceType> type = objects.catalog().any(kind);
        if (!owned && type.isPresent()) {
            delete(type.get(), object, new DeleteOptions(object.uid(), "", false));
        }
    }

    private boolean exists(String uid) {
        return objects.store().kinds().stream().anyMatch(kind -> objects.store().all(kind).stream()
                .anyMatch(each -> each.uid().equals(uid)));
    }

    private void finishNamespace(String name) {
        StoredObject namespace = name.isEmpty() ? null : objects.store().get(BuiltIns.NAMESPACES, "", name);
        if (namespace == null) {
            return;
        }
        ObjectNode tree = namespace.tree();
        if (!tree.path("metadata").has("deletionTimestamp")
                || Json.at(tree, "spec", "finalizers").isEmpty()) {
            return;
        }
        boolean empty = true;
        for (ResourceKey kind : objects.store().kinds()) {
            Optional<ResourceType> type = objects.catalog().any(kind).filter(ResourceType::namespaced);
            if (type.isPresent()) {
                objects.store()
                        .after(kind, name, "")
                        .forEach(each -> delete(type.get(), each, new DeleteOptions(each.uid(), "", false)));
                empty &= objects.store().after(kind, name, "").isEmpty();
            }
        }
        if (empty) {
            ResourceType namespaces = objects.catalog().any(BuiltIns.NAMESPACES).orElseThrow();
            ignoringRaces(() -> objects.patch(
                    namespaces,
                    "",
                    name,
                    Part.FINALIZE,
                    body -> {
                        Json.child(body, "spec").putArray("finalizers");
                        return body;
                    },
                    OPTIONS));
        }
    }

    // A secret may come before its account, so either wakes this up.
    private void fillTokens(ResourceKey kind, StoredObject changed) {
        if (kind.equals(BuiltIns.SECRETS)) {
            fillToken(changed);
        } else {
            objects.store().after(BuiltIns.SECRETS, changed.namespace(), "").forEach(this::fillToken);
        }
    }

    private void fillToken(StoredObject secret) {
        ObjectNode tree = secret.tree();
        if (!Json.text(tree, "type").equals("kubernetes.io/service-account-token")
                || tree.path("data").has("token")) {
            return;
        }
        JsonNode annotations = Json.at(tree, "metadata", "annotations");
        StoredObject account =
                objects.store().get(BuiltIns.SERVICE_ACCOUNTS, secret.namespace(), Json.text(annotations, ACCOUNT));
        if (account == null) {
            return;
        }
        ResourceType secrets = objects.catalog().any(BuiltIns.SECRETS).orElseThrow();
        ignoringRaces(() -> objects.patch(
                secrets,
                secret.namespace(),
                secret.name(),
                Part.MAIN,
                body -> {
                    Json.child(Json.child(body, "metadata"), "annotations")
                            .put("kubernetes.io/service-account.uid", account.uid());
                    Json.child(body, "data")
                            .put("token", base64(tokens.issueForSecret(account, secret.name())))
                            .put("namespace", base64(secret.namespace()))
                            .put("ca.crt", base64(caPem));
                    return body;
                },
                OPTIONS));
    }

    private void delete(ResourceType type, StoredObject object, DeleteOptions options) {
        ignoringRaces(() -> objects.delete(type, object.namespace(), object.name(), options));
    }

    // Somebody else was faster: the change that they made wakes this up again where it matters.
    private static void ignoringRaces(Runnable write) {
        try {
            write.run();
        } catch (ApiError raced) {
            if (!List.of(404, 409).contains(raced.code())) {
                throw raced;
            }
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
