package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.rest.LatestEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened last to a tenant: a fixed number of lines, of which the first is always the newest. When something happens the texts
 * move down by one line; no line comes or goes under the pointer.
 */
final class TenantEvents {
    /** How many lines may be asked for. */
    private static final List<String> LINES = List.of("10", "50");

    private static final String OFF = "off";

    private TenantEvents() {}

    static void add(Visit visit, String namespace, Map<String, Object> model, Cells cells) throws ApiProblem {
        String asked = visit.oneOf("events", LINES);
        String lines = asked.isEmpty() ? LINES.getFirst() : asked;
        List<Answer> events = visit.askIfAllowed(new Question(LatestEvents.ID)
                        .path("namespace", namespace)
                        .query("limit", lines))
                .map(answer -> answer.list("items"))
                .orElse(List.of());
        List<Map<String, String>> slots = new ArrayList<>();
        for (int at = 0; at < Integer.parseInt(lines); at++) {
            String key = "e/" + at;
            slots.add(Map.of("key", key));
            if (at < events.size()) {
                line(events.get(at), key, cells);
            } else {
                cells.mood(key, OFF).moment(key + "/at", "clock", Optional.empty(), "");
                cells.state(key + "/kind", Look.of("status", "Unknown")).text(key + "/what", "");
                cells.text(key + "/reason", "");
            }
        }
        cells.mood("e/none", events.isEmpty() ? "empty" : OFF);
        model.put("events", slots);
        model.put("eventsMore", lines.equals(LINES.getLast()) ? "" : visit.with(Map.of("events", LINES.getLast())));
        model.put("eventsFewer", lines.equals(LINES.getLast()) ? visit.with(Map.of("events", "")) : "");
    }

    private static void line(Answer event, String key, Cells cells) {
        String name = event.text("object.name");
        Answer problem = event.at("problem");
        cells.mood(key, "on").moment(key + "/at", "clock", event.moment("at"), "");
        String reason = problem.text("reason");
        String told = problem.tree().isEmpty()
                ? sentence(event)
                : Words.headline(problem.text("message"), problem.text("cure"), reason);
        cells.state(key + "/kind", look(event));
        cells.text(key + "/what", told.isEmpty() ? name : name + ": " + told);
        cells.text(key + "/reason", reason);
    }

    private static String sentence(Answer event) {
        String summary = event.text("summary");
        return summary.isEmpty() ? "" : Words.headline(summary, "", "");
    }

    private static Look look(Answer event) {
        return switch (event.text("type")) {
            case "ProblemOpened" -> Look.of("severity", event.text("problem.severity"));
            case "ProblemResolved" -> Look.of("result", "Restored").saying("Solved");
            case "Deleted" -> Look.of("state", "Closed").saying("Gone");
            default -> {
                Look look = event.has("state")
                        ? Look.of("state", event.text("state"))
                        : event.has("newNodes")
                                ? Look.of("newNodes", event.text("newNodes"))
                                : Look.of("severity", "Info").saying("Changed");
                yield event.text("type").equals("Added") && !event.has("newNodes") ? look.saying("New") : look;
            }
        };
    }
}
