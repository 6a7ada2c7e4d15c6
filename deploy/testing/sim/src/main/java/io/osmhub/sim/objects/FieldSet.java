package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A set of fields of an object in the form of {@code fieldsV1}: {@code f:name} for a field, <code>k:{"name":"x"}</code> for an element of
 * a keyed list, {@code v:"x"} for one of a set; an empty object is a leaf. No method changes its arguments.
 */
public final class FieldSet {
    private static final Set<String> UNOWNED = Set.of("kind", "apiVersion");
    private static final Set<String> UNOWNED_METADATA = Set.of(
            "name",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "selfLink");

    private FieldSet() {}

    public static ObjectNode of(ObjectNode object, ListMergeKeys lists) {
        return changed(JsonTrees.object(), object, lists);
    }

    /** The fields of {@code after} that {@code before} does not have or has with another value. */
    public static ObjectNode changed(ObjectNode before, ObjectNode after, ListMergeKeys lists) {
        ObjectNode fields = JsonTrees.object();
        fieldsChanged(before, after, "", lists, fields);
        return fields;
    }

    private static void fieldsChanged(
            JsonNode before, ObjectNode after, String path, ListMergeKeys lists, ObjectNode fields) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            String name = field.getKey();
            boolean unowned = path.isEmpty()
                    ? UNOWNED.contains(name)
                    : path.equals("metadata") && UNOWNED_METADATA.contains(name);
            if (!unowned) {
                String at = path.isEmpty() ? name : path + "." + name;
                changedAt(before.path(name), field.getValue(), at, lists, below -> fields.set("f:" + name, below));
            }
        }
    }

    private static void changedAt(
            JsonNode before, JsonNode after, String path, ListMergeKeys lists, Consumer<ObjectNode> found) {
        ObjectNode below = JsonTrees.object();
        List<String> keys = after.isArray() ? lists.keys(path) : List.of();
        if (after instanceof ObjectNode object && !object.isEmpty()) {
            fieldsChanged(before, object, path, lists, below);
        } else if (!keys.isEmpty()) {
            for (JsonNode element : after) {
                JsonNode other = withKey(before, element, keys);
                ObjectNode inside = JsonTrees.object();
                fieldsChanged(other, (ObjectNode) element, path, lists, inside);
                if (!inside.isEmpty()) {
                    boolean whole = lists.ownsWholeElements(path);
                    below.set("k:" + key(element, keys), whole ? JsonTrees.object() : inside);
                }
            }
        } else if (after.isArray() && lists.isSet(path)) {
            List<JsonNode> had = new ArrayList<>();
            before.forEach(had::add);
            for (JsonNode element : after) {
                if (!had.contains(element)) {
                    below.set("v:" + element, JsonTrees.object());
                }
            }
        } else {
            boolean bothObjects = after.isObject() && before.isObject();
            if (!bothObjects && !after.equals(before)) {
                found.accept(below);
            }
            return;
        }
        if (!below.isEmpty()) {
            found.accept(below);
        }
    }

    /** The fields in either. */
    public static ObjectNode union(ObjectNode one, ObjectNode other) {
        ObjectNode union = one.deepCopy();
        for (Map.Entry<String, JsonNode> field : other.properties()) {
            ObjectNode theirs = (ObjectNode) field.getValue();
            union.set(
                    field.getKey(),
                    union.get(field.getKey()) instanceof ObjectNode ours ? union(ours, theirs) : theirs.deepCopy());
        }
        return union;
    }

    /** The fields of the first that are not in the second. */
    public static ObjectNode minus(ObjectNode from, ObjectNode taken) {
        ObjectNode rest = JsonTrees.object();
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            ObjectNode own = (ObjectNode) field.getValue();
            if (taken.get(field.getKey()) instanceof ObjectNode other) {
                // A leaf differs from fields below the same name.
                boolean different = own.isEmpty() != other.isEmpty();
                ObjectNode below = different ? own.deepCopy() : minus(own, other);
                if (different || !below.isEmpty()) {
                    rest.set(field.getKey(), below);
                }
            } else {
                rest.set(field.getKey(), own.deepCopy());
            }
        }
        return rest;
    }

    /** The fields in both. */
    public static ObjectNode common(ObjectNode one, ObjectNode other) {
        ObjectNode common = JsonTrees.object();
        for (Map.Entry<String, JsonNode> field : one.properties()) {
            if (other.get(field.getKey()) instanceof ObjectNode theirs) {
                ObjectNode ours = (ObjectNode) field.getValue();
                if (ours.isEmpty() && theirs.isEmpty()) {
                    common.set(field.getKey(), JsonTrees.object());
                } else {
                    ObjectNode below = common(ours, theirs);
                    if (!below.isEmpty()) {
                        common.set(field.getKey(), below);
                    }
                }
            }
        }
        return common;
    }

    /** The leaves in the notation of conflicts: {@code .data.v}, <code>.conditions[type="Ready"].status</code>. */
    public static List<String> paths(ObjectNode fields) {
        List<String> paths = new ArrayList<>();
        collect("", fields, paths);
        return paths;
    }

    private static void collect(String prefix, ObjectNode fields, List<String> paths) {
        for (Map.Entry<String, JsonNode> field : fields.properties()) {
            String own = field.getKey().substring(2);
            String path =
                    switch (field.getKey().charAt(0)) {
                        case 'k' -> prefix + brackets(own);
                        case 'v' -> prefix + "[=" + own + "]";
                        default -> prefix + "." + own;
                    };
            if (field.getValue().isEmpty()) {
                paths.add(path);
            } else {
                collect(path, (ObjectNode) field.getValue(), paths);
            }
        }
    }

    private static String brackets(String key) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : JsonTrees.read(key).properties()) {
            parts.add(each.getKey() + "=" + each.getValue());
        }
        return "[" + String.join(",", parts) + "]";
    }

    /** The object without these fields, and without objects and lists that become empty. */
    public static ObjectNode without(ObjectNode object, ObjectNode fields, ListMergeKeys lists) {
        ObjectNode rest = object.deepCopy();
        remove(rest, fields, "", lists);
        return rest;
    }

    private static void remove(ObjectNode object, ObjectNode fields, String path, ListMergeKeys lists) {
        for (Map.Entry<String, JsonNode> field : fields.properties()) {
            String name = field.getKey().substring(2);
            String at = path.isEmpty() ? name : path + "." + name;
            JsonNode value = object.path(name);
            ObjectNode below = (ObjectNode) field.getValue();
            if (below.isEmpty()) {
                object.remove(name);
            } else if (value instanceof ObjectNode inner) {
                remove(inner, below, at, lists);
                if (inner.isEmpty()) {
                    object.remove(name);
                }
            } else if (value.isArray()) {
                object.set(name, elementsWithout(value, below, at, lists));
                if (object.path(name).isEmpty()) {
                    object.remove(name);
                }
            }
        }
    }

    // The owner of an element owns its key; without the key, only fields of the element are removed.
    private static JsonNode elementsWithout(JsonNode list, ObjectNode fields, String path, ListMergeKeys lists) {
        List<String> keys = lists.keys(path);
        var rest = JsonTrees.array();
        for (JsonNode element : list) {
            String own = keys.isEmpty() ? "v:" + element : "k:" + key(element, keys);
            JsonNode below = fields.path(own);
            boolean keepsKey = !below.isEmpty() && keys.stream().noneMatch(key -> below.has("f:" + key));
            if (keepsKey && below instanceof ObjectNode inner) {
                remove((ObjectNode) element, inner, path, lists);
            }
            if (keepsKey || !fields.has(own)) {
                rest.add(element);
            }
        }
        return rest;
    }

    private static JsonNode withKey(JsonNode list, JsonNode element, List<String> keys) {
        for (JsonNode each : list) {
            if (keys.stream().allMatch(key -> each.path(key).equals(element.path(key)))) {
                return each;
            }
        }
        return JsonTrees.object();
    }

    private static String key(JsonNode element, List<String> keys) {
        ObjectNode key = JsonTrees.object();
        keys.forEach(each -> key.set(each, element.path(each)));
        return key.toString();
    }
}
