package io.osmhub.core.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.problem.Reason.ConditionTarget;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Reason.SubjectKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A reason in {@code reasons.txt}, whose header describes the format and the fields. */
record ReasonDescription(
        Severity severity,
        Actor actor,
        Category category,
        List<ConditionTarget> places,
        List<SubjectKind> events,
        String eventReason,
        @Nullable LinkName link,
        String setWhen,
        String clearedWhen,
        String template) {
    private static final String FILE = "reasons.txt";
    private static final Map<String, ReasonDescription> BY_NAME = read();

    static ReasonDescription of(String name) {
        return Objects.requireNonNull(BY_NAME.get(name), name);
    }

    private static Map<String, ReasonDescription> read() {
        try (InputStream file = ReasonDescription.class.getResourceAsStream(FILE)) {
            byte[] bytes = Objects.requireNonNull(file, FILE).readAllBytes();
            Iterator<String> lines = new String(bytes, UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .iterator();
            Map<String, ReasonDescription> all = new HashMap<>();
            while (lines.hasNext()) {
                String[] head = lines.next().split(" ");
                all.put(head[0], parse(head, lines));
            }
            return Map.copyOf(all);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " is part of the program", unreadable);
        }
    }

    private static ReasonDescription parse(String[] head, Iterator<String> lines) {
        Map<String, String> fields = new HashMap<>();
        Arrays.stream(head).skip(4).map(field -> field.split("=", 2)).forEach(field -> fields.put(field[0], field[1]));
        Severity severity = Severity.valueOf(head[1].toUpperCase(Locale.ROOT));
        Category category = Category.valueOf(head[3].toUpperCase(Locale.ROOT));
        String link = fields.get("link");
        return new ReasonDescription(
                severity,
                Actor.valueOf(head[2].toUpperCase(Locale.ROOT)),
                category,
                list(fields.get("at")).map(ConditionTarget::of).toList(),
                list(fields.get("event")).map(SubjectKind::of).toList(),
                fields.getOrDefault("eventReason", head[0]),
                link == null ? usualLink(severity, category) : LinkName.valueOf(link),
                lines.next().strip(),
                lines.next().strip(),
                lines.next().strip());
    }

    private static Stream<String> list(@Nullable String field) {
        return field == null ? Stream.empty() : Arrays.stream(field.split(","));
    }

    private static @Nullable LinkName usualLink(Severity severity, Category category) {
        boolean error = severity == Severity.ERROR;
        return switch (category) {
            case CREDENTIALS -> severity == Severity.INFO ? null : LinkName.WORKER_CONNECTION;
            case CONNECTION -> error ? LinkName.WORKER_CONNECTION : null;
            case PROFILE -> error ? LinkName.PROFILE : null;
            case SETTINGS, MACHINE -> error ? LinkName.RENDERED_CONFIG : null;
            case TOKEN -> error ? LinkName.BOOTSTRAP_TOKEN : null;
            case SUMMARY, OWNERSHIP, PUBLISH, HUB -> null;
        };
    }
}
