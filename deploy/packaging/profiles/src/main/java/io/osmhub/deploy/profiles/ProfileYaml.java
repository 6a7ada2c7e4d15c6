package io.osmhub.deploy.profiles;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes a profile as readable YAML, with multi-line strings as literal blocks. */
final class ProfileYaml {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9 ./_-]*");
    private static final Pattern NOT_TEXT = Pattern.compile("(?i)true|false|yes|no|on|off|null");

    private final StringBuilder out = new StringBuilder();

    private ProfileYaml() {}

    static String text(String name, Map<String, Object> annotations, Map<String, Object> spec) {
        ProfileYaml yaml = new ProfileYaml();
        yaml.out.append("apiVersion: operatingsystemmanager.k8c.io/v1alpha1\nkind: OperatingSystemProfile\n");
        yaml.out.append("metadata:\n  name: ").append(name).append("\n  annotations:\n");
        yaml.entries("    ", "    ", annotations);
        yaml.out.append("spec:\n");
        yaml.entries("  ", "  ", spec);
        return yaml.out.toString();
    }

    /** {@code first} replaces the indentation of the first entry: the dash of a list item. */
    private void entries(String first, String indentation, Map<?, ?> entries) {
        String before = first;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            out.append(before).append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(indentation, entry.getValue());
            before = indentation;
        }
    }

    private void value(String indentation, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                out.append('\n');
                entries(indentation + "  ", indentation + "  ", map);
            }
            case List<?> list -> {
                out.append('\n');
                list.forEach(item -> item(indentation, item));
            }
            case String text when text.contains("\n") -> block(indentation + "  ", text);
            case String text -> out.append(' ').append(scalar(text)).append('\n');
            default -> out.append(' ').append(value).append('\n');
        }
    }

    private void item(String indentation, Object item) {
        if (item instanceof Map<?, ?> map) {
            entries(indentation + "- ", indentation + "  ", map);
        } else {
            out.append(indentation).append("- ").append(scalar(item.toString())).append('\n');
        }
    }

    private void block(String indentation, String text) {
        if (text.startsWith(" ") || text.startsWith("\n") || text.endsWith("\n\n")) {
            throw new IllegalArgumentException("starts with a blank or ends with an empty line: " + text);
        }
        out.append(text.endsWith("\n") ? " |\n" : " |-\n");
        text.lines().forEach(line -> out.append(line.isEmpty() ? "" : indentation)
                .append(line)
                .append('\n'));
    }

    private static String scalar(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NOT_TEXT.matcher(text).matches() && !text.endsWith(" ");
        return plain ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
