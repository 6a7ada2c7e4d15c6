package io.osmhub.core.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every function of both template languages, by name. Loaded on first use. */
public final class FunctionCatalog {
    private static final String FILE = "functions.txt";
    private static final String SECTION = "== ";
    private static final String CHANGING = " !changing";
    private static final String CLOSED = " !closed";
    private static final String PRINTS = " => ";
    private static final String BLOCK = "{{#";

    /** A holder, because rendering does not need it. */
    private static final class Entries {
        private static final List<FunctionReference> ALL = read();
    }

    private FunctionCatalog() {}

    /** All functions: Go's, then those of Handlebars, each sorted by name. */
    public static List<FunctionReference> all() {
        return Entries.ALL;
    }

    /** The functions of one language, sorted by name. */
    public static List<FunctionReference> of(Language language) {
        return all().stream()
                .filter(function -> function.language() == language)
                .toList();
    }

    /** The functions of that name, one for each language that has it. */
    public static List<FunctionReference> findByName(String name) {
        return all().stream().filter(function -> function.name().equals(name)).toList();
    }

    /** The function of that name in one language. */
    public static Optional<FunctionReference> find(Language language, String name) {
        return findByName(name).stream()
                .filter(function -> function.language() == language)
                .findFirst();
    }

    /** The closest known name to an unknown one. */
    public static Optional<String> suggestClosest(String unknown) {
        Set<String> names = new TreeSet<>();
        all().forEach(function -> names.add(function.name()));
        return SpellingSuggestion.findClosest(unknown, names);
    }

    /** Names of the functions whose result may vary between renderings. */
    public static Set<String> nonDeterministicNames(Language language) {
        Set<String> names = new TreeSet<>();
        for (FunctionReference function : of(language)) {
            if (!function.deterministic()) {
                names.add(function.name());
            }
        }
        return names;
    }

    /** Reads {@code functions.txt}, whose header describes the format. */
    private static List<FunctionReference> read() {
        try (InputStream file = FunctionCatalog.class.getResourceAsStream(FILE)) {
            byte[] bytes = Objects.requireNonNull(file, FILE).readAllBytes();
            List<FunctionReference> all = parse(new String(bytes, UTF_8).lines().toList());
            all.sort(Comparator.comparing(FunctionReference::language)
                    .thenComparing(FunctionReference::name, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(FunctionReference::name));
            return List.copyOf(all);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " is part of the program", unreadable);
        }
    }

    private static List<FunctionReference> parse(List<String> lines) {
        List<FunctionReference> functions = new ArrayList<>();
        Origin origin = Origin.GO;
        String family = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith(SECTION)) {
                int end = line.indexOf(' ', SECTION.length());
                origin = Origin.valueOf(line.substring(SECTION.length(), end).toUpperCase(Locale.ROOT));
                family = line.substring(end + 1);
                continue;
            }
            functions.add(entry(origin, family, line, indented(lines.get(i + 1)), indented(lines.get(i + 2))));
            i += 2;
        }
        return functions;
    }

    private static String indented(String line) {
        if (!line.startsWith("  ")) {
            throw new IllegalStateException(FILE + ": an entry's second and third line are indented: " + line);
        }
        return line.substring(2);
    }

    private static FunctionReference entry(
            Origin origin, String family, String head, String description, String example) {
        String signature = head.replace(CHANGING, "").replace(CLOSED, "");
        String call = signature.startsWith(BLOCK) ? signature.substring(BLOCK.length()) : signature;
        int prints = example.indexOf(PRINTS);
        return new FunctionReference(
                call.substring(0, (call + " ").indexOf(' ')),
                origin.language,
                origin,
                family,
                signature,
                description,
                example.substring(0, prints),
                unescape(example.substring(prints + PRINTS.length())),
                !head.contains(CHANGING),
                head.contains(CLOSED));
    }

    private static String unescape(String result) {
        StringBuilder text = new StringBuilder(result.length());
        for (int i = 0; i < result.length(); i++) {
            char c = result.charAt(i);
            if (c == '\\' && i + 1 < result.length()) {
                i++;
                c = switch (result.charAt(i)) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    case 's' -> ' ';
                    default -> result.charAt(i);
                };
            }
            text.append(c);
        }
        return text.toString();
    }

    /**
     * Reference of a template function, for {@code hub explain function} and the documentation.
     *
     * @param family its topic, for example {@code Texts}
     * @param signature for example {@code indent N TEXT}
     * @param description one sentence
     * @param example a template that calls it
     * @param result what the example prints
     * @param deterministic false if two runs may differ, so that a profile using it would be published again and again
     * @param closed whether it is restricted, because templates can access neither host nor network
     */
    public record FunctionReference(
            String name,
            Language language,
            Origin origin,
            String family,
            String signature,
            String description,
            String example,
            String result,
            boolean deterministic,
            boolean closed) {
        public enum Language {
            GO("Go template"),
            HANDLEBARS("Handlebars");

            private final String title;

            Language(String title) {
                this.title = title;
            }

            /** For display. */
            public String title() {
                return title;
            }
        }

        /** Where a function's behaviour is defined. */
        public enum Origin {
            GO(Language.GO, "Go text/template"),
            SPRIG(Language.GO, "sprig 3.3"),
            OSM(Language.GO, "operating-system-manager"),
            HANDLEBARS(Language.HANDLEBARS, "Handlebars"),
            HUB(Language.HANDLEBARS, "OSM Hub");

            private final Language language;
            private final String title;

            Origin(Language language, String title) {
                this.language = language;
                this.title = title;
            }

            /** For display. */
            public String title() {
                return title;
            }
        }
    }
}
