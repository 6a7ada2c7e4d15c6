package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of one simulated cluster on its objects, as in a real API server. Every method throws {@link ApiError} for what the server
 * would refuse. Thread-safe; each call is atomic.
 */
public final class ObjectOperations {
    private static final String NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    // As on the real server, a PUT creates these if they do not exist.
    private static final Set<String> CREATED_BY_UPDATE =
            Set.of("roles", "rolebindings", "clusterroles", "clusterrolebindings", "leases", "events");
    private static final Set<String> KEPT_NAMESPACES = Set.of("default", "kube-system", "kube-public");
    // Only the server writes these; a client's value is replaced by the stored one.
    private static final List<String> SERVER_FIELDS = List.of(
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generation",
            "managedFields");

    // Here instead of in KindRules, which its implementations initialize.
    private static final KindRules NO_RULES = new KindRules() {};
    private static final Map<String, KindRules> BUILT_IN_RULES = Map.ofEntries(
            Map.entry("Secret", new KindRules.Secrets()),
            Map.entry("ConfigMap", new KindRules.ConfigMaps()),
            Map.entry("Namespace", new KindRules.Namespaces()),
            Map.entry("Event", new KindRules.Events()),
            Map.entry("Lease", new KindRules.Leases()),
            Map.entry("Role", new KindRules.Roles()),
            Map.entry("ClusterRole", new KindRules.Roles()),
            Map.entry("RoleBinding", new KindRules.Bindings()),
            Map.entry("ClusterRoleBinding", new KindRules.Bindings()),
            Map.entry("EndpointSlice", new KindRules.EndpointSlices()),
            Map.entry("CustomResourceDefinition", new DefinitionRules()));

