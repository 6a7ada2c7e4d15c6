package io.osmhub.core.model;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by their labels, in the notation of {@code kubectl -l}: comma-separated requirements that must all be met.
 * Without any, it selects every object.
 */
public record LabelSelector(List<Requirement> requirements) {
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private static final String NAME = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final String PREFIX = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*";
    private static final String KEY = "(?:" + PREFIX + "/)?" + NAME;
    private static final Pattern REQUIREMENT =
            Pattern.compile("\\s*(?:(?P<equal>" + KEY + ")\\s*(?P<equality>==|=|!=)\\s*(?P<value>"
                    + NAME + "|)|(?P<listed>" + KEY
                    + ")\\s+(?P<in>in|notin)\\s*\\((?P<values>[^()]*)\\)|(?P<not>!?)\\s*(?P<existing>" + KEY
                    + "))\\s*(?:,|\\z)");
    private static final Pattern VALUE = Pattern.compile(NAME + "|");
    // Longer texts cannot be label keys, and need not be matched.
    private static final int LONGEST = 1024;

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * One requirement on one label.
     *
     * @param values allowed values; null for any
     * @param negated whether the label must be absent or have another value instead
     */
    public record Requirement(String key, @Nullable Set<String> values, boolean negated) {
        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            boolean found = value != null && (values == null || values.contains(value));
            return found != negated;
        }

        @Override
        public String toString() {
            if (values == null) {
                return (negated ? "!" : "") + key;
            }
            return values.size() == 1
                    ? key + (negated ? "!=" : "=") + values.iterator().next()
                    : key + (negated ? " notin (" : " in (") + String.join(",", new TreeSet<>(values)) + ")";
        }
    }

    /** Null if the text is not a valid selector. */
    public static @Nullable LabelSelector parse(String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        if (text.length() > LONGEST) {
            return null;
        }
        List<Requirement> requirements = new ArrayList<>();
        Matcher next = REQUIREMENT.matcher(text);
        int start = 0;
        do {
            if (!next.find(start) || next.start() != start) {
                return null;
            }
            Requirement requirement = requirement(next);
            if (requirement.values != null
                    && !requirement.values.stream()
                            .allMatch(value -> VALUE.matcher(value).matches())) {
                return null;
            }
            requirements.add(requirement);
            start = next.end();
        } while (start < text.length() || text.endsWith(","));
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(Matcher found) {
        if (found.group("equal") != null) {
            return new Requirement(
                    found.group("equal"),
                    Set.of(found.group("value")),
                    found.group("equality").equals("!="));
        }
        if (found.group("listed") != null) {
            Set<String> values = Arrays.stream(found.group("values").split(",", -1))
                    .map(String::strip)
                    .collect(Collectors.toSet());
            return new Requirement(
                    found.group("listed"), values, found.group("in").equals("notin"));
        }
        return new Requirement(
                found.group("existing"), null, !found.group("not").isEmpty());
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    /** The notation of {@link #parse}. */
    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }
}
