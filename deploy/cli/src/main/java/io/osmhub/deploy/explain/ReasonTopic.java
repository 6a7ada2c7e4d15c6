package io.osmhub.deploy.explain;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.ConditionTarget;
import io.osmhub.core.problem.Reason.NodeEffect;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The reasons of conditions, Events and errors. */
final class ReasonTopic implements ExplainTopic {
    @Override
    public String name() {
        return "reason";
    }

    @Override
    public String summary() {
        return "the reasons of conditions and Events: when set, when cleared, who must act";
    }

    @Override
    public List<String> listEntries() {
        return new TextLayout()
                .table(Arrays.stream(Reason.values())
                        .map(reason -> Map.entry(reason.wireName(), reason.setWhen()))
                        .toList())
                .all();
    }

    @Override
    public List<String> explain(String name) {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason.wireName().equalsIgnoreCase(name))
                .findFirst()
                .map(ReasonTopic::lines)
                .orElse(List.of());
    }

    private static List<String> lines(Reason reason) {
        return new TextLayout()
                .title(reason.wireName() + " (" + reason.severity().wireName() + ", "
                        + reason.category().wireName() + ")")
                .blank()
                .field("new nodes", NodeEffect.of(reason))
                .field("set when", reason.setWhen())
                .field("cleared", reason.clearedWhen())
                .field("acts", reason.actor().wireName())
                .field(
                        "reported at",
                        reason.conditionTargets().stream()
                                .map(ReasonTopic::describe)
                                .collect(Collectors.joining(", ")))
                .field(
                        "Event",
                        reason.eventSubjects().isEmpty()
                                ? ""
                                : reason.eventReason() + " at "
                                        + reason.eventSubjects().stream()
                                                .map(SubjectKind::kind)
                                                .collect(Collectors.joining(", ")))
                .field("message", reason.template())
                .all();
    }

    private static String describe(ConditionTarget place) {
        String kind = place.subject().kind();
        return place.condition().isEmpty() ? kind : kind + " " + place.condition() + "=" + place.status();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return SpellingSuggestion.findClosest(
                unknown, Arrays.stream(Reason.values()).map(Reason::wireName).toList());
    }
}
