package io.osmhub.deploy.dropin;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A command line with OSM's defaults and error messages, parsed as Go's package {@code flag} does: one or two dashes, {@code -name
 * value} or {@code -name=value}, switches without a value, ending at the first other argument. Unlike Go's, it continues after an
 * error. A reader declares a flag by getting its value, so that each flag is named once.
 */
public final class GoFlags {
    /** Whether a flag takes a value. */
    enum FlagKind {
        SWITCH,
        VALUE
    }

    /** A parsed command line. */
    public sealed interface Result<T> {
        record Read<T>(T flags) implements Result<T> {}

        /** @param mistakes at least one, each with the flag as its source */
        record Refused<T>(List<InputError> mistakes) implements Result<T> {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }

        /** The list of flags was requested. */
        record Help<T>() implements Result<T> {}
    }

    private final SortedMap<String, FlagKind> known = new TreeMap<>();
    private final List<InputError> mistakes = new ArrayList<>();
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final List<String> rest = new ArrayList<>();
    private boolean help;

    private GoFlags() {}

    /** @param reader declares the flags, creates the result, and adds the errors of single flags */
    static <T> Result<T> read(List<String> arguments, Function<GoFlags, T> reader) {
        GoFlags flags = declaredBy(reader);
        flags.parse(arguments);
        if (flags.help) {
            return new Result.Help<>();
        }
        T read = reader.apply(flags);
        return flags.mistakes.isEmpty() ? new Result.Read<>(read) : new Result.Refused<>(flags.mistakes);
    }

    /** Reads an empty command line. */
    private static GoFlags declaredBy(Function<GoFlags, ?> reader) {
        GoFlags flags = new GoFlags();
        Object _ = reader.apply(flags);
        flags.mistakes.clear();
        return flags;
    }

    /** Names of all flags, without dashes, sorted. */
    static List<String> names(Function<GoFlags, ?> reader) {
        return List.copyOf(declaredBy(reader).known.keySet());
    }

    void declare(FlagKind kind, Collection<String> flags) {
        flags.forEach(flag -> known.putIfAbsent(flag, kind));
    }

    private List<String> declare(String flag, FlagKind kind) {
        known.putIfAbsent(flag, kind);
        return values.getOrDefault(flag, List.of());
    }

    /** Adds an error; {@code flag} has one dash. */
    void addError(String flag, String what, String cure) {
        mistakes.add(new InputError(flag, SourcePosition.NONE, "", what, cure));
    }

    /** The given values by name without dashes, in the order given. */
    Map<String, List<String>> values() {
        return values;
    }

    /** Arguments after the flags. */
    List<String> rest() {
        return rest;
    }

    boolean has(String flag) {
        return !declare(flag, FlagKind.VALUE).isEmpty();
    }

    /** The last value wins. */
    String text(String flag, String otherwise) {
        List<String> given = declare(flag, FlagKind.VALUE);
        return given.isEmpty() ? otherwise : given.getLast();
    }

    String required(String flag) {
        String text = text(flag, "");
        if (text.isEmpty()) {
            addError("-" + flag, "-" + flag + " is required", "");
        }
        return text;
    }

    boolean isEnabled(String flag, boolean otherwise) {
        boolean on = otherwise;
        for (String text : declare(flag, FlagKind.SWITCH)) {
            try {
                on = GoNumbers.parseBool(GoString.bytes(text));
            } catch (GoCallException e) {
                addError(
                        "-" + flag,
                        "invalid boolean value " + quote(text) + " for -" + flag + ": parse error",
                        "write -" + flag + "=true or =false");
            }
        }
        return on;
    }

    int integer(String flag, int otherwise) {
        int value = otherwise;
        for (String text : declare(flag, FlagKind.VALUE)) {
            try {
                // Go's int has 64 bits; clamp larger counts to 32.
                value = Math.clamp(
                        GoNumbers.parseInt(GoString.bytes(text), 0, 64), Integer.MIN_VALUE, Integer.MAX_VALUE);
            } catch (GoCallException e) {
                boolean range = GoString.text(e.text()).endsWith("value out of range");
                addError(
                        "-" + flag,
                        "invalid value " + quote(text) + " for flag -" + flag + ": "
                                + (range ? "value out of range" : "parse error"),
                        "write a whole number");
            }
        }
        return value;
    }

    /** A listen address; {@code 0} disables it, and so does an empty value if {@code emptyIsOff}. */
    Optional<ListenAddress> address(String flag, String otherwise, boolean emptyIsOff) {
        String text = text(flag, otherwise);
        if (text.equals("0") || (text.isEmpty() && emptyIsOff)) {
            return Optional.empty();
        }
        Optional<ListenAddress> address = ListenAddress.of(text.isEmpty() ? otherwise : text);
        if (address.isEmpty()) {
            addError("-" + flag, quote(text) + " is not an address", "write :8080, 127.0.0.1:8080, or 0 to disable");
        }
        return address;
    }

    ServiceLog.Format logFormat(String flag) {
        ServiceLog.Format format = ServiceLog.Format.JSON;
        for (String text : declare(flag, FlagKind.VALUE)) {
            switch (text.toLowerCase(Locale.ROOT)) {
                case "json" -> format = ServiceLog.Format.JSON;
                case "console" -> format = ServiceLog.Format.CONSOLE;
                default ->
                    addError(
                            "-" + flag,
                            "invalid value " + quote(text) + " for flag -" + flag + ": invalid format " + quote(text),
                            "write json or console");
            }
        }
        return format;
    }

    // Parsing

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
            addError(word, "bad flag syntax: " + word, "write -name value or -name=value");
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
            addError("-" + name, "flag needs an argument: -" + name, "");
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
        addError(
                "-" + name,
                "flag provided but not defined: -" + name,
                SpellingSuggestion.findClosest(name, List.copyOf(known.keySet()))
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
