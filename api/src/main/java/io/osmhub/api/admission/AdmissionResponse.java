package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An admission response. Codes and formats are those of OSM.
 *
 * @param code HTTP status that the user sees
 * @param reason of the Kubernetes Status; may be empty
 * @param message may be empty
 * @param warnings shown to the user beside the result; one line each
 * @param patch JSON patch of the object; null if it needs none
 */
record AdmissionResponse(
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

    /** Maximum number of findings in a message. */
    private static final int TOLD = 3;

    /** Some clients truncate longer warnings, in the middle of a word. */
    private static final int LONGEST_WARNING = 250;

    AdmissionResponse {
        warnings = warnings.stream().map(AdmissionResponse::oneLine).toList();
    }

    static AdmissionResponse allowed(String message) {
        return new AdmissionResponse(true, OK, "", message, List.of(), null);
    }

    /** Rejected by the rules. */
    static AdmissionResponse denied(String message) {
        return new AdmissionResponse(false, FORBIDDEN, "Forbidden", message, List.of(), null);
    }

    /** The object cannot be decoded; its author must fix it. */
    static AdmissionResponse malformed(String message) {
        return new AdmissionResponse(false, BAD_REQUEST, "", message, List.of(), null);
    }

    /** The hub itself failed. */
    static AdmissionResponse internalError(String message) {
        return new AdmissionResponse(false, INTERNAL, "", message, List.of(), null);
    }

    AdmissionResponse withWarnings(List<String> moreWarnings) {
        return new AdmissionResponse(allowed, code, reason, message, moreWarnings, patch);
    }

    AdmissionResponse withPatch(@Nullable ArrayNode changes) {
        return new AdmissionResponse(allowed, code, reason, message, warnings, changes);
    }

    /** The first findings and the number of omitted ones, in one line. Not truncated, because users need the paths in it. */
    static String summarize(List<Problem> findings) {
        String told = findings.stream()
                .limit(TOLD)
                .map(finding -> MessageFormatter.visible(finding.toString()))
                .collect(Collectors.joining(" | "));
        int more = findings.size() - TOLD;
        return more > 0 ? told + " (and " + more + " more)" : told;
    }

    private static String oneLine(String text) {
        String clean = MessageFormatter.visible(text);
        return clean.length() <= LONGEST_WARNING ? clean : clean.substring(0, LONGEST_WARNING - 4) + " ...";
    }
}
