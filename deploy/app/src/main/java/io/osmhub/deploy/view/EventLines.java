package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes as lines, one below the other as they come. What is written without changing anything that is shown, as hubs write
 * statuses, is not shown again.
 */
public final class EventLines {
    private static final int SEVERITY_WIDTH = 9;
    private static final int MOST_REMEMBERED = 100_000;

    private static final Pattern PLACE = Pattern.compile(
            "[^ :]+: (?:WorkerCluster|MachineDeployment|OperatingSystemConfig|OperatingSystemProfile) [^ :]+(?:, annotation [^ ]+)?: ");

    private final Moments moments;
    private final boolean colors;
    private final Map<String, String> shown = new HashMap<>();
    private int objectWidth = 24;
    private int reasonWidth = 18;

    /** @param moments whose now is taken for what day it is */
    public EventLines(Moments moments, boolean colors) {
        this.moments = moments;
        this.colors = colors;
    }

    /** Empty when there is nothing to show of it. */
    public Optional<String> of(StreamEvent event) {
        String object = Words.object(event.object());
        return switch (event.type()) {
            case BOOKMARK, RESET -> Optional.empty();
            case PROBLEM_OPENED -> Optional.ofNullable(event.problem()).map(problem -> opened(event.at(), problem));
            case PROBLEM_RESOLVED ->
                Optional.ofNullable(event.problem()).map(problem -> resolved(event.at(), object, problem));
            case ADDED, MODIFIED, DELETED -> changed(event, object);
        };
    }

    /** A problem as it began. */
    public String opened(Instant at, ProblemEntry problem) {
        return line(
                at,
                problem.severity().word(),
                Words.tone(problem.severity()),
                Words.object(problem.object()),
                problem.reason().word(),
                alone(problem.message()));
    }

    /** A problem as it ended. */
    public String resolved(Instant at, String object, ProblemEntry problem) {
        Duration lasted = Duration.between(problem.since(), at);
        return line(
                at,
                "Normal",
                Tone.GOOD,
                object,
                "ProblemResolved",
                problem.reason().word() + " over after " + Words.age(lasted));
    }

    /** What was published. */
    public String published(String object, HistoryEntry entry) {
        boolean refused = entry.result() == HistoryEntry.Result.REFUSED;
        return line(
                entry.at(),
                refused ? "Error" : "Normal",
                refused ? Tone.BAD : Tone.PLAIN,
                object,
                ApiJson.word(entry.result()),
                entry.because()
                        + (entry.writes() == null || entry.writes() == 0
                                ? ""
                                : "; " + Words.counted(entry.writes(), "write") + ", "
                                        + Words.took(entry.durationMilliseconds())));
    }

    private Optional<String> changed(StreamEvent event, String object) {
        String word = event.type() == StreamEvent.Type.DELETED
                ? "Deleted"
                : event.newNodes() != null
                        ? ApiJson.word(event.newNodes())
                        : event.state() != null ? ApiJson.word(event.state()) : ApiJson.word(event.type());
        String summary = alone(Words.text(event.summary()));
        String key = event.tenant() + " " + object;
        String said = word + " " + summary;
        if (said.equals(shown.put(key, said))) {
            return Optional.empty();
        }
        if (shown.size() > MOST_REMEMBERED) {
            shown.clear();
        }
        return Optional.of(line(event.at(), "Normal", Tone.PLAIN, object, word, summary));
    }

    private String line(Instant at, String severity, Tone tone, String object, String reason, String text) {
        // Wider for good once something wide came: lines above cannot be moved any more.
        objectWidth = Math.max(objectWidth, object.length());
        reasonWidth = Math.max(reasonWidth, reason.length());
        String pad = " ".repeat(Math.max(0, SEVERITY_WIDTH - severity.length()));
        return (moments.clock(at) + "  " + (colors ? tone.paint(severity) : severity) + pad
                        + padded(Plain.line(object), objectWidth) + "  " + padded(Plain.line(reason), reasonWidth)
                        + "  "
                        + Plain.line(text))
                .stripTrailing();
    }

    /** A message without its beginning, which says whom it is about: {@code tenant: Kind name: }. */
    private static String alone(String message) {
        Matcher place = PLACE.matcher(message);
        return place.lookingAt() ? message.substring(place.end()) : message;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
