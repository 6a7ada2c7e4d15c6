package io.osmhub.core.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares trees and says where they differ. */
public final class Trees {
    private Trees() {}

    /** One line for each difference; the order of an object's fields and of {@code required} does not count. */
    public static List<String> differences(JsonNode expected, JsonNode actual) {
        List<String> differences = new ArrayList<>();
        compare(expected, actual, "", true, differences);
        return differences;
    }

    /** One line for each part of {@code wanted} that {@code actual} lacks; additional parts are allowed. */
    public static List<String> missing(JsonNode wanted, JsonNode actual) {
        List<String> differences = new ArrayList<>();
        compare(wanted, actual, "", false, differences);
        return differences;
    }

    private static void compare(
            JsonNode expected, JsonNode actual, String path, boolean both, List<String> differences) {
        if (expected.isObject() && actual.isObject()) {
            Set<String> names = new TreeSet<>();
            expected.fieldNames().forEachRemaining(names::add);
            if (both) {
                actual.fieldNames().forEachRemaining(names::add);
            }
            for (String name : names) {
                compare(expected.path(name), actual.path(name), path + "." + name, both, differences);
            }
        } else if (expected.isArray() && actual.isArray() && isSet(path)) {
            Set<String> wanted = new TreeSet<>();
            Set<String> found = new TreeSet<>();
            expected.forEach(item -> wanted.add(item.asText()));
            actual.forEach(item -> found.add(item.asText()));
            // An enum may be widened; what is required may not grow, or stored objects would become invalid.
            boolean maySurpass = !both && path.endsWith(".enum");
            if (maySurpass ? !found.containsAll(wanted) : !wanted.equals(found)) {
                differences.add(path + ": expected " + wanted + ", found " + found);
            }
        } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                compare(expected.get(i), actual.get(i), path + "[" + i + "]", both, differences);
            }
        } else if (!same(expected, actual)) {
            differences.add(path + ": expected " + expected + ", found " + actual);
        }
    }

    /** {@code base} with everything of {@code addition}; lists are merged by position. */
    public static JsonNode merge(JsonNode base, JsonNode addition) {
        if (base.isObject() && addition.isObject()) {
            ObjectNode merged = base.deepCopy();
            addition.properties().forEach(entry -> {
                JsonNode old = merged.get(entry.getKey());
                merged.set(entry.getKey(), old == null ? entry.getValue() : merge(old, entry.getValue()));
            });
            return merged;
        }
        if (base.isArray() && addition.isArray()) {
            ArrayNode merged = ((ArrayNode) base).arrayNode();
            for (int i = 0; i < Math.max(base.size(), addition.size()); i++) {
                boolean both = (i < base.size()) && (i < addition.size());
                merged.add(both ? merge(base.get(i), addition.get(i)) : (i < base.size() ? base : addition).get(i));
            }
            return merged;
        }
        return addition;
    }

    private static boolean isSet(String path) {
        return path.endsWith(".required") || path.endsWith(".enum");
    }

    private static boolean same(JsonNode a, JsonNode b) {
        return (a.isIntegralNumber() && b.isIntegralNumber()) ? a.longValue() == b.longValue() : a.equals(b);
    }
}