    private final Store store;
    private final ResourceCatalog catalog;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** {@code clock} is the source of every timestamp. */
    public ObjectOperations(Store store, ResourceCatalog catalog, InstantSource clock) {
        this.store = store;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The stored objects, for watches and lookups. */
    public Store store() {
        return store;
    }

    public ResourceCatalog catalog() {
        return catalog;
    }

    /** The cluster's current time as a Kubernetes timestamp. */
    public String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    public InstantSource clock() {
        return clock;
    }

    /** Creates an object; owns and modifies {@code body}. */
    public StoredObject create(ResourceType type, String namespace, ObjectNode body, WriteOptions options) {
        return create(type, namespace, body, null, options);
    }

    private StoredObject create(
            ResourceType type, String namespace, ObjectNode body, @Nullable ObjectNode applied, WriteOptions options) {
        return store.runLocked(() -> {
            ObjectNode metadata = completeMetadata(type, namespace, body);
            String name = JsonTrees.text(metadata, "name");
            requireLivingNamespace(type, namespace, name);
            metadata.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", now());
            metadata.remove(List.of(
                    "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields", "selfLink"));
            if (type.hasGeneration()) {
                metadata.put("generation", 1);
            }
            if (type.status()) {
                body.remove("status");
            }
            normalize(type, null, body);
            // Fields that the server adds from here on have no owner.
            ManagedFields.record(type, JsonTrees.object(), body, applied, options, WriteScope.MAIN, now());
            rulesOf(type).complete(body);
            checkValid(type, name, null, body);
            if (store.get(type.key(), namespace, name) != null) {
                throw ApiError.alreadyExists(type.key(), name);
            }
            return commit(type, body, options);
        });
    }

    public StoredObject get(ResourceType type, String namespace, String name) {
        StoredObject found = store.get(type.key(), namespace, name);
        if (found == null) {
            throw ApiError.notFound(type.key(), name);
        }
        return found;
    }

    /** One page of the selected objects, in key order. */
    public ObjectPage list(ResourceType type, ListParameters query) {
        return store.runLocked(() -> ObjectPage.of(store, type, query));
    }

    /** Lists objects as they were at a revision. */
    public ObjectPage listAt(ResourceType type, ListParameters query, long revision) {
        return store.runLocked(() -> ObjectPage.at(store, type, query, revision));
    }

    /** Replaces an object completely; owns and modifies {@code body}. */
    public StoredObject update(
            ResourceType type, String namespace, String name, WriteScope part, ObjectNode body, WriteOptions options) {
        return store.runLocked(() -> {
            WriteValidator.checkIdentity(type, namespace, name, body);
            StoredObject found = store.get(type.key(), namespace, name);
            if (found == null && part == WriteScope.MAIN && isCreatedByUpdate(type)) {
                JsonTrees.child(body, "metadata").remove("resourceVersion");
                return create(type, namespace, body, options);
            }
            ObjectNode old = get(type, namespace, name).tree();
            boolean unconditional =
                    JsonTrees.text(body, "metadata", "resourceVersion").isEmpty();
            if (unconditional && !type.unconditionalUpdate()) {
                Cause missing = Cause.invalid("metadata.resourceVersion", "0: must be specified for an update");
                throw ApiError.invalid(type.group(), type.plural(), name, List.of(missing));
            }
            return replace(type, old, body, part, null, options);
        });
    }

    /** Whether an update creates an object that does not exist. */
    public static boolean isCreatedByUpdate(ResourceType type) {
        return type.builtIn() && CREATED_BY_UPDATE.contains(type.plural());
    }

    /** Changes an object by a patch, given as a function on a tree without {@code kind} and {@code apiVersion}. */
    public StoredObject patch(
            ResourceType type,
            String namespace,
            String name,
            WriteScope part,
            UnaryOperator<ObjectNode> patch,
            WriteOptions options) {
        return store.runLocked(() -> {
            ObjectNode old = get(type, namespace, name).tree();
            ObjectNode body = patch.apply(old.deepCopy());
            WriteValidator.checkIdentity(type, namespace, name, body);
            return replace(type, old, body, part, null, options);
        });
    }

    /** Creates or changes an object by server-side apply. */
    public StoredObject apply(
            ResourceType type,
            String namespace,
            String name,
            WriteScope part,
            ObjectNode applied,
            WriteOptions options) {
        return store.runLocked(() -> {
            JsonTrees.child(applied, "metadata").put("name", name);
            WriteValidator.checkTyped(type, applied);
            StoredObject found = store.get(type.key(), namespace, name);
            if (found == null && part != WriteScope.MAIN) {
                throw ApiError.notFound(type.key(), name);
            }
            ObjectNode old = found == null ? JsonTrees.object() : found.tree();
            part.removeOutOfScope(type, applied);
            if (found == null) {
                return create(type, namespace, applied.deepCopy(), applied, options);
            }
            WriteValidator.checkIdentity(type, namespace, name, applied);
            return replace(type, old, ManagedFields.merge(type, old, applied, options, part), part, applied, options);
        });
    }

    // {@code applied} has the fields of a server-side apply; null for other writes.
    private StoredObject replace(
            ResourceType type,
            ObjectNode old,
            ObjectNode body,
            WriteScope part,
            @Nullable ObjectNode applied,
            WriteOptions options) {
        String name = JsonTrees.text(old, "metadata", "name");
        ObjectNode before = (ObjectNode) old.path("metadata");
        body.remove(List.of("kind", "apiVersion"));
        WriteValidator.refuseStale(type, before, JsonTrees.child(body, "metadata"));
        part.restoreOutOfScope(type, old, body);
        ObjectNode metadata = JsonTrees.child(body, "metadata");
        metadata.put("name", name);
        if (type.namespaced()) {
            metadata.set("namespace", before.get("namespace"));
        }
        metadata.remove("selfLink");
        for (String field : SERVER_FIELDS) {
            WriteScope.restore(before, metadata, field);
        }
        MetadataRules.checkShape(metadata);
        normalize(type, old, body);
        checkValid(type, name, old, body);
        if (applied != null) {
            ManagedFields.record(type, old, body, applied, options, part, now());
        }
        if (old.equals(body)) {
            return get(type, JsonTrees.text(before, "namespace"), name);
        }
        if (type.hasGeneration() && !contentOf(old).equals(contentOf(body))) {
            metadata.put("generation", before.path("generation").asLong() + 1);
        }
        if (applied == null) {
            ManagedFields.record(type, old, body, null, options, part, now());
        }
        if (metadata.has("deletionTimestamp") && isDeletable(type, body)) {
            return options.dryRun() ? StoredObject.of(body, store.revision()) : expunge(type, body);
        }
        return commit(type, body, options);
    }

    /** Deletes an object, or marks it if it has finalizers. Returns the object's last state and whether it was deleted. */
    public Deletion delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        return store.runLocked(() -> {
            StoredObject found = get(type, namespace, name);
            if (type.key().equals(ResourceCatalog.NAMESPACES) && KEPT_NAMESPACES.contains(name)) {
                throw ApiError.forbidden(type.key(), name, "this namespace may not be deleted");
            }
            WriteValidator.checkPrecondition(
                    type, name, "UID", options.uid(), found.uid(), "deleted and then recreated");
            WriteValidator.checkPrecondition(
                    type,
                    name,
                    "ResourceVersion",
                    options.resourceVersion(),
                    Long.toString(found.revision()),
                    "modified");
            ObjectNode tree = found.tree();
            ObjectNode metadata = JsonTrees.child(tree, "metadata");
            if (isDeletable(type, tree)) {
                return new Deletion(options.dryRun() ? found : expunge(type, tree), true);
            }
            if (metadata.has("deletionTimestamp") || options.dryRun()) {
                return new Deletion(found, false);
            }
            metadata.put("deletionTimestamp", now()).put("deletionGracePeriodSeconds", 0);
            if (type.hasGeneration()) {
                metadata.put("generation", metadata.path("generation").asLong() + 1);
            }
            if (type.key().equals(ResourceCatalog.NAMESPACES)) {
                JsonTrees.child(tree, "status").put("phase", "Terminating");
            }
            return new Deletion(store.put(type.key(), tree), false);
        });
    }

