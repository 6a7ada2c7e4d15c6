package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One write. It carries everything the writer needs, with the found object as its precondition.
 *
 * <p>Changes of a stage start after all changes of lower stages succeeded; those of one stage may run in any order or
 * in parallel. Any of them may be the last: the next decision compares with the objects found, not with the plan.
 */
public sealed interface PlannedChange {
    int stage();

    ChangeReason reason();

    /** The action and its object, for logs. */
    String describe();

    /** A patch of a MachineDeployment's finalizers. */
    sealed interface FinalizerChange extends PlannedChange {
        MachineDeployment found();

        /** The desired finalizers, sorted. */
        List<String> finalizers();

        /** The JSON patch. Its tests fail only for another object or other finalizers, not for other edits. */
        default String patch() {
            JsonWriter json = new JsonWriter().beginArray();
            step(json, "test", "/metadata/uid").field("value", found().uid()).endObject();
            step(json, "test", "/metadata/finalizers").key("value");
            // The API server leaves an empty list out, and a test of a missing value expects null.
            (found().finalizers().isEmpty() ? json.nullValue() : texts(json, found().finalizers())).endObject();
            step(json, "add", "/metadata/finalizers").key("value");
            return texts(json, finalizers()).endObject().endArray().toString();
        }

        private static JsonWriter step(JsonWriter json, String operation, String path) {
            return json.beginObject().field("op", operation).field("path", path);
        }

        private static JsonWriter texts(JsonWriter json, List<String> texts) {
            json.beginArray();
            texts.forEach(json::value);
            return json.endArray();
        }
    }

    /** Precedes all other writes, so that nothing is left behind. */
    record AddFinalizer(int stage, ChangeReason reason, MachineDeployment found) implements FinalizerChange {
        @Override
        public List<String> finalizers() {
            TreeSet<String> all = new TreeSet<>(found.finalizers());
            all.add(MachineDeployment.FINALIZER);
            return List.copyOf(all);
        }

        @Override
        public String describe() {
            return "add the finalizer to " + found.describe();
        }
    }

    /** The last write; allows the deletion of the MachineDeployment. */
    record RemoveFinalizer(int stage, ChangeReason reason, MachineDeployment found) implements FinalizerChange {
        @Override
        public List<String> finalizers() {
            return found.finalizers().stream()
                    .filter(finalizer -> !finalizer.equals(MachineDeployment.FINALIZER))
                    .toList();
        }

        @Override
        public String describe() {
            return "remove the finalizer from " + found.describe();
        }
    }

