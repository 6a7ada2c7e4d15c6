package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import io.osmhub.sim.objects.ObjectOperations.WriteOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Field ownership: {@code metadata.managedFields}, and server-side apply. */
final class ManagedFields {
    private static final String APPLY = "Apply";

    private static final Comparator<JsonNode> ORDER = Comparator.<JsonNode, String>comparing(
                    entry -> JsonTrees.text(entry, "operation"))
            .thenComparing(entry -> JsonTrees.text(entry, "time"))
            .thenComparing(entry -> JsonTrees.text(entry, "manager"));

    private ManagedFields() {}

    /** Records a write; {@code applied} has the fields of a server-side apply, null for other writes. */
    static void record(
            ResourceType type,
            ObjectNode old,
            ObjectNode written,
            @Nullable ObjectNode applied,
            WriteOptions options,
            WriteScope part,
            String now) {
        if (applied == null) {
            recordUpdate(type, old, written, options.manager(), part, now);
        } else {
            recordApply(type, old, written, applied, options, part, now);
        }
    }

    /** The manager of an update owns the changed fields; removed fields have no owner. */
    private static void recordUpdate(
            ResourceType type, ObjectNode old, ObjectNode written, String manager, WriteScope part, String now) {
        if (old.has("metadata") && !old.path("metadata").has("managedFields")) {
            // Fields without an initial owner are not tracked before the first apply.
            return;
        }
        ListMergeKeys lists = type.lists();
        ObjectNode changed = FieldSet.changed(old, written, lists);
        ObjectNode present = FieldSet.of(written, lists);
        ArrayNode kept = JsonTrees.array();
        ObjectNode own = null;
        for (JsonNode each : JsonTrees.at(written, "metadata", "managedFields")) {
            ObjectNode entry = each.deepCopy();
            if (is(entry, manager, "Update", part)) {
                own = entry;
            } else {
                ObjectNode rest = FieldSet.common(FieldSet.minus(fields(entry), changed), present);
                keep(kept, entry, rest);
            }
        }
        ObjectNode before = own == null ? JsonTrees.object() : fields(own);
        ObjectNode mine = FieldSet.common(FieldSet.union(before, changed), present);
        if (own == null) {
            own = entry(type, manager, "Update", part);
        }
        if (!changed.isEmpty()) {
            own.put("time", now);
        }
        keep(kept, own, mine);
        store(written, kept);
    }

    /** The manager of an apply owns exactly its fields; with force, others lose the changed ones. */
    private static void recordApply(
            ResourceType type,
            ObjectNode old,
            ObjectNode written,
            ObjectNode applied,
            WriteOptions options,
            WriteScope part,
            String now) {
        ListMergeKeys lists = type.lists();
        ObjectNode named = FieldSet.of(applied, lists);
        ObjectNode taken = FieldSet.common(FieldSet.changed(old, written, lists), named);
        ObjectNode present = FieldSet.of(written, lists);
        ArrayNode kept = JsonTrees.array();
        if (old.has("metadata") && !old.path("metadata").has("managedFields")) {
            ObjectNode unknown =
                    entry(type, "before-first-apply", "Update", part).put("time", now);
            keep(kept, unknown, FieldSet.common(FieldSet.minus(FieldSet.of(old, lists), taken), present));
        }
        ObjectNode own = entry(type, options.manager(), APPLY, part).put("time", now);
        for (JsonNode each : JsonTrees.at(written, "metadata", "managedFields")) {
            ObjectNode entry = each.deepCopy();
            if (is(entry, options.manager(), APPLY, part)) {
                if (fields(entry).equals(named)) {
                    own = entry;
                }
            } else {
                keep(kept, entry, FieldSet.common(FieldSet.minus(fields(entry), taken), present));
            }
        }
        keep(kept, own, named);
        store(written, kept);
    }

    private static void store(ObjectNode written, ArrayNode entries) {
        ObjectNode metadata = JsonTrees.child(written, "metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
        } else {
            List<JsonNode> sorted = new ArrayList<>();
            entries.forEach(sorted::add);
            sorted.sort(ORDER);
            metadata.putArray("managedFields").addAll(sorted);
        }
    }

    /** Applies to a live object; throws a conflict if that would take fields from others without force. */
    static ObjectNode merge(
            ResourceType type, ObjectNode live, ObjectNode applied, WriteOptions options, WriteScope part) {
        ListMergeKeys lists = type.lists();
        ObjectNode named = FieldSet.of(applied, lists);
        ObjectNode wanted = FieldSet.changed(live, applied, lists);
        ObjectNode dropped = JsonTrees.object();
        List<Cause> conflicts = new ArrayList<>();
        for (JsonNode entry : JsonTrees.at(live, "metadata", "managedFields")) {
            if (is(entry, options.manager(), APPLY, part)) {
                dropped = FieldSet.minus(fields(entry), named);
            } else {
                conflicts(entry, wanted, conflicts);
            }
        }
        if (!conflicts.isEmpty() && !options.force()) {
            throw ApiError.applyConflict(conflicts);
        }
        for (JsonNode entry : JsonTrees.at(live, "metadata", "managedFields")) {
            if (!is(entry, options.manager(), APPLY, part)) {
                dropped = FieldSet.minus(dropped, fields(entry));
            }
        }
        ObjectNode rest = FieldSet.without(live, dropped, lists);
        return StrategicMergePatch.apply(rest, applied, lists);
    }

    private static void conflicts(JsonNode entry, ObjectNode wanted, List<Cause> conflicts) {
        ObjectNode theirs = FieldSet.common(wanted, fields(entry));
        String how =
                JsonTrees.text(entry, "operation").equals(APPLY) ? "" : " using " + JsonTrees.text(entry, "apiVersion");
        for (String path : FieldSet.paths(theirs)) {
            String message = "conflict with \"%s\"%s".formatted(JsonTrees.text(entry, "manager"), how);
            conflicts.add(new Cause(path, "FieldManagerConflict", message));
        }
    }

    private static ObjectNode entry(ResourceType type, String manager, String operation, WriteScope part) {
        ObjectNode entry = JsonTrees.object();
        entry.put("manager", manager).put("operation", operation).put("apiVersion", type.apiVersion());
        entry.put("fieldsType", "FieldsV1");
        if (part == WriteScope.STATUS) {
            entry.put("subresource", "status");
        }
        return entry;
    }

    private static boolean is(JsonNode entry, String manager, String operation, WriteScope part) {
        return JsonTrees.text(entry, "manager").equals(manager)
                && JsonTrees.text(entry, "operation").equals(operation)
                && JsonTrees.text(entry, "subresource").equals(part == WriteScope.STATUS ? "status" : "");
    }

    private static ObjectNode fields(JsonNode entry) {
        return entry.get("fieldsV1") instanceof ObjectNode fields ? fields : JsonTrees.object();
    }

    private static void keep(ArrayNode entries, ObjectNode entry, ObjectNode fields) {
        if (!fields.isEmpty()) {
            entry.set("fieldsV1", fields);
            entries.add(entry);
        }
    }
}