    /** The last state of a deleted object; {@code removed} is false if finalizers hold it. */
    public record Deletion(StoredObject last, boolean removed) {}

    /** Deletes the selected objects and returns their last states. */
    public ObjectPage deleteAll(ResourceType type, ListParameters query, DeleteOptions options) {
        return store.runLocked(() -> {
            ObjectPage selected = list(type, query);
            List<StoredObject> last = new ArrayList<>();
            for (StoredObject each : selected.items()) {
                last.add(delete(type, each.namespace(), each.name(), options).last());
            }
            return new ObjectPage(last, store.revision(), selected.next(), selected.remaining());
        });
    }

    private ObjectNode completeMetadata(ResourceType type, String namespace, ObjectNode body) {
        WriteValidator.checkBody(type, body);
        body.remove(List.of("kind", "apiVersion"));
        ObjectNode metadata = JsonTrees.child(body, "metadata");
        MetadataRules.checkShape(metadata);
        if (!JsonTrees.text(metadata, "resourceVersion").isEmpty()) {
            throw ApiError.unclassified("resourceVersion should not be set on objects to be created");
        }
        WriteValidator.checkNamespace(type, namespace, metadata);
        String name = JsonTrees.text(metadata, "name");
        String prefix = JsonTrees.text(metadata, "generateName");
        if (name.isEmpty() && prefix.isEmpty()) {
            throw ApiError.invalid(
                    type.group(),
                    type.kind(),
                    "",
                    List.of(new Cause(
                            "metadata.name",
                            "FieldValueRequired",
                            "Required value: name or generateName is required")));
        }
        if (name.isEmpty()) {
            StringBuilder generated = new StringBuilder(prefix.length() > 58 ? prefix.substring(0, 58) : prefix);
            for (int i = 0; i < 5; i++) {
                generated.append(NAME_ALPHABET.charAt(random.nextInt(NAME_ALPHABET.length())));
            }
            metadata.put("name", generated.toString());
        }
        return metadata;
    }

