package io.osmhub.api.console;

import io.osmhub.api.inventory.ProblemEntries;
import java.util.List;
import java.util.Locale;

/** Sentences shared by several pages. */
final class MessageText {
    /** Roles that act on a problem, as in the contract. */
    static final List<String> ACTORS = List.of("tenant", "operator", "hub");

    static final List<String> SEVERITIES = List.of("Error", "Warning", "Info");

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

    /** What becomes of new nodes, in a few words. */
    static String effects(long total, long blocked, long outdated, long risk) {
        if (blocked > 0) {
            return NumberFormats.number(blocked) + " of " + machineDeployments(total) + " cannot start nodes";
        }
        if (outdated + risk == 0) {
            return start(total);
        }
        String stale = outdated == 0 ? " at risk" : risk == 0 ? " outdated" : " outdated or at risk";
        return start(total) + ", " + (total == 1 ? "but is" : NumberFormats.number(outdated + risk)) + stale;
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

    /** The cause of a problem or cause of the API, for headlines. */
    static String headline(ReplyTree problem) {
        String headline = problem.text("headline");
        return headline.isBlank() ? spaced(problem.text("reason")) : headline;
    }

    /** The cause with the object's field, where there is space for it. */
    static String exact(ReplyTree problem) {
        String field = problem.text("field");
        return field.isEmpty() || headline(problem).contains(field)
                ? headline(problem)
                : ProblemEntries.capital(field + ": " + headline(problem));
    }

    /** A clause as a sentence; empty for an empty one. */
    static String sentence(String clause) {
        boolean ends = clause.isEmpty() || ".?!:".indexOf(clause.charAt(clause.length() - 1)) >= 0;
        return ProblemEntries.capital(clause) + (ends ? "" : ".");
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

    /** "UserDataTooLarge" as words. */
    static String spaced(String reason) {
        return ProblemEntries.capital(
                reason.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }
}
