package io.osmhub.workersync.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.workersync.port.EventRecorder.Action;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Event as JSON. Source: Kubernetes API reference, events.k8s.io/v1. */
final class EventJson {
    private static final String CONTROLLER = "osmhub.io/hub";
    /** Maximum length of {@code note} that the API server accepts. */
    private static final int NOTE_BYTES = 1024;

    private static final int WORD = 128;
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private EventJson() {}

    record EventHeader(String namespace, String name, Instant at, String instance) {}

    static String event(
            EventHeader head,
            Regarding regarding,
            @Nullable Regarding related,
            ReasonMessage event,
            Action action,
            int count) {
        JsonWriter json = new JsonWriter(JsonWriter.StringForm.TEXT);
        json.beginObject()
                .field("action", action.wireName())
                .field("apiVersion", "events.k8s.io/v1")
                .field("eventTime", MICRO_TIME.format(head.at()))
                .field("kind", "Event");
        json.key("metadata")
                .beginObject()
                .field("name", head.name())
                .field("namespace", head.namespace())
                .endObject();
        json.field("note", cut(event.message())).field("reason", event.reason().eventReason());
        object(json, "regarding", regarding);
        if (related != null) {
            object(json, "related", related);
        }
        json.field("reportingController", CONTROLLER)
                .field(
                        "reportingInstance",
                        head.instance()
                                .substring(0, Math.min(WORD, head.instance().length())));
        if (count > 1) {
            series(json, count, head.at());
        }
        return json.field("type", event.reason().severity() == Severity.INFO ? "Normal" : "Warning")
                .endObject()
                .toString();
    }

    /** Merge patch for a repeated Event. */
    static String repeat(int count, Instant last) {
        JsonWriter json = new JsonWriter(JsonWriter.StringForm.TEXT).beginObject();
        series(json, count, last);
        return json.endObject().toString();
    }

    private static void series(JsonWriter json, int count, Instant last) {
        json.key("series").beginObject();
        json.key("count").value((long) count);
        json.field("lastObservedTime", MICRO_TIME.format(last)).endObject();
    }

    private static void object(JsonWriter json, String key, Regarding object) {
        json.key(key)
                .beginObject()
                .field("apiVersion", object.apiVersion())
                .field("kind", object.kind())
                .field("name", object.name());
        if (!object.namespace().isEmpty()) {
            json.field("namespace", object.namespace());
        }
        if (object.uid() != null) {
            json.field("uid", object.uid());
        }
        json.endObject();
    }

    private static String cut(String message) {
        String note = message;
        while (note.getBytes(UTF_8).length > NOTE_BYTES) {
            note = note.substring(0, note.offsetByCodePoints(note.length(), -1));
        }
        return note;
    }
}
