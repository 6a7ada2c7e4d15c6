package io.osmhub.api.console;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sentences shared by several pages. */
final class MessageText {
    /** Roles that act on a problem, as in the contract. */
    static final List<String> ACTORS = List.of("tenant", "operator", "hub");

    static final List<String> SEVERITIES = List.of("Error", "Warning", "Info");

    private static final Pattern COMMAND = Pattern.compile("(?:; see)?\\n|: (?=(?:hub|kubectl) )");

    private static final Pattern BEGINS_WITH_WORD = Pattern.compile("[a-z]+(?![\\w./:-])");

    private MessageText() {}

    static String actor(String word) {
        return switch (word) {
            case "tenant" -> "Tenant";
            case "operator" -> "Operator";
            case "hub" -> "The hub";
            default -> word;
        };
    }

    static String machineDeployments(long number) {
        return NumberFormats.count(number, "MachineDeployment", "MachineDeployments");
    }

    /** What becomes of new nodes, in a few words; {@code stale} are outdated or at risk. */
    static String effects(long total, long blocked, long stale) {
        if (blocked > 0) {
            return NumberFormats.number(blocked) + " of " + machineDeployments(total) + " cannot start nodes";
        }
        return stale == 0
                ? start(total)
                : start(total) + ", " + (total == 1 ? "but is" : NumberFormats.number(stale)) + " outdated or at risk";
    }

    /** Who must act, as a sentence. */
    static String describeActor(String actor) {
        return switch (actor) {
            case "tenant" -> "The tenant must act. This page updates within seconds of the fix.";
            case "operator" -> "A platform operator must act. This page updates within seconds of the fix.";
            case "hub" -> "This is a bug in the hub; report it.";
            default -> "No action needed.";
        };
    }

    /** The message without its leading tenant and object and its trailing fix, which a page shows separately. */
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
        // "Missing" alone, or only a value, is unclear without its field.
        boolean bare = !what.contains(" ") || what.startsWith("\"");
        return bare && parts.length == 3
                ? exact(message, cure, reason)
                : what.isBlank() ? spaced(reason) : capital(what);
    }

    /** The same with the object's field, where there is space for it. */
    static String exact(String message, String cure, String reason) {
        String[] parts = parts(message, cure);
        String what = parts[parts.length - 1];
        if (what.isBlank()) {
            return spaced(reason);
        }
        int field = parts.length == 3 ? parts[1].indexOf(", ") : -1;
        return capital(field < 0 ? what : parts[1].substring(field + 2) + ": " + what);
    }

    /** Tenant, place and description; fewer if the message has fewer parts. */
    private static String[] parts(String message, String cure) {
        return cause(message, cure).split(": ", 3);
    }

    /** A clause as a sentence; empty for an empty one. */
    static String sentence(String clause) {
        return clause.isEmpty() || clause.matches("(?s).*[.?!:]") ? capital(clause) : capital(clause) + ".";
    }

    /** "1 is", "2 are": a number with its verb form. */
    static String verb(long number, String one, String many) {
        return NumberFormats.number(number) + " " + (number == 1 ? one : many);
    }

    /** States that all MachineDeployments start nodes; details follow. */
    static String start(long all) {
        return all == 1
                ? "The only MachineDeployment starts nodes"
                : "All " + NumberFormats.number(all) + " MachineDeployments start nodes";
    }

    /** A sentence with a leading capital, unless it starts with a name. */
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
     * The command in a fix, for example {@code hub cluster rbac shop}, in one line to paste; empty if there is none. It is on
     * separate lines or after a colon.
     */
    static String command(String cure) {
        return cure.substring(endOfAdvice(cure))
                .replaceFirst("^[:;]?\\s+(see\\s+)?", "")
                .replaceAll("\\s*\\\\?\\n\\s*", " ");
    }

    /** A fix as a sentence, without its command. */
    static String advice(String cure) {
        String advice = cure.substring(0, endOfAdvice(cure));
        return advice.endsWith(":") ? advice.substring(0, advice.length() - 1) : advice;
    }

    private static int endOfAdvice(String cure) {
        Matcher command = COMMAND.matcher(cure);
        return command.find() ? command.start() : cure.length();
    }
}
