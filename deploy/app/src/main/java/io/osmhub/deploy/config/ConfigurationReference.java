package io.osmhub.deploy.config;

import io.osmhub.core.problem.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All configuration keys, for {@code hub explain config} and the documentation. */
public final class ConfigurationReference {
    /**
     * One key.
     *
     * @param path in the file
     * @param values restrictions beyond the type; empty if none
     * @param builtIn in file syntax
     * @param variable environment variable; empty if only the file can set the key
     * @param flag option of {@code hub run}; empty if only {@code --set}
     * @param inPlace whether a running hub reloads it
     */
    public record Entry(
            String path,
            String type,
            String values,
            String builtIn,
            String description,
            String variable,
            String flag,
            boolean inPlace) {}

    private static final List<Entry> ALL =
            ConfigurationKeys.ALL.stream().map(ConfigurationReference::entry).toList();

    private ConfigurationReference() {}

    private static <T> Entry entry(ConfigurationKey<T> key) {
        return new Entry(
                key.path(),
                key.form().type(),
                key.form().values(),
                key.builtInText(),
                key.description(),
                key.variable(),
                key.flag(),
                key.inPlace());
    }

    public static List<Entry> all() {
        return ALL;
    }

    /** Finds keys by path or path prefix, else by last name, variable or option; empty if none match. */
    public static List<Entry> find(String name) {
        List<Entry> below = ALL.stream()
                .filter(entry -> entry.path().equals(name) || entry.path().startsWith(name + "."))
                .toList();
        if (!below.isEmpty()) {
            return below;
        }
        String end = "." + name.toLowerCase(Locale.ROOT);
        String flag = "--" + name.replaceFirst("^-+", "");
        return ALL.stream()
                .filter(entry -> entry.path().toLowerCase(Locale.ROOT).endsWith(end)
                        || entry.variable().equals(name)
                        || entry.flag().equals(flag))
                .toList();
    }

    /** The closest key to an unknown path. */
    public static Optional<String> suggestion(String path) {
        return SpellingSuggestion.findClosest(
                        path, ALL.stream().map(Entry::path).toList())
                .or(() -> ALL.stream()
                        .map(Entry::path)
                        .filter(known -> SpellingSuggestion.findClosest(
                                        path, List.of(known.substring(known.lastIndexOf('.') + 1)))
                                .isPresent())
                        .findFirst());
    }

    /** The documentation's table in Markdown. */
    public static String markdown() {
        StringBuilder table = new StringBuilder("""
                | key | meaning | type | values | default | variable | option | in place |
                |---|---|---|---|---|---|---|---|
                """);
        for (Entry entry : ALL) {
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + entry.path() + "`",
                            cell(entry.description()),
                            cell(entry.type()),
                            cell(entry.values()),
                            "`" + entry.builtIn() + "`",
                            entry.variable().isEmpty() ? "-" : "`" + entry.variable() + "`",
                            entry.flag().isEmpty() ? "-" : "`" + entry.flag() + "`",
                            entry.inPlace() ? "yes" : "-"))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
