package io.osmhub.core.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.template.corpus.UnsupportedCases;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What mutations start from: the corpora and a few small cases, all kept with the tests. */
final class Seeds {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FIELD = Pattern.compile("[.$]([A-Z]\\w+)");

    private Seeds() {}

    /** A file of the tests' resources. */
    static String text(String resource) {
        try (InputStream file = Seeds.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(file, resource).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** The lines of a corpus. */
    static List<JsonNode> corpus(String name) {
        return text("/corpus/" + name + "/cases.jsonl")
                .lines()
                .map(Seeds::json)
                .filter(test -> UnsupportedCases.refusedName(test.path("id").asText()) == null)
                .toList();
    }

    /** All texts that a field of a corpus has. */
    static List<String> texts(List<JsonNode> corpus, String field) {
        List<String> texts = new ArrayList<>();
        for (JsonNode line : corpus) {
            if (line.path(field).isTextual()) {
                texts.add(line.path(field).textValue());
            }
        }
        return texts;
    }

    /** Names of fields that templates ask for. */
    static List<String> fields(List<String> templates) {
        TreeSet<String> fields = new TreeSet<>();
        for (String template : templates) {
            FIELD.matcher(template)
                    .results()
                    .map((MatchResult field) -> field.group(1))
                    .forEach(fields::add);
        }
        return List.copyOf(fields);
    }
}
