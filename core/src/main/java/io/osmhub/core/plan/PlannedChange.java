package io.osmhub.core.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.ChangeReason.Cause;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.DesiredObject.DesiredGrant;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason.LinkName;
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

    /** The object of which it changes or deletes an existing version; null if it does neither. */
    default @Nullable StoredObject found() {
        return null;
    }

    /** The object that it writes whole; null if it writes none. */
    default @Nullable DesiredObject object() {
        return null;
    }

    /** Role of the Secret in {@code cloud-init-settings} that it writes; null for other objects and for deletions. */
    default @Nullable SecretRole role() {
        return object() instanceof DesiredSecret secret ? secret.role() : null;
    }

    default boolean createsToken() {
        return object() instanceof DesiredSecret && role() == null;
    }

    /** Whether it replaces the content of a Secret in {@code cloud-init-settings} by other content. */
    default boolean replacesContent() {
        return found() != null && object() instanceof DesiredSecret;
    }

    default ProblemObject target() {
        return switch (this) {
            case SetFinalizer finalizer -> finalizer.machineDeployment().describe();
            case RequestFetchToken request -> GrantKind.ACCOUNT.object(request.account());
            case Create create -> create.object().describe();
            case UpdateSecret update -> update.found().describe();
            case UpdateGrant update -> update.found().describe();
            case Replace replace -> replace.found().describe();
            case Annotate annotate -> annotate.found().describe();
            case Delete delete -> delete.found().describe();
            case ExtendToken extend -> extend.found().describe();
            case ReplaceFetchToken replace -> replace.found().describe();
        };
    }

    /** The action and its object, for logs. */
    default String describe() {
        return switch (this) {
                    case SetFinalizer finalizer ->
                        finalizer.wanted() ? "add the finalizer to " : "remove the finalizer from ";
                    case Create _ -> "create ";
                    case UpdateSecret _, UpdateGrant _ -> "update ";
                    case Replace _ -> "replace ";
                    case Annotate _ -> "stamp ";
                    case Delete _ -> "delete ";
                    case ExtendToken _ -> "extend ";
                    case RequestFetchToken _ -> "request a token of ";
                    case ReplaceFetchToken _ -> "put the new token into ";
                }
                + target();
    }

    /** The link of the chain that stays broken while this change fails. */
    default LinkName link() {
        SecretRole role = role();
        if (role != null) {
            return role.link();
        }
        if (target().cluster() == ProblemObject.Cluster.MANAGEMENT) {
            return LinkName.RENDERED_CONFIG;
        }
        // Nothing is published without the finalizer; of an unneeded Secret, no machine waits for its deletion.
        return this instanceof SetFinalizer || found() instanceof StoredSecret
                ? LinkName.PROVISIONING_SECRET
                : LinkName.BOOTSTRAP_TOKEN;
    }

    /**
     * Adds the finalizer before all other writes, so that nothing is left behind, or removes it after them, which allows the
     * deletion of the MachineDeployment.
     */
    record SetFinalizer(int stage, ChangeReason reason, MachineDeployment machineDeployment, boolean wanted)
            implements PlannedChange {
        /** @param first whether nothing was published before */
        static SetFinalizer add(MachineDeployment machineDeployment, boolean first) {
            ChangeReason why =
                    first ? ChangeReason.FIRST_PUBLICATION : Cause.DRIFT.because("the finalizer was removed");
            return new SetFinalizer(WriteStage.TOKEN, why, machineDeployment, true);
        }

        /** The desired finalizers, sorted if one is added. */
        public List<String> finalizers() {
            List<String> others = machineDeployment.finalizers().stream()
                    .filter(finalizer -> !finalizer.equals(MachineDeployment.FINALIZER))
                    .toList();
            if (!wanted) {
                return others;
            }
            TreeSet<String> all = new TreeSet<>(others);
            all.add(MachineDeployment.FINALIZER);
            return List.copyOf(all);
        }

        /** The JSON patch. Its tests fail only for another object or other finalizers, not for other edits. */
        public String patch() {
            ArrayNode patch = JsonNodeFactory.instance.arrayNode();
            step(patch, "test", "/metadata/uid").put("value", machineDeployment.uid());
            // The API server leaves an empty list out, and a test of a missing value expects null.
            ObjectNode test = step(patch, "test", "/metadata/finalizers");
            if (machineDeployment.finalizers().isEmpty()) {
                test.putNull("value");
            } else {
                machineDeployment.finalizers().forEach(test.putArray("value")::add);
            }
            finalizers().forEach(step(patch, "add", "/metadata/finalizers").putArray("value")::add);
            return patch.toString();
        }

        private static ObjectNode step(ArrayNode patch, String operation, String path) {
            return patch.addObject().put("op", operation).put("path", path);
        }
    }

    record Create(int stage, ChangeReason reason, DesiredObject object) implements PlannedChange {}

    /** Replaces the content in place, so that a reader always finds the old or the new one. */
    record UpdateSecret(int stage, ChangeReason reason, StoredSecret found, DesiredSecret object)
            implements PlannedChange {}

    /** Corrects a grant in place. */
    record UpdateGrant(int stage, ChangeReason reason, StoredGrant found, DesiredGrant object)
            implements PlannedChange {}

    /**
     * Deletes, with the UID as the precondition, and creates at once what cannot be changed in place: an immutable Secret of OSM or
     * one of another type, a binding to another role, an OperatingSystemConfig, whose spec is immutable.
     */
    record Replace(int stage, ChangeReason reason, StoredObject found, DesiredObject object) implements PlannedChange {}

    /**
     * Changes annotations only; the content is up to date.
     *
     * @param role null for an OperatingSystemConfig
     */
    record Annotate(
            int stage,
            ChangeReason reason,
            @Nullable SecretRole role,
            StoredObject found,
            SortedMap<String, String> annotations)
            implements PlannedChange {
        /** The merge patch. */
        public String patch() {
            Map<String, String> labels = role == null ? Map.of() : OwnershipAnnotations.LABELS;
            return DesiredObject.patch(found, annotations, labels).toString();
        }
    }

    /** Deletes an unneeded object; succeeds if it is already deleted. */
    record Delete(int stage, ChangeReason reason, StoredObject found) implements PlannedChange {}

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
            ObjectNode json = DesiredObject.patch(found, annotations, OwnershipAnnotations.LABELS);
            Sensitive end = new Sensitive(BootstrapToken.expirationText(expiration));
            return DesiredObject.putData(json, Map.of(BootstrapToken.EXPIRATION, end))
                    .toString();
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
            return "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":"
                    + FetchToken.LIFE.toSeconds() + "}}";
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
            ObjectNode json = DesiredObject.patch(found, Map.of(), OwnershipAnnotations.LABELS);
            return changed.isEmpty()
                    ? null
                    : new Sensitive(DesiredObject.putData(json, changed).toString());
        }
    }
}
