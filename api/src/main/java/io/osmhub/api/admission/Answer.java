package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.osmhub.core.problem.Finding;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the API server is told. Codes and forms are those of the peer's.
 *
 * @param code HTTP status that the user sees
 * @param reason of the Kubernetes Status; empty without
 * @param message empty without
 * @param warnings shown to the user beside the result; each one line
 * @param patch JSON patch of the object; null when it is right as it is
 */
record Answer(
        boolean allowed,
        int code,
        String reason,
        String message,
        List<String> warnings,
        @Nullable ArrayNode patch) {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int INTERNAL = 500;

    /** Findings that a message spells out. */
    private static final int TOLD = 3;

    /** Longer ones are cut by some clients, and then in the middle of a word. */
    private static final int LONGEST_WARNING = 250;

    Answer {
        warnings = warnings.stream().map(Answer::oneLine).toList();
    }

    static Answer allowed(String message) {
        return new Answer(true, OK, "", message, List.of(), null);
    }

    /** The rules say no. */
    static Answer denied(String message) {
        return new Answer(false, FORBIDDEN, "Forbidden", message, List.of(), null);
    }

    /** The object cannot be understood, which is its author's to mend. */
    static Answer refused(String message) {
        return new Answer(false, BAD_REQUEST, "", message, List.of(), null);
    }

    /** The hub itself failed. */
    static Answer failed(String message) {
        return new Answer(false, INTERNAL, "", message, List.of(), null);
    }

    Answer with(List<String> moreWarnings) {
        return new Answer(allowed, code, reason, message, moreWarnings, patch);
    }

    Answer patched(@Nullable ArrayNode changes) {
        return new Answer(allowed, code, reason, message, warnings, changes);
    }

    /** The first findings and how many there are besides, in one line. */
    static String sentence(List<Finding> findings) {
        String told = findings.stream()
                .limit(TOLD)
                .map(finding -> clean(finding.toString()))
                .collect(Collectors.joining(" | "));
        int more = findings.size() - TOLD;
        return more > 0 ? told + " (and " + more + " more)" : told;
    }

    /** Without what disturbs a terminal; whole, as the places in it are what people need. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().filter(c -> Character.getType(c) != Character.FORMAT).forEach(c -> {
            boolean breaks = Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
            clean.appendCodePoint(breaks ? ' ' : c);
        });
        return clean.toString();
    }

    private static String oneLine(String text) {
        String clean = clean(text);
        return clean.length() <= LONGEST_WARNING ? clean : clean.substring(0, LONGEST_WARNING - 4) + " ...";
    }
}
