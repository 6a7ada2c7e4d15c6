package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * kubectl's JSONPath templates (https://kubernetes.io/docs/reference/kubectl/jsonpath/): text with expressions in braces, {@code
 * range} and quoted text. Libraries for JSONPath evaluate only single expressions, of another syntax. A missing field prints nothing.
 */
public final class JsonPathTemplate {
    private final List<Part> parts;

    private JsonPathTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    private sealed interface Part {
        record Text(String text) implements Part {}

        record Path(boolean absolute, List<Step> steps) implements Part {
            List<JsonNode> find(JsonNode root, JsonNode current) throws FleetFailure {
                List<JsonNode> found = List.of(absolute ? root : current);
                for (Step step : steps) {
                    List<JsonNode> next = new ArrayList<>();
                    for (JsonNode node : found) {
                        step.select(root, node, next);
                    }
                    found = next;
                }
                return found;
            }
        }

        record Range(Path over, List<Part> body) implements Part {}
    }

    @FunctionalInterface
    private interface Step {
        void select(JsonNode root, JsonNode node, List<JsonNode> selected) throws FleetFailure;
    }

    public static JsonPathTemplate parse(String template) throws FleetFailure {
        return new JsonPathTemplate(new Parser(template).parts(false));
    }

    /** Parses one expression; braces and the first dot may be omitted. */
    public static JsonPathTemplate parseExpression(String text) throws FleetFailure {
        String path = text.startsWith("{") && text.endsWith("}") ? text.substring(1, text.length() - 1) : text;
        boolean complete = path.startsWith(".") || path.startsWith("[") || path.startsWith("$") || path.startsWith("@");
        // Several expressions in braces are parsed as they are, for the message below.
        boolean asGiven = complete || (text.startsWith("{") && path.contains("{"));
        JsonPathTemplate expression = parse("{" + (asGiven ? path : "." + path) + "}");
        if (expression.parts.size() != 1 || !(expression.parts.getFirst() instanceof Part.Path)) {
            throw FleetFailure.unusable("jsonpath \"" + text
                    + "\": expected one path such as .metadata.name; range and text are for -o jsonpath only");
        }
        return expression;
    }

    public String print(JsonNode root) throws FleetFailure {
        StringBuilder out = new StringBuilder();
        print(parts, root, root, out);
        return out.toString();
    }

    /** The values of an expression. */
    public List<JsonNode> find(JsonNode root) throws FleetFailure {
        return parts.size() == 1 && parts.getFirst() instanceof Part.Path path ? path.find(root, root) : List.of();
    }

    public static String text(JsonNode node) {
        return node.isNull() ? "<nil>" : node.isValueNode() ? node.asText() : node.toString();
    }

