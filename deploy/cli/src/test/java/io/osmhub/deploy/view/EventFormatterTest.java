package io.osmhub.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class EventFormatterTest {
    private static final String PROBLEM = """
            "problem":{"id":"1","reason":"UserDataTooLarge","severity":"Error","actor":"tenant","category":"settings",
            "object":{"cluster":"Worker","kind":"MachineDeployment","namespace":"kube-system","name":"workers-a"},
            "message":"cluster-7xk2m9: MachineDeployment kube-system/workers-a: 17,912 B, aws takes 16,384 B",
            "since":"2026-11-21T10:02:11Z"}""";

    private final EventFormatter lines =
            new EventFormatter(new TimestampFormatter(ZoneOffset.UTC, Instant.parse("2026-11-21T12:00:00Z")), false);

    private static StreamEvent event(String type, String at, String more) {
        try {
            return ApiJson.client().readValue("""
                    {"id":"x","type":"%s","at":"%s","tenant":"cluster-7xk2m9","object":{"cluster":"Worker",
                    "kind":"MachineDeployment","namespace":"kube-system","name":"workers-a"},%s}""".formatted(type, at, more), StreamEvent.class);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aProblemIsToldWhenItComesAndWhenItGoes() {
        assertThat(lines.of(event("ProblemOpened", "2026-11-21T10:02:11Z", PROBLEM)))
                .hasValue(
                        "10:02:11  Error    md/kube-system/workers-a  UserDataTooLarge    17,912 B, aws takes 16,384 B");
        assertThat(lines.of(event("ProblemResolved", "2026-11-21T10:41:30Z", PROBLEM)))
                .hasValue(
                        "10:41:30  Normal   md/kube-system/workers-a  ProblemResolved     UserDataTooLarge resolved after 39 min");
    }

    @Test
    void whatIsWrittenWithoutAChangeIsNotShownAgain() {
        String same = "\"newNodes\":\"Current\",\"summary\":\"new revision\"";

        assertThat(lines.of(event("Modified", "2026-11-20T10:41:30Z", same)))
                .hasValue("20 Nov 10:41:30  Normal   md/kube-system/workers-a  Current             new revision");
        assertThat(lines.of(event("Modified", "2026-11-21T10:41:31Z", same))).isEmpty();
        assertThat(lines.of(event("Bookmark", "2026-11-21T10:41:32Z", same))).isEmpty();
        assertThat(lines.of(event("Modified", "2026-11-21T10:41:33Z", "\"newNodes\":\"Blocked\"")))
                .isPresent();
    }

    @Test
    void whatOthersWroteCannotSteerTheTerminal() {
        assertThat(lines.of(event("Modified", "2026-11-21T10:41:30Z", "\"summary\":\"a\\u001b]0;x\\u0007\\nb\"")))
                .hasValueSatisfying(line -> assertThat(line).endsWith("a\\u001b]0;x\\u0007 b"));
    }
}
