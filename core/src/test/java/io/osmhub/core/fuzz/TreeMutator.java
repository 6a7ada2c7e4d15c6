package io.osmhub.core.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Changes an object at random places and keeps it well-formed, so that the rules behind the reader are reached too. */
final class TreeMutator {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper JSON = new ObjectMapper();
    /** As deep as it can be written; what is deeper comes from mutated text. */
    private static final int DEEPEST = 900;

    private TreeMutator() {}

    /** A changed copy. */
    static JsonNode mutate(JsonNode tree, Chance chance) {
        JsonNode copy = tree.deepCopy();
        int changes = 1 + chance.below(3);
        for (int i = 0; i < changes; i++) {
            List<JsonNode> containers = new ArrayList<>();
            collect(copy, containers);
            if (!containers.isEmpty()) {
                change(chance.of(containers), chance);
            }
        }
        return copy;
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode() && !node.isEmpty()) {
            containers.add(node);
        }
        node.forEach(child -> collect(child, containers));
    }

    private static void change(JsonNode container, Chance chance) {
        if (container instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            String name = chance.of(names);
            JsonNode old = object.path(name);
            switch (chance.below(6)) {
                case 0 -> object.remove(name);
                case 1 -> object.set(chance.text(), old);
                case 2 -> object.set(swappedCase(name), old);
                default -> object.set(name, value(old, chance));
            }
        } else if (container instanceof ArrayNode array) {
            int index = chance.below(array.size());
            switch (chance.below(4)) {
                case 0 -> array.remove(index);
                case 1 -> array.add(array.get(index).deepCopy());
                default -> array.set(index, value(array.get(index), chance));
            }
        }
    }

    private static String swappedCase(String name) {
        char first = name.isEmpty() ? 'x' : name.charAt(0);
        char other = Character.isUpperCase(first) ? Character.toLowerCase(first) : Character.toUpperCase(first);
        return other + name.substring(Math.min(1, name.length()));
    }

    private static JsonNode value(JsonNode old, Chance chance) {
        return switch (chance.below(chance.oneIn(100) ? 10 : 9)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(chance.oneIn(2));
            case 2 -> number(chance);
            case 3 -> NODES.arrayNode().add(old);
            case 4 -> NODES.objectNode().set(chance.text(), old);
            case 5 -> NODES.objectNode();
            case 6 -> NODES.textNode(chance.text());
            case 7 -> NODES.textNode(old.asText() + chance.text());
            case 8 -> NODES.textNode(chance.text() + chance.character() + old.asText());
            default -> deep(chance);
        };
    }

    private static JsonNode number(Chance chance) {
        try {
            return JSON.readTree(chance.number());
        } catch (JsonProcessingException notJson) {
            return NODES.numberNode(-1);
        }
    }

    private static JsonNode deep(Chance chance) {
        JsonNode node = NODES.textNode("x");
        int depth = 1 + chance.below(DEEPEST);
        for (int i = 0; i < depth; i++) {
            node = NODES.arrayNode().add(node);
        }
        return node;
    }
}
