package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.sim.json.JsonTrees;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of JSONPath that printer columns use: {@code .a.b}, {@code ['a']}, {@code [0]}, {@code [?(@.type=="Ready")]}. */
final class ColumnPath {
    private static final Pattern STEP = Pattern.compile(
            "\\.((?:[^.\\[\\\\]|\\\\.)+)|\\['([^']*)'\\]|\\[\"([^\"]*)\"\\]|\\[(\\d+)\\]|\\[\\?\\(@\\.([^=!<> ]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)\\]|\\[\\*\\]");

    private ColumnPath() {}

    /** What is found at a path; a missing node when nothing is, or when the path is not understood. */
    static JsonNode find(JsonNode tree, String path) {
        Matcher step = STEP.matcher(path);
        JsonNode node = tree;
        int at = 0;
        while (at < path.length()) {
            if (!step.find(at) || step.start() != at) {
                return MissingNode.getInstance();
            }
            node = follow(node, step);
            at = step.end();
        }
        return node;
    }

    private static JsonNode follow(JsonNode node, Matcher step) {
        if (step.group(1) != null) {
            return node.path(step.group(1).replace("\\", ""));
        }
        if (step.group(2) != null || step.group(3) != null) {
            return node.path(step.group(2) != null ? step.group(2) : step.group(3));
        }
        if (step.group(4) != null) {
            return node.path(Integer.parseInt(step.group(4)));
        }
        if (step.group(5) == null) {
            return node.path(0);
        }
        for (JsonNode element : node) {
            if (JsonTrees.text(element, step.group(5).split("\\.")).equals(step.group(6))) {
                return element;
            }
        }
        return MissingNode.getInstance();
    }
}
