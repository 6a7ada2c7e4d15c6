package io.osmhub.core.fuzz;

import java.util.List;

/** Writes Handlebars templates that mostly parse: its grammar with all helpers. */
final class HandlebarsWriter {
    private static final int DEEPEST = 5;
    private static final List<String> BLOCKS = List.of("if", "unless", "each", "with");

    /** Of each helper its name and a word for each argument. */
    private final List<List<String>> helpers;

    private final List<String> fields;

    /** @param signatures how helpers are called, for example {@code indent WIDTH TEXT} */
    HandlebarsWriter(List<String> signatures, List<String> fields) {
        this.helpers = signatures.stream()
                .filter(signature -> !signature.startsWith("#"))
                .map(signature -> List.of(signature.split(" ")))
                .toList();
        this.fields = List.copyOf(fields);
    }

    String write(Chance chance) {
        StringBuilder out = new StringBuilder();
        body(out, 0, chance);
        return out.toString();
    }

    private void body(StringBuilder out, int depth, Chance chance) {
        int parts = 1 + chance.below(depth == 0 ? 4 : 2);
        for (int i = 0; i < parts; i++) {
            if (chance.oneIn(3)) {
                out.append(chance.text().replace("{{", "{"));
            }
            tag(out, depth, chance);
        }
    }

    private void tag(StringBuilder out, int depth, Chance chance) {
        switch (chance.below(depth < DEEPEST ? 12 : 7)) {
            case 0 -> out.append("{{").append(name(chance)).append("}}");
            case 1 -> out.append("{{{").append(name(chance)).append("}}}");
            case 2 -> out.append("{{!-- ").append(chance.number()).append(" --}}");
            case 3 -> {
                out.append("{{> ").append(chance.of(List.of("a", "b")));
                if (chance.oneIn(2)) {
                    out.append(" x=").append(argument(depth, chance));
                }
                out.append("}}");
            }
            case 8, 9, 10, 11 -> block(out, depth, chance);
            default ->
                out.append(chance.oneIn(5) ? "{{~" : "{{")
                        .append(call(depth, chance))
                        .append(chance.oneIn(5) ? "~}}" : "}}");
        }
    }

    private void block(StringBuilder out, int depth, Chance chance) {
        String block = chance.of(BLOCKS);
        out.append("{{#").append(block).append(' ').append(argument(depth, chance));
        if (chance.oneIn(6)) {
            out.append(" as |x i|");
        }
        out.append("}}");
        body(out, depth + 1, chance);
        if (chance.oneIn(3)) {
            out.append(chance.oneIn(4) ? "{{else if " + argument(depth, chance) + "}}" : "{{else}}");
            body(out, depth + 1, chance);
        }
        out.append("{{/").append(block).append("}}");
    }

    private String call(int depth, Chance chance) {
        List<String> helper = chance.of(helpers);
        StringBuilder out = new StringBuilder(helper.getFirst());
        for (String word : helper.subList(1, helper.size())) {
            if (!chance.oneIn(10)) {
                out.append(' ').append(argument(word, depth, chance));
            }
        }
        if (chance.oneIn(8)) {
            out.append(" x=").append(argument(depth, chance));
        }
        return out.toString();
    }

    private String argument(String word, int depth, Chance chance) {
        if (chance.oneIn(4)) {
            return argument(depth, chance);
        }
        return switch (word) {
            case "WIDTH", "COUNT", "NUMBER", "N", "A", "B", "INDEX", "START", "END", "LENGTH" -> number(chance);
            case "LIST", "MAP" -> chance.oneIn(2) ? name(chance) : "(split \",\" " + quoted(chance) + ")";
            default -> quoted(chance);
        };
    }

    private String argument(int depth, Chance chance) {
        return switch (chance.below(depth < DEEPEST ? 8 : 6)) {
            case 0, 1 -> name(chance);
            case 2 -> number(chance);
            case 3 -> chance.oneIn(2) ? "true" : "null";
            case 4, 5 -> quoted(chance);
            default -> "(" + call(depth + 1, chance) + ")";
        };
    }

    private String name(Chance chance) {
        return switch (chance.below(8)) {
            case 0 -> "this";
            case 1 -> "../" + chance.of(fields);
            case 2 -> "@index";
            case 3 -> "@root." + chance.of(fields);
            case 4 -> chance.of(fields) + "." + chance.of(fields);
            case 5 -> "[" + chance.of(fields) + "]";
            default -> chance.of(fields);
        };
    }

    private static String number(Chance chance) {
        String number = chance.number();
        return number.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9')) ? number : "5";
    }

    private static String quoted(Chance chance) {
        String text = chance.text().replace("\"", "'").replace('\\', '/');
        return "\"" + text + "\"";
    }
}
