package io.osmhub.deploy.explain;

import io.osmhub.core.problem.NodeEffect;
import io.osmhub.core.problem.Place;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.problem.Suggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every reason that a condition, an Event or a mistake may have. */
final class ReasonTopic implements Topic {
    @Override
    public String word() {
        return "reason";
    }

    @Override
    public String summary() {
        return "what a condition or an Event says: when it is set, when it goes away, who has to act";
    }

    @Override
    public List<String> overview() {
        return new Lines()
                .table(Arrays.stream(Reason.values())
                        .map(reason -> Map.entry(reason.word(), reason.set()))
                        .toList())
                .all();
    }

    @Override
    public List<String> explain(String name) {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason.word().equalsIgnoreCase(name))
                .findFirst()
                .map(ReasonTopic::lines)
                .orElse(List.of());
    }

    private static List<String> lines(Reason reason) {
        return new Lines()
                .title(reason.word() + " (" + reason.severity().word() + ", "
                        + reason.category().word() + ")")
                .blank()
                .field("new nodes", NodeEffect.of(reason))
                .field("set when", reason.set())
                .field("cleared", reason.cleared())
                .field("acts", reason.actor().word())
                .field(
                        "shows at",
                        reason.places().stream().map(ReasonTopic::words).collect(Collectors.joining(", ")))
                .field(
                        "Event",
                        reason.events().isEmpty()
                                ? ""
                                : reason.eventReason() + " at "
                                        + reason.events().stream()
                                                .map(Subject::kind)
                                                .collect(Collectors.joining(", ")))
                .field("message", reason.template())
                .all();
    }

    private static String words(Place place) {
        String kind = place.subject().kind();
        return place.condition().isEmpty() ? kind : kind + " " + place.condition() + "=" + place.status();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return Suggestion.closest(
                unknown, Arrays.stream(Reason.values()).map(Reason::word).toList());
    }
}
