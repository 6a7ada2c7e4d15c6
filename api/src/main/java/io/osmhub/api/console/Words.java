package io.osmhub.api.console;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sentences that several pages say. */
final class Words {
    /** Words for who has to act, as the contract has them. */
    static final List<String> ACTORS = List.of("tenant", "operator", "hub");

    static final List<String> SEVERITIES = List.of("Error", "Warning", "Info");

    private static final Pattern COMMAND = Pattern.compile("(?:; see)?\\n|: (?=(?:hub|kubectl) )");

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
            return cause.endsWith(";") ? cause.substring(0, cause.length() - 1) : cause;
        }
        String advice = advice(cure);
        int told = advice.isEmpty() ? -1 : cause.lastIndexOf("; " + advice);
        return told < 0 ? cause : cause.substring(0, told);
    }

    /** The same without the tenant and the object before the first two colons, for headlines. */
    static String headline(String message, String cure, String reason) {
        String[] parts = parts(message, cure);
        String what = parts[parts.length - 1];
        // "Missing" alone, or a value alone, says nothing without the field that it is about.
        boolean bare = !what.contains(" ") || what.startsWith("\"");
        return bare && parts.length == 3
                ? exact(message, cure, reason)
                : what.isBlank() ? spaced(reason) : capital(what);
    }

    /** The same with the field of the object that it is about, for where there is room for it. */
    static String exact(String message, String cure, String reason) {
        String[] parts = parts(message, cure);
        String what = parts[parts.length - 1];
        if (what.isBlank()) {
            return spaced(reason);
        }
        int field = parts.length == 3 ? parts[1].indexOf(", ") : -1;
        return capital(field < 0 ? what : parts[1].substring(field + 2) + ": " + what);
    }

    /** Tenant, place and what is wrong; fewer where a message has fewer. */
    private static String[] parts(String message, String cure) {
        return cause(message, cure).split(": ", 3);
    }

    /** A clause as a sentence of its own; empty for an empty one. */
    static String sentence(String clause) {
        return clause.isEmpty() || clause.matches("(?s).*[.?!:]") ? capital(clause) : capital(clause) + ".";
    }

    /** "1 is", "2 are": a number with the form of a verb that goes with it. */
    static String verb(long number, String one, String many) {
        return Figures.number(number) + " " + (number == 1 ? one : many);
    }

    /** That all MachineDeployments start nodes: how they do is said after it. */
    static String start(long all) {
        return all == 1
                ? "The only MachineDeployment starts nodes"
                : "All " + Figures.number(all) + " MachineDeployments start nodes";
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

    /**
     * The command in a cure, for example {@code hub cluster rbac shop}, in one line to be pasted; empty when there is none. It stands
     * in lines of its own or after a colon.
     */
    static String command(String cure) {
        return cure.substring(endOfAdvice(cure))
                .replaceFirst("^[:;]?\\s+(see\\s+)?", "")
                .replaceAll("\\s*\\\\?\\n\\s*", " ");
    }

    /** A cure as a sentence, without the command that stands below it. */
    static String advice(String cure) {
        String advice = cure.substring(0, endOfAdvice(cure));
        return advice.endsWith(":") ? advice.substring(0, advice.length() - 1) : advice;
    }

    private static int endOfAdvice(String cure) {
        Matcher command = COMMAND.matcher(cure);
        return command.find() ? command.start() : cure.length();
    }
}