    private static KindRules rulesOf(ResourceType type) {
        CustomResourceSchema schema = type.schema();
        return schema == null
                ? BUILT_IN_RULES.getOrDefault(type.kind(), NO_RULES)
                : new KindRules.CustomResources(schema);
    }

    /** Converts to the stored form. As in the real server's types, most empty fields are absent. */
    private static void normalize(ResourceType type, @Nullable ObjectNode old, ObjectNode body) {
        KindRules rules = rulesOf(type);
        rules.prepare(old, body);
        JsonTrees.child(body, "metadata").removeIf(JsonTrees::isEmpty);
        if (type.builtIn()) {
            body.removeIf(JsonTrees::isEmpty);
            JsonTrees.child(body, "metadata");
        }
        rules.addAlwaysShownFields(body);
    }

    private static void checkValid(ResourceType type, String name, @Nullable ObjectNode old, ObjectNode body) {
        List<Cause> causes = MetadataRules.check(type, old, body);
        causes.addAll(rulesOf(type).check(old, body));
        if (!causes.isEmpty()) {
            throw ApiError.invalid(type.group(), type.kind(), name, causes);
        }
    }

    private void requireLivingNamespace(ResourceType type, String namespace, String name) {
        if (!type.namespaced()) {
            return;
        }
        StoredObject found = store.get(ResourceCatalog.NAMESPACES, "", namespace);
        if (found == null) {
            throw ApiError.notFound(ResourceCatalog.NAMESPACES, namespace);
        }
        if (found.tree().path("metadata").has("deletionTimestamp")) {
            throw ApiError.forbidden(
                    type.key(),
                    name,
                    "unable to create new content in namespace %s because it is being terminated".formatted(namespace));
        }
    }

    private static ObjectNode contentOf(ObjectNode tree) {
        ObjectNode content = JsonTrees.object();
        content.setAll(tree);
        content.remove(List.of("metadata", "status"));
        return content;
    }

    private static boolean isDeletable(ResourceType type, ObjectNode tree) {
        boolean held = !JsonTrees.at(tree, "metadata", "finalizers").isEmpty();
        // A namespace is deleted after its content, a definition after its objects.
        boolean heldBySpec = type.key().equals(ResourceCatalog.NAMESPACES)
                && !JsonTrees.at(tree, "spec", "finalizers").isEmpty();
        return !held && !heldBySpec;
    }

    private StoredObject expunge(ResourceType type, ObjectNode tree) {
        if (type.key().equals(ResourceCatalog.DEFINITIONS)) {
            ResourceKey defined = DefinitionRules.key(tree);
            for (StoredObject each : store.all(defined)) {
                store.remove(defined, each.tree());
            }
            catalog.define(defined, List.of());
        }
        return store.remove(type.key(), tree);
    }

    private StoredObject commit(ResourceType type, ObjectNode body, WriteOptions options) {
        if (options.dryRun()) {
            return StoredObject.of(body, store.revision());
        }
        if (type.key().equals(ResourceCatalog.DEFINITIONS)) {
            DefinitionRules.establish(body, now());
            DefinitionRules.serve(body, catalog);
        }
        return store.put(type.key(), body);
    }

    /** Preconditions of a deletion, each empty if absent. There is no propagation policy: dependents are always deleted in the background. */
    public record DeleteOptions(String uid, String resourceVersion, boolean dryRun) {
        public static final DeleteOptions NONE = new DeleteOptions("", "", false);

        /** Parses the body of a DELETE request. */
        public static DeleteOptions of(JsonNode body, boolean dryRun) {
            return new DeleteOptions(
                    JsonTrees.text(body, "preconditions", "uid"),
                    JsonTrees.text(body, "preconditions", "resourceVersion"),
                    dryRun || !body.path("dryRun").isEmpty());
        }
    }

    /** {@code manager} is recorded in managedFields; {@code force} lets a server-side apply take fields from others. */
    public record WriteOptions(String manager, boolean dryRun, boolean force) {
        public static WriteOptions by(String manager) {
            return new WriteOptions(manager, false, false);
        }
    }
}
