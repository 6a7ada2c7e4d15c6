package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One write. It carries all that the writer needs, with the object that was found as its precondition.
 *
 * <p>Changes of a lower stage are over, with success, before those of a higher one begin; those of one stage may go in any order
 * or at once. Each may be the last: the next decision compares with what is found, not with what was planned.
 */
public sealed interface Change {
    int stage();

    Why why();

    /** What it does and to what, for logs. */
    String describe();

    /** A patch of a MachineDeployment's finalizers. */
    sealed interface OfFinalizer extends Change {
        MachineDeployment found();

        /** All finalizers that it is to have, sorted. */
        List<String> finalizers();

        /** The JSON patch. Its tests fail only for another object or other finalizers, whatever else was edited meanwhile. */
        default String patch() {
            JsonWriter json = new JsonWriter(JsonWriter.Form.TEXT).beginArray();
            step(json, "test", "/metadata/uid").field("value", found().uid()).endObject();
            step(json, "test", "/metadata/finalizers").key("value");
            // Where there are none, the API server leaves out the list, and null is the value of what is not there.
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

    /** Before anything else is written, so that nothing is left behind. */
    record AddFinalizer(int stage, Why why, MachineDeployment found) implements OfFinalizer {
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

    /** The last one: the MachineDeployment may go. */
    record RemoveFinalizer(int stage, Why why, MachineDeployment found) implements OfFinalizer {
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
    record CreateToken(int stage, Why why, BootstrapToken token, SecretObject object) implements Change {
        @Override
        public String describe() {
            return "create Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** A later end for a token. Its text stays, so no other object changes. */
    record ExtendToken(int stage, Why why, StoredToken found, Instant expiration, SortedMap<String, String> annotations)
            implements Change {
        /** The merge patch. */
        public String patch() {
            JsonWriter json = new JsonWriter(JsonWriter.Form.TEXT).beginObject();
            SortedMap<String, Sensitive> data = new TreeMap<>();
            data.put(BootstrapToken.EXPIRATION, new Sensitive(BootstrapToken.expirationText(expiration)));
            SecretObject.data(json, data);
            SecretObject.metadata(json, annotations, Marks.LABELS, found.resourceVersion());
            return json.endObject().toString();
        }

        @Override
        public String describe() {
            return "extend Secret kube-system/" + found.name();
        }
    }

    /** A token that nothing needs any more. */
    record DeleteToken(int stage, Why why, StoredToken found) implements Change {
        @Override
        public String describe() {
            return "delete Secret kube-system/" + found.name();
        }
    }

    /** A Secret in {@code cloud-init-settings} that was not there. */
    record CreateSecret(int stage, Why why, SecretRole role, SecretObject object) implements Change {
        @Override
        public String describe() {
            return "create Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** New content in place: at no moment is there neither the old nor the new one. */
    record UpdateSecret(int stage, Why why, SecretRole role, StoredSecret found, SecretObject object)
            implements Change {
        /** The merge patch. */
        public Sensitive patch() {
            return object.patch(found);
        }

        @Override
        public String describe() {
            return "update Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** Annotations alone; the content is right. */
    record StampSecret(int stage, Why why, SecretRole role, StoredSecret found, SortedMap<String, String> annotations)
            implements Change {
        /** The merge patch. */
        public String patch() {
            return SecretObject.metadataPatch(annotations, Marks.LABELS, found.resourceVersion());
        }

        @Override
        public String describe() {
            return "stamp Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** An immutable Secret of the peer, or one of another type: deleted, with its UID as the precondition, and created at once. */
    record ReplaceSecret(int stage, Why why, SecretRole role, StoredSecret found, SecretObject object)
            implements Change {
        @Override
        public String describe() {
            return "replace Secret " + object.namespace() + "/" + object.name();
        }
    }

    /** A Secret that is needed no more; one that is gone already is as good. */
    record DeleteSecret(int stage, Why why, StoredSecret found) implements Change {
        @Override
        public String describe() {
            return "delete Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** An account, role or binding that was not there. */
    record CreateGrant(int stage, Why why, GrantObject object) implements Change {
        @Override
        public String describe() {
            return "create " + object.kind().kind() + " cloud-init-settings/" + object.name();
        }
    }

    /** Set right in place. */
    record UpdateGrant(int stage, Why why, StoredGrant found, GrantObject object) implements Change {
        /** The merge patch. */
        public String patch() {
            return object.patch(found);
        }

        @Override
        public String describe() {
            return "update " + found.describe();
        }
    }

    /** A binding to another role: deleted, with its UID as the precondition, and created at once. */
    record ReplaceGrant(int stage, Why why, StoredGrant found, GrantObject object) implements Change {
        @Override
        public String describe() {
            return "replace " + found.describe();
        }
    }

    /** One that is gone already is as good. */
    record DeleteGrant(int stage, Why why, StoredGrant found) implements Change {
        @Override
        public String describe() {
            return "delete " + found.describe();
        }
    }

    /**
     * A new token of an account, with which machines are to fetch. It changes nothing that is stored; what becomes of it is decided when
     * it is there.
     *
     * @param owner {@link Marks#owner} of the MachineDeployment
     */
    record RequestToken(int stage, Why why, String account, String owner) implements Change {
        /** The object to send to the account. */
        public static String json() {
            return new JsonWriter(JsonWriter.Form.TEXT)
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
     * The next token of a MachineDeployment's own in place of every earlier one in what is published, because nothing can be rendered
     * now. Needs the content as it is stored; a secret that holds none stays as it is.
     */
    record SwapToken(int stage, Why why, SecretRole role, StoredSecret found, FetchToken next) implements Change {
        /** The merge patch; null when none of the values holds a token. */
        public @Nullable Sensitive patch(Map<String, String> values) {
            SortedMap<String, Sensitive> changed = new TreeMap<>();
            values.forEach((key, value) -> {
                String swapped = next.inPlaceOfEarlier(value);
                if (!swapped.equals(value)) {
                    changed.put(key, new Sensitive(swapped));
                }
            });
            if (changed.isEmpty()) {
                return null;
            }
            JsonWriter json = new JsonWriter(JsonWriter.Form.TEXT).beginObject();
            SecretObject.data(json, changed);
            SecretObject.metadata(json, new TreeMap<>(), Marks.LABELS, found.resourceVersion());
            return new Sensitive(json.endObject().toString());
        }

        @Override
        public String describe() {
            return "put the new token into Secret " + found.namespace() + "/" + found.name();
        }
    }

    /** @param ownAnnotations beside those of the rendering */
    record CreateConfig(int stage, Why why, OperatingSystemConfig config, SortedMap<String, String> ownAnnotations)
            implements Change {
        @Override
        public String describe() {
            return "create OperatingSystemConfig " + config.namespace() + "/" + config.name();
        }
    }

    /** Deleted, with its UID as the precondition, and created: the spec of the object is immutable. */
    record ReplaceConfig(
            int stage,
            Why why,
            StoredConfig found,
            OperatingSystemConfig config,
            SortedMap<String, String> ownAnnotations)
            implements Change {
        @Override
        public String describe() {
            return "replace OperatingSystemConfig " + config.namespace() + "/" + config.name();
        }
    }

    /** One that is gone already is as good. */
    record DeleteConfig(int stage, Why why, StoredConfig found) implements Change {
        @Override
        public String describe() {
            return "delete OperatingSystemConfig " + found.namespace() + "/" + found.name();
        }
    }
}
