package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Reason.ConditionTarget;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.resource.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTest {
    @Test
    void enumAndListHoldTheSameReasonsInTheSameOrder() {
        List<String> listed = contract().stream()
                .map(entry -> entry.get("reason").textValue())
                .toList();

        assertThat(Reason.values()).extracting(Reason::wireName).containsExactlyElementsOf(listed);
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatTheListSays(Reason reason) {
        JsonNode entry = contract().stream()
                .filter(listed -> listed.get("reason").textValue().equals(reason.wireName()))
                .findFirst()
                .orElseThrow();

        assertThat(reason.conditionTargets())
                .extracting(ConditionTarget::toString)
                .containsExactlyElementsOf(texts(entry.get("at")));
        assertThat(reason.severity().wireName()).isEqualTo(entry.get("severity").textValue());
        assertThat(reason.actor().wireName()).isEqualTo(entry.get("actor").textValue());
        assertThat(reason.category().wireName()).isEqualTo(entry.get("category").textValue());
        assertThat(reason.eventSubjects())
                .extracting(SubjectKind::shortForm)
                .containsExactlyElementsOf(texts(entry.get("event")));
        assertThat(reason.eventReason()).isEqualTo(entry.path("eventReason").asText(reason.wireName()));
        assertThat(reason.setWhen()).isEqualTo(entry.get("set").textValue());
        assertThat(reason.clearedWhen()).isEqualTo(entry.get("cleared").textValue());
        assertThat(reason.template()).isEqualTo(entry.get("message").textValue());
        assertThat(Reason.of(reason.wireName())).contains(reason);
    }

    private static List<JsonNode> contract() {
        List<JsonNode> reasons = new ArrayList<>();
        YamlText.documents("/contracts/reasons.yaml").getFirst().forEach(group -> group.get("reasons")
                .forEach(reasons::add));
        return reasons;
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }
}
