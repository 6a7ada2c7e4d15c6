package io.osmhub.api.console;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Sentences that several pages say. */
final class Words {
    /** Words for who has to act, as the contract has them. */
    static final List<String> ACTORS = List.of("tenant", "operator", "hub");

    static final List<String> SEVERITIES = List.of("Error", "Warning", "Info");

    private static final Pattern BEGINS_WITH_WORD = Pattern.compile("[a-z]+(?![\\w./:-])");

    private Words() {}

    static String actor(String word) {
        return switch (word) {
            case "tenant" -> "Tenant";
            case "operator" -> "Operator";
            case "hub" -> "The hub";
            default -> word;
        };
    }

    /** Who has to act, as a sentence. */
    static String acts(String actor) {
        return switch (actor) {
            case "tenant" -> "Acts: the tenant. This page clears by itself within seconds of the cure.";
            case "operator" -> "Acts: a platform operator. This page clears by itself within seconds of the cure.";
            case "hub" -> "This is a fault of the hub: report it.";
            default -> "Nobody has to act.";
        };
    }

    /**
     * A message without its beginning that names the tenant and the object, and without its cure at the end: on a page all three
     * stand in places of their own.
     */
    static String cause(String message, String cure) {
        String cause = message;
        if (!cure.isEmpty() && cause.endsWith(cure)) {
            cause = cause.substring(0, cause.length() - cure.length()).strip();
            cause = cause.endsWith(";") ? cause.substring(0, cause.length() - 1) : cause;
        }
        return cause;
    }

    /** The same without the tenant and the object before the first two colons, for headlines. */
    static String headline(String message, String cure, String reason) {
        String cause = cause(message, cure);
        String[] parts = cause.split(": ", 3);
        String last = parts.length == 3 ? parts[2] : parts[parts.length - 1];
        return last.isBlank() ? spaced(reason) : capital(last);
    }

    /** A sentence with a capital at its start, unless it begins with a name. */
    static String capital(String sentence) {
        return !BEGINS_WITH_WORD.matcher(sentence).lookingAt()
                ? sentence
                : sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    /** "UserDataTooLarge" as words. */
    static String spaced(String reason) {
        return capital(reason.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }

    /** The command in a cure, for example {@code hub cluster rbac shop}; empty when there is none. */
    static String command(String cure) {
        for (String start : List.of("hub ", "kubectl ")) {
            int at = cure.indexOf(": " + start);
            if (at >= 0) {
                return cure.substring(at + 2);
            }
        }
        return "";
    }
}
