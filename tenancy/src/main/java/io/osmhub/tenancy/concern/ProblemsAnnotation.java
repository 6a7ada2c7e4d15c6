package io.osmhub.tenancy.concern;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A replica's problems as an annotation of its Lease, for other replicas: a JSON array of few and short entries. Any writer of
 * Leases in the hub's namespace can change it, so it is read as untrusted text with the same limits.
 */
public final class ProblemsAnnotation {
    static final int MOST = 16;
    static final int LONGEST_OBJECT = 253;
    static final int LONGEST_MESSAGE = 512;
    /** Limit for reading; this program writes no longer ones. */
    static final int LONGEST_TEXT = 32 * 1024;

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private ProblemsAnnotation() {}

    /** Empty for no problems. */
    public static String write(List<HubProblem> problems) {
        if (problems.isEmpty()) {
            return "";
        }
        ArrayNode all = MAPPER.createArrayNode();
        problems.stream().limit(MOST).forEach(problem -> {
            ObjectNode one = all.addObject();
            one.put("object", cut(problem.object(), LONGEST_OBJECT));
            one.put("reason", problem.reason().wireName());
            one.put("message", cut(problem.message(), LONGEST_MESSAGE));
            one.put("since", problem.since().toString());
        });
        return all.toString();
    }

    /** Skips invalid entries; empty for an invalid text. */
    public static List<HubProblem> read(String text) {
        List<HubProblem> problems = new ArrayList<>();
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            return problems;
        }
        JsonNode all;
        try {
            all = MAPPER.readTree(text.getBytes(UTF_8));
        } catch (IOException e) {
            return problems;
        }
        for (JsonNode one : all) {
            if (problems.size() < MOST) {
                one(one).ifPresent(problems::add);
            }
        }
        return problems;
    }

    private static Optional<HubProblem> one(JsonNode json) {
        String object = clean(json.path("object").asText(), LONGEST_OBJECT);
        String message = clean(json.path("message").asText(), LONGEST_MESSAGE);
        // A newer replica may send unknown reasons.
        return Reason.of(json.path("reason").asText())
                .filter(reason ->
                        reason.conditionTargets().stream().anyMatch(place -> place.subject() == SubjectKind.HUB))
                .filter(reason -> !object.isEmpty() && !message.isEmpty())
                .flatMap(reason -> since(json).map(since -> new HubProblem(object, reason, message, since)));
    }

    private static Optional<Instant> since(JsonNode json) {
        try {
            return Optional.of(Instant.parse(json.path("since").asText()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A single line without control characters. */
    private static String clean(String text, int longest) {
        StringBuilder clean = new StringBuilder();
        cut(text, longest)
                .codePoints()
                .filter(c -> Character.getType(c) != Character.FORMAT && Character.getType(c) != Character.SURROGATE)
                .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? ' ' : c)
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        boolean splits = Character.isHighSurrogate(text.charAt(longest - 1));
        return text.substring(0, splits ? longest - 1 : longest);
    }
}
