package io.osmhub.deploy.dropin;

import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.problem.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads flags as Go's package {@code flag} does: one or two dashes, {@code -name value} or {@code -name=value}, switches without
 * a value, an end at the first other word. Unlike Go's, it goes on after a mistake.
 */
final class GoFlags {
    /** Whether a flag stands alone. */
    enum Kind {
        SWITCH,
        VALUE
    }

    /** Told of every mistake. */
    @FunctionalInterface
    interface Reporter {
        /** {@code flag} is with one dash. */
        void add(String flag, String what, String cure);
    }

    private final Map<String, Kind> known;
    private final Reporter mistakes;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final List<String> rest = new ArrayList<>();
    private boolean help;

    private GoFlags(Map<String, Kind> known, Reporter mistakes) {
        this.known = known;
        this.mistakes = mistakes;
    }

    /**
     * What was given.
     *
     * @param values by name without dashes, in the order given
     * @param rest what stands after the flags
     * @param help whether somebody asked for the flags instead
     */
    record Parsed(Map<String, List<String>> values, List<String> rest, boolean help) {}

    /** @param known the flags that there are, without dashes */
    static Parsed parse(Map<String, Kind> known, List<String> arguments, Reporter mistakes) {
        GoFlags flags = new GoFlags(known, mistakes);
        flags.parse(arguments);
        return new Parsed(flags.values, flags.rest, flags.help);
    }

    private void parse(List<String> arguments) {
        int at = 0;
        while (at < arguments.size()) {
            String word = arguments.get(at);
            if (word.length() < 2 || word.charAt(0) != '-') {
                break;
            }
            at++;
            if (word.equals("--")) {
                break;
            }
            at += flag(word, at < arguments.size() ? List.of(arguments.get(at)) : List.of());
        }
        rest.addAll(arguments.subList(at, arguments.size()));
    }

    /** Reads one flag; how many of the words that follow belong to it. */
    private int flag(String word, List<String> next) {
        String bare = word.substring(word.startsWith("--") ? 2 : 1);
        if (bare.isEmpty() || bare.startsWith("-") || bare.startsWith("=")) {
            mistakes.add(word, "bad flag syntax: " + word, "write -name value or -name=value");
            return 0;
        }
        int equals = bare.indexOf('=');
        String name = equals < 0 ? bare : bare.substring(0, equals);
        Kind kind = known.get(name);
        if (kind == null) {
            return unknown(name, equals >= 0, next);
        }
        if (equals >= 0) {
            add(name, bare.substring(equals + 1));
            return 0;
        }
        if (kind == Kind.SWITCH) {
            add(name, "true");
            return 0;
        }
        if (next.isEmpty()) {
            mistakes.add("-" + name, "flag needs an argument: -" + name, "");
            return 0;
        }
        add(name, next.getFirst());
        return 1;
    }

    private void add(String name, String value) {
        values.computeIfAbsent(name, flag -> new ArrayList<>()).add(value);
    }

    private int unknown(String name, boolean hasValue, List<String> next) {
        if (name.equals("h") || name.equals("help")) {
            help = true;
            return 0;
        }
        mistakes.add(
                "-" + name,
                "flag provided but not defined: -" + name,
                Suggestion.closest(name, known.keySet().stream().sorted().toList())
                        .map(near -> "did you mean -" + near + "?")
                        .orElse(""));
        // Go ends here. To find the mistakes after it, a word without a dash is taken for its value.
        return !hasValue && !next.isEmpty() && !next.getFirst().startsWith("-") ? 1 : 0;
    }

    /** A text in Go's quotes. */
    static String quote(String text) {
        return Str.text(GoQuote.quote(Str.bytes(text)));
    }
}
