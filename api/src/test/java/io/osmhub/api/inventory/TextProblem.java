package io.osmhub.api.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.resource.StoredProblem;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Problems of tests in one line each, {@code TENANT: KIND NAME, FIELD line 12:7: CAUSE; FIX: COMMAND}, of which only TENANT and CAUSE are required. */
public final class TextProblem {
    private static final Pattern LINE = Pattern.compile(
            "(?<tenant>\\S+): (?:(?<kind>[A-Z]\\w+) (?<name>\\S+?)(?:, (?<field>.+?)(?: line (?<line>\\d+):(?<column>\\d+))?)?: )?"
                    + "(?<cause>.*?)(?:; (?<fix>.*?)(?:: (?<command>(?:hub|kubectl) .*))?)?");

    private static final ObjectMapper JSON = new ObjectMapper();

    private TextProblem() {}

    /** The problem as the hub completes it. */
    public static Problem parse(Reason reason, String text, String workerCluster) {
        Matcher parts = LINE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(text);
        }
        String kind = part(parts, "kind");
        String command = part(parts, "command");
        Problem found = new Problem(
                reason,
                kind.isEmpty() ? ProblemObject.NONE : ProblemObject.of(kind, part(parts, "name")),
                part(parts, "field"),
                parts.group("line") == null
                        ? SourcePosition.NONE
                        : new SourcePosition(
                                Integer.parseInt(parts.group("line")), Integer.parseInt(parts.group("column"))),
                part(parts, "cause"),
                part(parts, "fix"));
        return (command.isEmpty() ? found : found.withCommand(new Command(ProblemObject.Cluster.MANAGEMENT, command)))
                .inTenant(part(parts, "tenant"), workerCluster);
    }

    /** The parts of the problem as they are in a status. */
    public static JsonNode stored(Problem problem) {
        return JSON.valueToTree(StoredProblem.of(problem));
    }

    private static String part(Matcher parts, String name) {
        return Objects.requireNonNullElse(parts.group(name), "");
    }
}
