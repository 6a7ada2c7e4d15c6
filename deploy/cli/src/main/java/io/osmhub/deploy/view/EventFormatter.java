package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Formats changes as lines. Updates that change nothing visible, such as status writes of hubs, are omitted.
 */
public final class EventFormatter {
    private static final int SEVERITY_WIDTH = 9;
    private static final int MOST_REMEMBERED = 100_000;

    private static final Pattern PLACE = Pattern.compile(
            "[^ :]+: (?:WorkerCluster|MachineDeployment|OperatingSystemConfig|OperatingSystemProfile) [^ :]+(?:, annotation [^ ]+)?: ");

    private final TimestampFormatter moments;
    private final boolean colors;
    private final Map<String, String> shown = new HashMap<>();
    private int objectWidth = 24;
    private int reasonWidth = 18;

    /** @param moments its {@code now} determines the current day */
    public EventFormatter(TimestampFormatter moments, boolean colors) {
        this.moments = moments;
        this.colors = colors;
    }

    /** Empty if there is nothing to show. */
    public Optional<String> of(StreamEvent event) {
        String object = ValueFormatter.object(event.object());
        return switch (event.type()) {
            case BOOKMARK, RESET -> Optional.empty();
            case PROBLEM_OPENED ->
                Optional.ofNullable(event.problem()).map(problem -> formatOpened(event.at(), problem));
            case PROBLEM_RESOLVED ->
                Optional.ofNullable(event.problem()).map(problem -> formatResolved(event.at(), object, problem));
            case ADDED, MODIFIED, DELETED -> changed(event, object);
        };
    }

    /** The start of a problem. */
    public String formatOpened(Instant at, ProblemEntry problem) {
        return line(
                at,
                problem.severity().wireName(),
                ValueFormatter.tone(problem.severity()),
                ValueFormatter.object(problem.object()),
                problem.reason().wireName(),
                alone(problem.message()));
    }

    /** The end of a problem. */
    public String formatResolved(Instant at, String object, ProblemEntry problem) {
        Duration lasted = Duration.between(problem.since(), at);
        return line(
                at,
                "Normal",
                CellStyle.GOOD,
                object,
                "ProblemResolved",
                problem.reason().wireName() + " resolved after " + ValueFormatter.age(lasted));
    }

    /** A published configuration. */
    public String formatPublished(String object, HistoryEntry entry) {
        boolean refused = entry.result() == HistoryEntry.Result.REFUSED;
        return line(
                entry.at(),
                refused ? "Error" : "Normal",
                refused ? CellStyle.BAD : CellStyle.PLAIN,
                object,
                ApiJson.word(entry.result()),
                entry.because()
                        + (entry.writes() == null || entry.writes() == 0
                                ? ""
                                : "; " + ValueFormatter.countOf(entry.writes(), "write") + ", "
                                        + ValueFormatter.milliseconds(entry.durationMilliseconds())));
    }

    private Optional<String> changed(StreamEvent event, String object) {
        String word = event.type() == StreamEvent.Type.DELETED
                ? "Deleted"
                : event.newNodes() != null
                        ? ApiJson.word(event.newNodes())
                        : event.state() != null ? ApiJson.word(event.state()) : ApiJson.word(event.type());
        String summary = alone(ValueFormatter.text(event.summary()));
        String key = event.tenant() + " " + object;
        String said = word + " " + summary;
        if (said.equals(shown.put(key, said))) {
            return Optional.empty();
        }
        if (shown.size() > MOST_REMEMBERED) {
            shown.clear();
        }
        return Optional.of(line(event.at(), "Normal", CellStyle.PLAIN, object, word, summary));
    }

    private String line(Instant at, String severity, CellStyle tone, String object, String reason, String text) {
        // Never narrower again: printed lines cannot be realigned.
        objectWidth = Math.max(objectWidth, object.length());
        reasonWidth = Math.max(reasonWidth, reason.length());
        String pad = " ".repeat(Math.max(0, SEVERITY_WIDTH - severity.length()));
        return (moments.formatTime(at) + "  " + (colors ? tone.colorize(severity) : severity) + pad
                        + padded(TerminalSanitizer.sanitizeLine(object), objectWidth) + "  "
                        + padded(TerminalSanitizer.sanitizeLine(reason), reasonWidth)
                        + "  "
                        + TerminalSanitizer.sanitizeLine(text))
                .stripTrailing();
    }

    /** The message without its prefix {@code tenant: Kind name: }, which names the object. */
    private static String alone(String message) {
        Matcher place = PLACE.matcher(message);
        return place.lookingAt() ? message.substring(place.end()) : message;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
