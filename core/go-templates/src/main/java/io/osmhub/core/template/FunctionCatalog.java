package io.osmhub.core.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Reference of every function of both template languages. Loaded on first use, because rendering does not need it. */
public final class FunctionCatalog {
    private static final String FILE = "functions.txt";
    private static final String SECTION = "== ";
    private static final String PRINTS = " => ";
    private static final String BLOCK = "{{#";

    /** All functions: Go's, then those of Handlebars, each sorted by name. */
    private static final List<FunctionReference> ALL = read();

    private FunctionCatalog() {}

    /** All functions: Go's, then those of Handlebars, each sorted by name. */
    public static List<FunctionReference> all() {
        return ALL;
    }

    /** The functions of one language, sorted by name. */
    public static List<FunctionReference> of(Language language) {
        return ALL.stream().filter(function -> function.language() == language).toList();
    }

    /** The function of that name in one language. */
    public static Optional<FunctionReference> find(Language language, String name) {
        return of(language).stream()
                .filter(function -> function.name().equals(name))
                .findFirst();
    }

    /** Reads {@code functions.txt}, whose header describes the format. */
    private static List<FunctionReference> read() {
        try (InputStream file = FunctionCatalog.class.getResourceAsStream(FILE)) {
            byte[] bytes = Objects.requireNonNull(file, FILE).readAllBytes();
            List<FunctionReference> all = parse(new String(bytes, UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .iterator());
            all.sort(Comparator.comparing(FunctionReference::language)
                    .thenComparing(FunctionReference::name, String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(FunctionReference::name));
            return List.copyOf(all);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " is part of the program", unreadable);
        }
    }

    private static List<FunctionReference> parse(Iterator<String> lines) {
        List<FunctionReference> functions = new ArrayList<>();
        Origin origin = Origin.GO;
        String family = "";
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith(SECTION)) {
                String[] section = line.substring(SECTION.length()).split(" ", 2);
                origin = Origin.valueOf(section[0].toUpperCase(Locale.ROOT));
                family = section[1];
            } else {
                String call = line.startsWith(BLOCK) ? line.substring(BLOCK.length()) : line;
                String name = call.split(" ", 2)[0];
                String description = lines.next().strip();
                String[] example = lines.next().strip().split(PRINTS, 2);
                functions.add(new FunctionReference(
                        name, origin, family, line, description, example[0], example[1].translateEscapes()));
            }
        }
        return functions;
    }

    /**
     * Reference of a template function, for the documentation.
     *
     * @param family its topic, for example {@code Texts}
     * @param signature for example {@code indent N TEXT}
     * @param description one sentence
     * @param example a template that calls it
     * @param result what the example prints
     */
    public record FunctionReference(
            String name,
            Origin origin,
            String family,
            String signature,
            String description,
            String example,
            String result) {
        public Language language() {
            return origin.language;
        }

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