    /** A bootstrap token in {@code kube-system}. */
    record CreateToken(int stage, ChangeReason reason, BootstrapToken token, DesiredSecret object)
            implements PlannedChange {
        @Override
        public String describe() {
            return "create Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** Postpones a token's expiration. Its text stays, so no other object changes. */
    record ExtendToken(
            int stage,
            ChangeReason reason,
            StoredToken found,
            Instant expiration,
            SortedMap<String, String> annotations)
            implements PlannedChange {
        /** The merge patch. */
        public String patch() {
            JsonWriter json = new JsonWriter().beginObject();
            SortedMap<String, Sensitive> data = new TreeMap<>();
            data.put(BootstrapToken.EXPIRATION, new Sensitive(BootstrapToken.expirationText(expiration)));
            DesiredSecret.data(json, data);
            DesiredSecret.metadata(json, annotations, OwnershipAnnotations.LABELS, found.resourceVersion());
            return json.endObject().toString();
        }

        @Override
        public String describe() {
            return "extend Secret kube-system/" + found.name();
        }
    }

    /** Deletes an unneeded token. */
    record DeleteToken(int stage, ChangeReason reason, StoredToken found) implements PlannedChange {
        @Override
        public String describe() {
            return "delete Secret kube-system/" + found.name();
        }
    }

    /** Creates a Secret in {@code cloud-init-settings}. */
    record CreateSecret(int stage, ChangeReason reason, SecretRole role, DesiredSecret object)
            implements PlannedChange {
        @Override
        public String describe() {
            return "create Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** Replaces the content in place, so that a reader always finds the old or the new one. */
    record UpdateSecret(int stage, ChangeReason reason, SecretRole role, StoredSecret found, DesiredSecret object)
            implements PlannedChange {
        /** The merge patch. */
        public Sensitive patch() {
            return object.patch(found);
        }

        @Override
        public String describe() {
            return "update Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** Changes annotations only; the content is up to date. */
    record AnnotateSecret(
            int stage, ChangeReason reason, SecretRole role, StoredSecret found, SortedMap<String, String> annotations)
            implements PlannedChange {
        /** The merge patch. */
        public String patch() {
            return DesiredSecret.metadataPatch(annotations, OwnershipAnnotations.LABELS, found.resourceVersion());
        }

        @Override
        public String describe() {
            return "stamp Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** For an immutable Secret of OSM or one of another type: deleted, with its UID as the precondition, and created at once. */
    record ReplaceSecret(int stage, ChangeReason reason, SecretRole role, StoredSecret found, DesiredSecret object)
            implements PlannedChange {
        @Override
        public String describe() {
            return "replace Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** Deletes an unneeded Secret; succeeds if it is already deleted. */
    record DeleteSecret(int stage, ChangeReason reason, StoredSecret found) implements PlannedChange {
        @Override
        public String describe() {
            return "delete Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** Creates a ServiceAccount, Role or RoleBinding. */
    record CreateGrant(int stage, ChangeReason reason, DesiredGrant object) implements PlannedChange {
        @Override
        public String describe() {
            return "create " + object.kind().kind() + " cloud-init-settings/" + object.name();
        }
    }

    /** Corrects a grant in place. */
    record UpdateGrant(int stage, ChangeReason reason, StoredGrant found, DesiredGrant object)
            implements PlannedChange {
        /** The merge patch. */
        public String patch() {
            return object.patch(found);
        }

        @Override
        public String describe() {
            return "update " + found.describe();
        }
    }

    /** For a binding to another role: deleted, with its UID as the precondition, and created at once. */
    record ReplaceGrant(int stage, ChangeReason reason, StoredGrant found, DesiredGrant object)
            implements PlannedChange {
        @Override
        public String describe() {
            return "replace " + found.describe();
        }
    }

    /** Succeeds if it is already deleted. */
    record DeleteGrant(int stage, ChangeReason reason, StoredGrant found) implements PlannedChange {
        @Override
        public String describe() {
            return "delete " + found.describe();
        }
    }

    /**
     * Requests a fetch token of an account. It changes no stored object; the use of the token is decided after the response.
     *
     * @param owner {@link OwnershipAnnotations#owner} of the MachineDeployment
     */
    record RequestFetchToken(int stage, ChangeReason reason, String account, String owner) implements PlannedChange {
        /** The body of the TokenRequest. */
        public static String json() {
            return new JsonWriter()
                            .beginObject()
                            .field("apiVersion", "authentication.k8s.io/v1")
                            .field("kind", "TokenRequest")
                    + ",\"spec\":{\"expirationSeconds\":" + FetchToken.LIFE.toSeconds() + "}}";
        }

        @Override
        public String describe() {
            return "request a token of ServiceAccount cloud-init-settings/" + account;
        }
    }

    /**
     * Replaces every earlier fetch token of a MachineDeployment in published content by the next one, because nothing
     * can be rendered now. Needs the content as stored; a secret that holds no token stays the same.
     */
    record ReplaceFetchToken(int stage, ChangeReason reason, SecretRole role, StoredSecret found, FetchToken next)
            implements PlannedChange {
        /** The merge patch; null if no value holds a token. */
        public @Nullable Sensitive patch(Map<String, String> values) {
            SortedMap<String, Sensitive> changed = new TreeMap<>();
            values.forEach((key, value) -> {
                String swapped = next.replaceEarlierToken(value);
                if (!swapped.equals(value)) {
                    changed.put(key, new Sensitive(swapped));
                }
            });
            if (changed.isEmpty()) {
                return null;
            }
            JsonWriter json = new JsonWriter().beginObject();
            DesiredSecret.data(json, changed);
            DesiredSecret.metadata(json, new TreeMap<>(), OwnershipAnnotations.LABELS, found.resourceVersion());
            return new Sensitive(json.endObject().toString());
        }

        @Override
        public String describe() {
            return "put the new token into Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** @param ownAnnotations in addition to those of the rendering */
    record CreateConfig(
            int stage, ChangeReason reason, OperatingSystemConfig config, SortedMap<String, String> ownAnnotations)
            implements PlannedChange {
        @Override
        public String describe() {
            return "create OperatingSystemConfig " + config.namespace() + "/" + config.name();
        }
    }

    /** For a config with the right content. */
    record AnnotateConfig(int stage, ChangeReason reason, StoredConfig found, SortedMap<String, String> annotations)
            implements PlannedChange {
        /** The merge patch. */
        public String patch() {
            return DesiredSecret.metadataPatch(annotations, new TreeMap<>(), found.resourceVersion());
        }

        @Override
        public String describe() {
            return "stamp OperatingSystemConfig " + found.namespace() + "/" + found.name();
        }
    }

    /** Deleted, with its UID as the precondition, and created, because the object's spec is immutable. */
    record ReplaceConfig(
            int stage,
            ChangeReason reason,
            StoredConfig found,
            OperatingSystemConfig config,
            SortedMap<String, String> ownAnnotations)
            implements PlannedChange {
        @Override
        public String describe() {
            return "replace OperatingSystemConfig " + config.namespace() + "/" + config.name();
        }
    }

    /** Succeeds if it is already deleted. */
    record DeleteConfig(int stage, ChangeReason reason, StoredConfig found) implements PlannedChange {
        @Override
        public String describe() {
            return "delete OperatingSystemConfig " + found.namespace() + "/" + found.name();
        }
    }
}
