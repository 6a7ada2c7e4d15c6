package io.osmhub.core.fuzz;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.ArrayList;
import java.util.List;

/** Writes Go templates that mostly parse: its grammar with all functions, whose arguments mostly have the right type. */
final class GoTemplateWriter {
    private static final int DEEPEST = 5;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> VARIABLES = List.of("$", "$a", "$b", "$i");

    private final FunctionRegistry functions;
    private final List<String> names;
    private final List<String> fields;

    /** @param fields names that data may have */
    GoTemplateWriter(FunctionRegistry functions, List<String> fields) {
        this.functions = functions;
        this.names = functions.names().stream().sorted().toList();
        this.fields = List.copyOf(fields);
    }

    String write(Chance chance) {
        StringBuilder out = new StringBuilder();
        for (String template : NAMES) {
            if (chance.oneIn(2)) {
                out.append("{{define \"").append(template).append("\"}}");
                scope(out, DEEPEST - 2, chance);
                out.append("{{end}}");
            }
        }
        scope(out, 0, chance);
        return out.toString();
    }

    /** A text that knows the variables. */
    private void scope(StringBuilder out, int depth, Chance chance) {
        out.append("{{$a := ").append(chance.number()).append("}}{{$b := .}}{{$i := \"\"}}");
        body(out, depth, false, chance);
    }

    private void body(StringBuilder out, int depth, boolean loop, Chance chance) {
        int parts = 1 + chance.below(depth == 0 ? 4 : 2);
        for (int i = 0; i < parts; i++) {
            if (chance.oneIn(3)) {
                out.append(chance.text().replace("{", "")); // one before a tag would belong to it
            }
            action(out, depth, loop, chance);
        }
    }

    private void action(StringBuilder out, int depth, boolean loop, Chance chance) {
        int choice = chance.below(depth < DEEPEST ? 20 : 12);
        switch (choice) {
            case 0 -> tag(out, chance, "template \"" + chance.of(NAMES) + "\" " + operand(depth + 1, chance));
            case 1 -> tag(out, chance, "$a := " + pipeline(depth, chance));
            case 2 -> tag(out, chance, "$b := " + pipeline(depth, chance));
            case 3 -> tag(out, chance, chance.of(VARIABLES) + " = " + pipeline(depth, chance));
            case 4 -> out.append("{{/* ").append(chance.number()).append(" */}}");
            case 5 -> {
                if (loop) {
                    tag(out, chance, chance.oneIn(2) ? "break" : "continue");
                }
            }
            case 12, 13 -> block(out, "if " + pipeline(depth, chance), depth, loop, chance);
            case 14, 15 -> block(out, "range " + pipeline(depth, chance), depth, true, chance);
            case 16 -> block(out, "range $i, $b := " + pipeline(depth, chance), depth, true, chance);
            case 17 -> block(out, "with $a := " + pipeline(depth, chance), depth, loop, chance);
            case 18 -> block(out, "with " + operand(depth + 1, chance), depth, loop, chance);
            case 19 -> {
                tag(out, chance, "block \"x" + out.length() + "\" " + operand(depth + 1, chance));
                scope(out, depth + 2, chance);
                tag(out, chance, "end");
            }
            default -> tag(out, chance, pipeline(depth, chance));
        }
    }

    private void block(StringBuilder out, String head, int depth, boolean loop, Chance chance) {
        tag(out, chance, head);
        body(out, depth + 1, loop, chance);
        if (chance.oneIn(3)) {
            String another = chance.oneIn(3) && head.startsWith("if") ? "else if " + pipeline(depth, chance) : "else";
            tag(out, chance, another);
            body(out, depth + 1, loop && !head.startsWith("range"), chance);
        }
        tag(out, chance, "end");
    }

    private static void tag(StringBuilder out, Chance chance, String inside) {
        out.append(chance.oneIn(6) ? "{{- " : "{{ ").append(inside).append(chance.oneIn(6) ? " -}}" : " }}");
    }

    private String pipeline(int depth, Chance chance) {
        StringBuilder out = new StringBuilder(chance.oneIn(3) ? operand(depth, chance) : call(depth, false, chance));
        int more = chance.below(3);
        for (int i = 0; i < more; i++) {
            out.append(" | ").append(piped(depth, chance));
        }
        return out.toString();
    }

    /** A call whose last argument comes from the pipeline, mostly converted to what it wants. */
    private String piped(int depth, Chance chance) {
        String call = call(depth, true, chance);
        int end = call.indexOf(' ');
        GoFunction function = functions.get(end < 0 ? call : call.substring(0, end));
        List<GoType> parameters = function == null ? List.of() : function.type().parameters();
        if (parameters.isEmpty() || chance.oneIn(5)) {
            return call;
        }
        return switch (parameters.getLast().kind()) {
            case STRING -> "toString | " + call;
            case INT, INT64 -> "int | " + call;
            case FLOAT64 -> "float64 | " + call;
            default -> call;
        };
    }

    /** @param piped whether the last argument comes from the pipeline */
    private String call(int depth, boolean piped, Chance chance) {
        String name = chance.of(names);
        GoFunction function = functions.get(name);
        List<GoType> parameters = function == null ? List.of() : function.type().parameters();
        boolean variadic = function != null && function.type().variadic();
        List<String> arguments = new ArrayList<>();
        for (GoType parameter : parameters) {
            arguments.add(argument(parameter, depth, chance));
        }
        if (variadic) {
            arguments.removeLast();
            int more = chance.below(4);
            for (int i = 0; i < more; i++) {
                arguments.add(argument(parameters.getLast().elem(), depth, chance));
            }
        }
        if (piped && !arguments.isEmpty()) {
            arguments.removeLast();
        }
        if (chance.oneIn(25)) {
            arguments.add(operand(depth + 1, chance));
        }
        return arguments.isEmpty() ? name : name + " " + String.join(" ", arguments);
    }

    private String argument(GoType type, int depth, Chance chance) {
        if (chance.oneIn(16)) {
            return operand(depth + 1, chance);
        }
        return switch (type.kind()) {
            case STRING -> quoted(chance);
            case BOOL -> chance.oneIn(2) ? "true" : "false";
            case INT, INT8, INT16, INT32, INT64, UINT, UINT8, UINT16, UINT32, UINT64 ->
                chance.oneIn(3) ? chance.number() : String.valueOf(chance.below(40));
            case FLOAT32, FLOAT64 -> chance.number();
            case SLICE -> "(list " + operand(depth + 1, chance) + " " + operand(depth + 1, chance) + ")";
            case MAP -> "(dict " + quoted(chance) + " " + operand(depth + 1, chance) + ")";
            default -> operand(depth + 1, chance);
        };
    }

    private String operand(int depth, Chance chance) {
        return switch (chance.below(depth < DEEPEST ? 14 : 10)) {
            case 0 -> ".";
            case 1 -> chance.of(VARIABLES);
            case 2 -> "." + chance.of(fields);
            case 3 -> "$." + chance.of(fields) + "." + chance.of(fields);
            case 4 -> "nil";
            case 5 -> chance.oneIn(2) ? "true" : "'x'";
            case 6, 7 -> chance.number();
            case 8, 9 -> quoted(chance);
            case 10 -> "(list " + operand(depth + 1, chance) + " " + operand(depth + 1, chance) + ")";
            case 11 -> "(dict " + quoted(chance) + " " + operand(depth + 1, chance) + ")";
            default -> "(" + pipeline(depth + 1, chance) + ")";
        };
    }

    private static String quoted(Chance chance) {
        String text = chance.text();
        if (chance.oneIn(4) && !text.contains("`")) {
            return "`" + text + "`";
        }
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
