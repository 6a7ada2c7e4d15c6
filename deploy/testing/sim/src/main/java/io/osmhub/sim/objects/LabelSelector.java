package io.osmhub.sim.objects;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A label selector in its text form: {@code a=b,c!=d,e in (f,g),h notin (i),j,!k}. */
record LabelSelector(List<Predicate<Map<String, String>>> requirements) {
    static final LabelSelector EVERYTHING = new LabelSelector(List.of());
    // Commas within parentheses separate values, not requirements.
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern SET = Pattern.compile("\\s*([^\\s=!,()]+)\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern EQUAL = Pattern.compile("\\s*([^\\s=!,()]+)\\s*(==|=|!=)\\s*([^\\s=!,()]*)\\s*");
    private static final Pattern EXISTS = Pattern.compile("\\s*(!?)\\s*([^\\s=!,()]+)\\s*");

    /** Parses a selector; an empty one selects everything. */
    static LabelSelector parse(String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        return new LabelSelector(Arrays.stream(COMMA.split(text, -1))
                .map(part -> requirement(part, text))
                .toList());
    }

    boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(each -> each.test(labels));
    }

    private static Predicate<Map<String, String>> requirement(String part, String whole) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            List<String> values = Arrays.stream(set.group(3).split(",", -1))
                    .map(String::strip)
                    .toList();
            return among(set.group(1), values, set.group(2).equals("in"));
        }
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            return among(
                    equal.group(1), List.of(equal.group(3)), !equal.group(2).equals("!="));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            boolean wanted = exists.group(1).isEmpty();
            String key = exists.group(2);
            return labels -> labels.containsKey(key) == wanted;
        }
        throw ApiError.badRequest(
                "unable to parse requirement: \"%s\" in label selector \"%s\"".formatted(part, whole));
    }

    // As in Kubernetes, an absent label satisfies != and notin.
    private static Predicate<Map<String, String>> among(String key, List<String> values, boolean wanted) {
        return labels -> (labels.containsKey(key) && values.contains(labels.get(key))) == wanted;
    }
}
