package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Strategic merge patch for built-in kinds: a merge patch whose lists may be merged by key, with the {@code $} directives. */
public final class StrategicMergePatch {
    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";
    private static final String RETAIN = "$retainKeys";

    private final ListMergeKeys lists;

    private StrategicMergePatch(ListMergeKeys lists) {
        this.lists = lists;
    }

    /** The patched object; neither argument is changed. */
    public static ObjectNode apply(ObjectNode target, ObjectNode patch, ListMergeKeys lists) {
        return new StrategicMergePatch(lists).merge(target.deepCopy(), patch, "");
    }

    private ObjectNode merge(ObjectNode target, ObjectNode patch, String path) {
        switch (JsonTrees.text(patch, DIRECTIVE)) {
            case "replace" -> {
                ObjectNode whole = patch.deepCopy();
                whole.remove(DIRECTIVE);
                return whole;
            }
            case "delete" -> {
                return JsonTrees.object();
            }
            case "", "merge" -> {}
            default -> throw ApiError.badRequest("unknown patch directive: " + JsonTrees.text(patch, DIRECTIVE));
        }
        if (patch.has(RETAIN)) {
            target.retain((Collection<String>) JsonTrees.texts(patch.get(RETAIN)));
        }
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            mergeField(target, field.getKey(), field.getValue(), path);
        }
        return target;
    }

    private void mergeField(ObjectNode target, String name, JsonNode value, String path) {
        if (name.startsWith(DELETE_FROM)) {
            String list = name.substring(DELETE_FROM.length());
            if (target.get(list) instanceof ArrayNode array) {
                List<String> gone = JsonTrees.texts(value);
                target.set(
                        list,
                        JsonTrees.arrayOf(JsonTrees.texts(array).stream()
                                .filter(each -> !gone.contains(each))
                                .toList()));
            }
        } else if (name.startsWith(ORDER) || name.equals(RETAIN) || name.equals(DIRECTIVE)) {
            // Other fields decide the content of the list; its order matters only to readers.
            return;
        } else if (value.isNull()) {
            target.remove(name);
        } else if (value instanceof ObjectNode object) {
            ObjectNode into = target.get(name) instanceof ObjectNode existing ? existing : JsonTrees.object();
            target.set(name, merge(into, object, join(path, name)));
        } else if (value instanceof ArrayNode array) {
            target.set(name, mergeList(target.path(name), array, join(path, name)));
        } else {
            target.set(name, value);
        }
    }

    private ArrayNode mergeList(JsonNode target, ArrayNode patch, String path) {
        List<String> keys = lists.keys(path);
        if (lists.isSet(path)) {
            List<String> all = new ArrayList<>(JsonTrees.texts(target));
            JsonTrees.texts(patch).stream().filter(each -> !all.contains(each)).forEach(all::add);
            return JsonTrees.arrayOf(all);
        }
        if (keys.isEmpty()) {
            return patch.deepCopy();
        }
        ArrayNode result = target instanceof ArrayNode array ? array.deepCopy() : JsonTrees.array();
        for (JsonNode element : patch) {
            mergeElement(result, (ObjectNode) element, keys, path);
        }
        return result;
    }

    private void mergeElement(ArrayNode list, ObjectNode element, List<String> keys, String path) {
        String directive = JsonTrees.text(element, DIRECTIVE);
        boolean complete = keys.stream().allMatch(element::has);
        if (directive.equals("replace") && !complete) {
            list.removeAll();
            return;
        }
        if (!complete) {
            throw ApiError.badRequest("map: %s does not contain declared merge key: %s".formatted(path, keys));
        }
        for (int i = 0; i < list.size(); i++) {
            JsonNode known = list.get(i);
            if (keys.stream().allMatch(key -> known.path(key).equals(element.get(key)))) {
                if (directive.equals("delete")) {
                    list.remove(i);
                } else {
                    list.set(i, merge((ObjectNode) list.get(i), element, path));
                }
                return;
            }
        }
        if (!directive.equals("delete")) {
            list.add(merge(JsonTrees.object(), element, path));
        }
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
