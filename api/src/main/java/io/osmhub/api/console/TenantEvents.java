package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.journal.EventOperations;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latest events of a tenant in a fixed number of lines, newest first. Updates move texts down a line; no line appears or
 * disappears under the pointer.
 */
final class TenantEvents {
    /** Selectable numbers of lines. */
    private static final List<String> LINES = List.of("10", "50");

    private static final String OFF = "off";

    private TenantEvents() {}

    static void add(PageContext visit, String namespace, Map<String, Object> model, LiveCells cells) throws ApiProblem {
        String asked = visit.oneOf("events", LINES);
        String lines = asked.isEmpty() ? LINES.getFirst() : asked;
        List<ReplyTree> events = visit.callIfAllowed(new OperationRequest(EventOperations.LATEST_EVENTS)
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
                cells.classes(key, OFF).time(key + "/at", "clock", Optional.empty(), "");
                cells.state(key + "/kind", StateBadge.of("status", "Unknown")).text(key + "/what", "");
                cells.text(key + "/reason", "");
            }
        }
        cells.classes("e/none", events.isEmpty() ? "empty" : OFF);
        model.put("events", slots);
        model.put(
                "eventsMore",
                lines.equals(LINES.getLast()) ? "" : visit.withParameters(Map.of("events", LINES.getLast())));
        model.put("eventsFewer", lines.equals(LINES.getLast()) ? visit.withParameters(Map.of("events", "")) : "");
    }

    private static void line(ReplyTree event, String key, LiveCells cells) {
        String name = event.text("object.name");
        ReplyTree problem = event.at("problem");
        cells.classes(key, "on").time(key + "/at", "clock", event.instant("at"), "");
        String reason = problem.text("reason");
        String told = problem.tree().isEmpty() ? sentence(event) : MessageText.headline(problem);
        cells.state(key + "/kind", look(event));
        cells.text(key + "/what", told.isEmpty() ? name : name + ": " + told);
        cells.text(key + "/reason", reason);
    }

    /** The summary is that of the last publication, which does not explain a risk since then. */
    private static String sentence(ReplyTree event) {
        String summary = event.text("newNodes").equals("AtRisk") ? "" : event.text("summary");
        return summary.isEmpty() ? "" : ProblemEntries.capital(summary);
    }

    private static StateBadge look(ReplyTree event) {
        return switch (event.text("type")) {
            case "ProblemOpened" -> StateBadge.of("severity", event.text("problem.severity"));
            case "ProblemResolved" -> StateBadge.of("result", "Restored").withText("Solved");
            case "Deleted" -> StateBadge.of("state", "Closed").withText("Gone");
            default -> {
                StateBadge look = event.has("state")
                        ? StateBadge.of("state", event.text("state"))
                        : event.has("newNodes")
                                ? StateBadge.of("newNodes", event.text("newNodes"))
                                : StateBadge.of("severity", "Info").withText("Changed");
                yield event.text("type").equals("Added") && !event.has("newNodes") ? look.withText("New") : look;
            }
        };
    }
}
