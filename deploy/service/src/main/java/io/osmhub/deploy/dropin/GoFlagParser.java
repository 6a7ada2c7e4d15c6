package io.osmhub.deploy.dropin;

import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses flags as Go's package {@code flag} does: one or two dashes, {@code -name value} or {@code -name=value}, switches without
 * a value, ending at the first other argument. Unlike Go's, it continues after an error.
 */
final class GoFlagParser {
    /** Whether a flag takes a value. */
    enum FlagKind {
        SWITCH,
        VALUE
    }

    /** Receives every error. */
    @FunctionalInterface
    interface FlagErrorReporter {
        /** {@code flag} has one dash. */
        void add(String flag, String what, String cure);
    }

    private final Map<String, FlagKind> known;
    private final FlagErrorReporter mistakes;
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final List<String> rest = new ArrayList<>();
    private boolean help;

    private GoFlagParser(Map<String, FlagKind> known, FlagErrorReporter mistakes) {
        this.known = known;
        this.mistakes = mistakes;
    }

    /**
     * Parsed flags.
     *
     * @param values by name without dashes, in the order given
     * @param rest arguments after the flags
     * @param help whether the list of flags was requested
     */
    record Parsed(Map<String, List<String>> values, List<String> rest, boolean help) {}

    /** @param known the supported flags, without dashes */
    static Parsed parse(Map<String, FlagKind> known, List<String> arguments, FlagErrorReporter mistakes) {
        GoFlagParser flags = new GoFlagParser(known, mistakes);
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

    /** Parses one flag; returns how many of the following arguments belong to it. */
    private int flag(String word, List<String> next) {
        String bare = word.substring(word.startsWith("--") ? 2 : 1);
        if (bare.isEmpty() || bare.startsWith("-") || bare.startsWith("=")) {
            mistakes.add(word, "bad flag syntax: " + word, "write -name value or -name=value");
            return 0;
        }
        int equals = bare.indexOf('=');
        String name = equals < 0 ? bare : bare.substring(0, equals);
        FlagKind kind = known.get(name);
        if (kind == null) {
            return unknown(name, equals >= 0, next);
        }
        if (equals >= 0) {
            add(name, bare.substring(equals + 1));
            return 0;
        }
        if (kind == FlagKind.SWITCH) {
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
                SpellingSuggestion.findClosest(
                                name, known.keySet().stream().sorted().toList())
                        .map(near -> "did you mean -" + near + "?")
                        .orElse(""));
        // Go stops here. To find later errors, treat an argument without a dash as its value.
        return !hasValue && !next.isEmpty() && !next.getFirst().startsWith("-") ? 1 : 0;
    }

    /** Quotes as Go does. */
    static String quote(String text) {
        return GoString.text(GoQuote.quote(GoString.bytes(text)));
    }
}
