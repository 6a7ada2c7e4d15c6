package io.osmhub.deploy.dropin;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Flag values with OSM's defaults and error messages. */
final class FlagValues {
    private final Map<String, List<String>> values;
    private final GoFlagParser.FlagErrorReporter mistakes;

    FlagValues(Map<String, List<String>> values, GoFlagParser.FlagErrorReporter mistakes) {
        this.values = values;
        this.mistakes = mistakes;
    }

    boolean has(String flag) {
        return values.containsKey(flag);
    }

    /** The last value wins. */
    String text(String flag, String otherwise) {
        return values.getOrDefault(flag, List.of(otherwise)).getLast();
    }

    String required(String flag) {
        String text = text(flag, "");
        if (text.isEmpty()) {
            mistakes.add("-" + flag, "-" + flag + " is required", "");
        }
        return text;
    }

    boolean isEnabled(String flag, boolean otherwise) {
        boolean on = otherwise;
        for (String text : values.getOrDefault(flag, List.of())) {
            try {
                on = GoNumbers.parseBool(GoString.bytes(text));
            } catch (GoCallException e) {
                mistakes.add(
                        "-" + flag,
                        "invalid boolean value " + GoFlagParser.quote(text) + " for -" + flag + ": parse error",
                        "write -" + flag + "=true or =false");
            }
        }
        return on;
    }

    int integer(String flag, int otherwise) {
        int value = otherwise;
        for (String text : values.getOrDefault(flag, List.of())) {
            try {
                // Go's int has 64 bits; clamp larger counts to 32.
                value = Math.clamp(
                        GoNumbers.parseInt(GoString.bytes(text), 0, 64), Integer.MIN_VALUE, Integer.MAX_VALUE);
            } catch (GoCallException e) {
                boolean range = GoString.text(e.text()).endsWith("value out of range");
                mistakes.add(
                        "-" + flag,
                        "invalid value " + GoFlagParser.quote(text) + " for flag -" + flag + ": "
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
            mistakes.add(
                    "-" + flag,
                    GoFlagParser.quote(text) + " is not an address",
                    "write :8080, 127.0.0.1:8080, or 0 to disable");
        }
        return address;
    }

    ServiceLog.Format logFormat(String flag) {
        ServiceLog.Format format = ServiceLog.Format.JSON;
        for (String text : values.getOrDefault(flag, List.of())) {
            switch (text.toLowerCase(Locale.ROOT)) {
                case "json" -> format = ServiceLog.Format.JSON;
                case "console" -> format = ServiceLog.Format.CONSOLE;
                default ->
                    mistakes.add(
                            "-" + flag,
                            "invalid value " + GoFlagParser.quote(text) + " for flag -" + flag + ": invalid format "
                                    + GoFlagParser.quote(text),
                            "write json or console");
            }
        }
        return format;
    }
}
