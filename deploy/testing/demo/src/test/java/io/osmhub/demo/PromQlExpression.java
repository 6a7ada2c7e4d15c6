package io.osmhub.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a PromQL expression refers to, as far as names go: metrics with the labels that they are chosen by, labels that it groups
 * or joins by, functions. Whether it computes something sensible is not looked at.
 */
record PromQlExpression(List<Selector> selectors, Set<String> grouping, Set<String> functions) {
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|ignoring|without)\\s*\\(([^)]*)\\)");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern MATCHER =
            Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*,?\\s*");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "by", "on", "offset");

    /** @param values by label; those of a regular expression one by one */
    record Selector(String metric, Map<String, Set<String>> values) {}

    static PromQlExpression of(String text) {
        Set<String> grouping = new TreeSet<>();
        Matcher groups = GROUPING.matcher(text);
        while (groups.find()) {
            for (String label : groups.group(1).split(",", -1)) {
                if (!label.isBlank()) {
                    grouping.add(label.trim());
                }
            }
        }
        String rest = RANGE.matcher(groups.replaceAll(" ")).replaceAll(" ");
        List<Selector> selectors = new ArrayList<>();
        Set<String> functions = new TreeSet<>();
        int at = 0;
        while (at < rest.length()) {
            Matcher name = NAME.matcher(rest).region(at, rest.length());
            if (Character.isDigit(rest.charAt(at))) {
                at = past(rest, at, "[0-9.e]");
            } else if (!name.lookingAt()) {
                at++;
            } else {
                at = past(rest, name.end(), "\\s");
                char next = at < rest.length() ? rest.charAt(at) : ' ';
                if (next == '(' && !KEYWORDS.contains(name.group())) {
                    functions.add(name.group());
                } else if (next == '{') {
                    int end = rest.indexOf('}', at);
                    selectors.add(new Selector(name.group(), matchers(rest.substring(at + 1, end))));
                    at = end + 1;
                } else if (!KEYWORDS.contains(name.group())) {
                    selectors.add(new Selector(name.group(), Map.of()));
                }
            }
        }
        return new PromQlExpression(selectors, grouping, functions);
    }

    private static int past(String text, int from, String kind) {
        int at = from;
        while (at < text.length() && text.substring(at, at + 1).matches(kind)) {
            at++;
        }
        return at;
    }

    private static Map<String, Set<String>> matchers(String text) {
        Map<String, Set<String>> values = new java.util.TreeMap<>();
        Matcher matcher = MATCHER.matcher(text);
        int end = 0;
        while (matcher.find()) {
            boolean many = matcher.group(2).endsWith("~");
            Set<String> all = many ? Set.of(matcher.group(3).split("\\|", -1)) : Set.of(matcher.group(3));
            values.computeIfAbsent(matcher.group(1), label -> new TreeSet<>()).addAll(all);
            end = matcher.end();
        }
        if (!text.substring(end).isBlank()) {
            throw new IllegalArgumentException("not understood: {" + text + "}");
        }
        return values;
    }
}
