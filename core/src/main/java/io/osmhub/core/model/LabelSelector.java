package io.osmhub.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final String KEY = "((?:" + PREFIX + "/)?" + NAME + ")";
    private static final Pattern EXISTS = Pattern.compile("(!?)\\s*" + KEY);
    private static final Pattern EQUALS = Pattern.compile(KEY + "\\s*(==|=|!=)\\s*(" + NAME + "|)");
    private static final Pattern ONE_OF = Pattern.compile(KEY + "\\s+(in|notin)\\s*\\(([^()]*)\\)");
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
        for (String part : parts(text)) {
            Requirement requirement = requirement(part.strip());
            if (requirement == null) {
                return null;
            }
            requirements.add(requirement);
        }
        return new LabelSelector(requirements);
    }

    /** Splits at the commas outside of parentheses. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' || c == ')') {
                inside = c == '(';
            } else if (c == ',' && !inside) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static @Nullable Requirement requirement(String text) {
        Matcher equals = EQUALS.matcher(text);
        if (equals.matches()) {
            return new Requirement(
                    equals.group(1), Set.of(equals.group(3)), equals.group(2).equals("!="));
        }
        Matcher oneOf = ONE_OF.matcher(text);
        if (oneOf.matches()) {
            Set<String> values = new TreeSet<>();
            for (String value : oneOf.group(3).split(",", -1)) {
                if (!VALUE.matcher(value.strip()).matches()) {
                    return null;
                }
                values.add(value.strip());
            }
            return new Requirement(oneOf.group(1), values, oneOf.group(2).equals("notin"));
        }
        Matcher exists = EXISTS.matcher(text);
        return exists.matches()
                ? new Requirement(exists.group(2), null, !exists.group(1).isEmpty())
                : null;
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