    private static void print(List<Part> parts, JsonNode root, JsonNode current, StringBuilder out)
            throws FleetFailure {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> out.append(text);
                case Part.Path path ->
                    out.append(path.find(root, current).stream()
                            .map(JsonPathTemplate::text)
                            .collect(Collectors.joining(" ")));
                case Part.Range(Part.Path over, List<Part> body) -> {
                    for (JsonNode item : over.find(root, current)) {
                        print(body, root, item, out);
                    }
                }
            }
        }
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        private FleetFailure failure(String what) {
            return FleetFailure.unusable("jsonpath \"" + text + "\", character " + (at + 1) + ": " + what);
        }

        private boolean sees(String token) {
            return text.startsWith(token, at);
        }

        private boolean skip(String token) {
            boolean seen = sees(token);
            at += seen ? token.length() : 0;
            return seen;
        }

        private void require(String token) throws FleetFailure {
            if (!skip(token)) {
                throw failure("expected " + token);
            }
        }

        private void skipBlanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String takeWhile(IntPredicate accepted) {
            StringBuilder taken = new StringBuilder();
            while (at < text.length() && (accepted.test(text.charAt(at)) || text.charAt(at) == '\\')) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                taken.append(text.charAt(at++));
            }
            return taken.toString();
        }

        private List<Part> parts(boolean inRange) throws FleetFailure {
            List<Part> parts = new ArrayList<>();
            boolean inBraces = inRange;
            while (true) {
                if (!inBraces) {
                    int brace = text.indexOf('{', at);
                    int end = brace < 0 ? text.length() : brace;
                    if (end > at) {
                        parts.add(new Part.Text(text.substring(at, end)));
                    }
                    at = end;
                    if (brace < 0) {
                        if (inRange) {
                            throw failure("expected {end}");
                        }
                        return parts;
                    }
                    at++;
                    inBraces = true;
                }
                skipBlanks();
                if (skip("}")) {
                    inBraces = false;
                } else if (isWord("end")) {
                    if (!inRange) {
                        throw failure("{end} without {range}");
                    }
                    at += "end".length();
                    return parts;
                } else if (isWord("range")) {
                    at += "range".length();
                    skipBlanks();
                    parts.add(new Part.Range(path(), parts(true)));
                } else if (sees("\"") || sees("'")) {
                    parts.add(new Part.Text(quoted()));
                } else {
                    parts.add(path());
                }
            }
        }

        private boolean isWord(String word) {
            int end = at + word.length();
            return sees(word) && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
        }

        private String quoted() throws FleetFailure {
            char quote = text.charAt(at++);
            StringBuilder value = new StringBuilder();
            while (at < text.length() && text.charAt(at) != quote) {
                char c = text.charAt(at++);
                if (c == '\\' && at < text.length()) {
                    char escaped = text.charAt(at++);
                    value.append(
                            switch (escaped) {
                                case 'n' -> '\n';
                                case 't' -> '\t';
                                case 'r' -> '\r';
                                default -> escaped;
                            });
                } else {
                    value.append(c);
                }
            }
            require(String.valueOf(quote));
            return value.toString();
        }

        private Part.Path path() throws FleetFailure {
            int begin = at;
            boolean absolute = skip("$");
            if (!absolute) {
                skip("@");
            }
            List<Step> steps = new ArrayList<>();
            while (true) {
                if (skip("..")) {
                    String name = name();
                    steps.add((root, node, selected) -> descend(node, name, selected));
                } else if (sees(".[")) {
                    at++;
                } else if (skip(".")) {
                    String name = name();
                    if (!name.isEmpty()) {
                        steps.add((root, node, selected) -> member(node, name, selected));
                    }
                } else if (skip("[")) {
                    steps.add(bracket());
                    require("]");
                } else if (at == begin) {
                    throw failure("expected a path such as .metadata.name, range, end or quoted text");
                } else {
                    return new Part.Path(absolute, List.copyOf(steps));
                }
            }
        }

        private String name() {
            return skip("*") ? "*" : takeWhile(c -> !Character.isWhitespace(c) && ".[]{}()'\"=!<>,".indexOf(c) < 0);
        }

        private Step bracket() throws FleetFailure {
            skipBlanks();
            if (skip("*")) {
                return (root, node, selected) -> member(node, "*", selected);
            }
            if (skip("?(")) {
                Step filter = filter();
                require(")");
                return filter;
            }
            List<Step> union = new ArrayList<>();
            do {
                skipBlanks();
                union.add(sees("'") || sees("\"") ? key(quoted()) : elements());
                skipBlanks();
            } while (skip(","));
            return (root, node, selected) -> {
                for (Step one : union) {
                    one.select(root, node, selected);
                }
            };
        }

        private static Step key(String name) {
            return (root, node, selected) -> {
                if (node.has(name)) {
                    selected.add(node.get(name));
                }
            };
        }

        /** An index or a slice FROM:TO:STEP; negative numbers count from the end. */
        private Step elements() throws FleetFailure {
            @Nullable Integer from = number();
            if (!skip(":")) {
                if (from == null) {
                    throw failure("expected an index, a slice, a quoted name, * or ?(...)");
                }
                int index = from;
                return (root, node, selected) -> {
                    int actual = index < 0 ? node.size() + index : index;
                    if (node.isArray() && (actual < 0 || actual >= node.size())) {
                        throw FleetFailure.unusable("jsonpath \"" + text + "\": array index out of bounds: index "
                                + index + ", length " + node.size());
                    }
                    if (node.isArray()) {
                        selected.add(node.get(actual));
                    }
                };
            }
            @Nullable Integer to = number();
            @Nullable Integer by = skip(":") ? number() : null;
            if (by != null && by < 1) {
                throw failure("expected a positive step");
            }
            return (root, node, selected) -> {
                int first = from == null ? 0 : from < 0 ? node.size() + from : from;
                int last = to == null ? node.size() : to < 0 ? node.size() + to : to;
                for (int i = Math.max(0, first); i < Math.min(last, node.size()); i += by == null ? 1 : by) {
                    selected.add(node.get(i));
                }
            };
        }

        private @Nullable Integer number() throws FleetFailure {
            skipBlanks();
            String digits = (skip("-") ? "-" : "") + takeWhile(Character::isDigit);
            try {
                return digits.isEmpty() ? null : Integer.valueOf(digits);
            } catch (NumberFormatException e) {
                throw failure("expected a number");
            }
        }

        private Step filter() throws FleetFailure {
            Part.Path left = operand();
            skipBlanks();
            String operator = "";
            for (String one : List.of("==", "!=", "<=", ">=", "<", ">")) {
                if (skip(one)) {
                    operator = one;
                    break;
                }
            }
            Part.Path right = operator.isEmpty() ? null : operand();
            skipBlanks();
            String comparison = operator;
            return (root, node, selected) -> {
                for (JsonNode item : node) {
                    List<JsonNode> value = left.find(root, item);
                    if (right == null ? !value.isEmpty() : holds(value, comparison, right.find(root, item))) {
                        selected.add(item);
                    }
                }
            };
        }

        private Part.Path operand() throws FleetFailure {
            skipBlanks();
            if (sees("@") || sees("$") || sees(".")) {
                return path();
            }
            JsonNode literal;
            if (sees("'") || sees("\"")) {
                literal = JsonNodeFactory.instance.textNode(quoted());
            } else {
                String word = takeWhile(c -> !Character.isWhitespace(c) && ")=!<>".indexOf(c) < 0);
                literal = JsonNodeFactory.instance.textNode(word);
            }
            return new Part.Path(false, List.of((root, node, selected) -> selected.add(literal)));
        }

        private static boolean holds(List<JsonNode> left, String operator, List<JsonNode> right) {
            if (left.isEmpty() || right.isEmpty()) {
                return false;
            }
            int order = compare(left.getFirst(), right.getFirst());
            return switch (operator) {
                case "==" -> order == 0;
                case "!=" -> order != 0;
                case "<=" -> order <= 0;
                case ">=" -> order >= 0;
                case "<" -> order < 0;
                default -> order > 0;
            };
        }

        private static void member(JsonNode node, String name, List<JsonNode> selected) {
            if (name.equals("*")) {
                node.forEach(selected::add);
            } else if (node.has(name)) {
                selected.add(node.get(name));
            }
        }

        private static void descend(JsonNode node, String name, List<JsonNode> selected) {
            member(node, name, selected);
            node.forEach(child -> descend(child, name, selected));
        }
    }

    /** Orders missing values first, then numbers by value, then all else as text. */
    public static int compare(JsonNode one, JsonNode other) {
        BigDecimal number = number(one);
        BigDecimal otherNumber = number(other);
        if (number != null && otherNumber != null) {
            return number.compareTo(otherNumber);
        }
        int kinds = Integer.compare(rank(one, number), rank(other, otherNumber));
        return kinds != 0 ? kinds : text(one).compareTo(text(other));
    }

    private static int rank(JsonNode node, @Nullable BigDecimal number) {
        return node.isMissingNode() || node.isNull() ? 0 : number != null ? 1 : 2;
    }

    private static @Nullable BigDecimal number(JsonNode node) {
        try {
            return node.isNumber() || node.isTextual() ? new BigDecimal(node.asText()) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The first value of an expression. */
    public JsonNode first(JsonNode root) throws FleetFailure {
        List<JsonNode> found = find(root);
        return found.isEmpty() ? MissingNode.getInstance() : found.getFirst();
    }
}
