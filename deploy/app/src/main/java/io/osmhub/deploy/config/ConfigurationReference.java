package io.osmhub.deploy.config;

import io.osmhub.core.problem.Suggestion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Every key of the configuration, for {@code hub explain config} and the documentation. */
public final class ConfigurationReference {
    /**
     * One key.
     *
     * @param path in the file
     * @param values what a value may be beyond its type; empty when anything of the type
     * @param builtIn as in a file
     * @param variable of the environment; empty when only the file can say it
     * @param flag option of {@code hub run}; empty when there is none besides {@code --set}
     * @param inPlace whether a running hub takes over a change
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
            Keys.ALL.stream().map(ConfigurationReference::entry).toList();

    private ConfigurationReference() {}

    private static <T> Entry entry(Key<T> key) {
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

    /** All keys in the order of the file. */
    public static List<Entry> all() {
        return ALL;
    }

    /** The keys at or below a path; else those whose last name, variable or option it is; empty when there are none. */
    public static List<Entry> named(String name) {
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

    /** The key that somebody probably meant by a path that names none. */
    public static Optional<String> suggestion(String path) {
        return Suggestion.closest(path, ALL.stream().map(Entry::path).toList()).or(() -> ALL.stream()
                .map(Entry::path)
                .filter(known -> Suggestion.closest(path, List.of(known.substring(known.lastIndexOf('.') + 1)))
                        .isPresent())
                .findFirst());
    }

    /** The table of the documentation, in Markdown. */
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
