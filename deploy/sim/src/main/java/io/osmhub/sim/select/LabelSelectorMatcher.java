package io.osmhub.sim.select;

import io.osmhub.sim.status.ApiError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A label selector in its text form: {@code a=b,c!=d,e in (f,g),h notin (i),j,!k}. */
public final class LabelSelectorMatcher {
    /** Selects everything. */
    public static final LabelSelectorMatcher EVERYTHING = new LabelSelectorMatcher(List.of());

    private static final Pattern SET = Pattern.compile("\\s*([^\\s=!,()]+)\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern EQUAL = Pattern.compile("\\s*([^\\s=!,()]+)\\s*(==|=|!=)\\s*([^\\s=!,()]*)\\s*");
    private static final Pattern EXISTS = Pattern.compile("\\s*(!?)\\s*([^\\s=!,()]+)\\s*");

    private sealed interface Requirement {
        record Among(String key, List<String> values, boolean wanted) implements Requirement {}

        record Present(String key, boolean wanted) implements Requirement {}
    }

    private final List<Requirement> requirements;

    private LabelSelectorMatcher(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /** Reads a selector; empty selects everything. */
    public static LabelSelectorMatcher parse(String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        List<Requirement> requirements = new ArrayList<>();
        for (String part : split(text)) {
            requirements.add(requirement(part, text));
        }
        return new LabelSelectorMatcher(requirements);
    }

    /** Whether an object with these labels is selected. */
    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(each -> switch (each) {
            case Requirement.Among(String key, List<String> values, boolean wanted) -> {
                String value = labels.get(key);
                // As in Kubernetes, an absent label satisfies != and notin.
                yield wanted ? value != null && values.contains(value) : value == null || !values.contains(value);
            }
            case Requirement.Present(String key, boolean wanted) -> labels.containsKey(key) == wanted;
        });
    }

    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static Requirement requirement(String part, String whole) {
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            List<String> values = Arrays.stream(set.group(3).split(",", -1))
                    .map(String::strip)
                    .toList();
            return new Requirement.Among(set.group(1), values, set.group(2).equals("in"));
        }
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            return new Requirement.Among(
                    equal.group(1), List.of(equal.group(3)), !equal.group(2).equals("!="));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            return new Requirement.Present(exists.group(2), exists.group(1).isEmpty());
        }
        throw ApiError.badRequest(
                "unable to parse requirement: \"%s\" in label selector \"%s\"".formatted(part, whole));
    }
}
