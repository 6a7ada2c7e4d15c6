package io.osmhub.tenancy.concern;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Problems of a replica as the annotation of its Lease that the others read: a JSON array of few and short entries. Who may write
 * Leases in the hub's namespace may write anything there, so what is read is taken for text and held to the same bounds.
 */
public final class ToldProblems {
    static final int MOST = 16;
    static final int LONGEST_OBJECT = 253;
    static final int LONGEST_MESSAGE = 512;
    /** Of what a Lease is looked through for; a longer one is not of this program. */
    static final int LONGEST_TEXT = 32 * 1024;

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private ToldProblems() {}

    /** Empty for no problems. */
    public static String text(List<HubProblem> problems) {
        if (problems.isEmpty()) {
            return "";
        }
        ArrayNode all = MAPPER.createArrayNode();
        problems.stream().limit(MOST).forEach(problem -> {
            ObjectNode one = all.addObject();
            one.put("object", cut(problem.object(), LONGEST_OBJECT));
            one.put("reason", problem.reason().word());
            one.put("message", cut(problem.message(), LONGEST_MESSAGE));
            one.put("since", problem.since().toString());
        });
        return all.toString();
    }

    /** Those that can be read; nothing of a text that is none. */
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
        // A newer replica may know reasons that this one does not.
        return Reason.of(json.path("reason").asText())
                .filter(reason -> reason.places().stream().anyMatch(place -> place.subject() == Subject.HUB))
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

    /** One line without characters that disturb a terminal or a page. */
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
