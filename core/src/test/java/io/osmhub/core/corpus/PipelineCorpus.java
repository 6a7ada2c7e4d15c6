package io.osmhub.core.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Runs pipeline cases and compares by the fixtures' rules: payloads byte for byte, objects as parsed YAML, errors by their
 * cause. What is ours on purpose does not count: secrets are not immutable, the edge script is our own, the stored OSC has
 * placeholders, and nothing is half published when a document is refused.
 */
public final class PipelineCorpus {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Path> directories;
    private final PipelineRun run = new PipelineRun();

    /** A case that several directories contain is read from the first. */
    public PipelineCorpus(Path... directories) {
        this.directories = List.of(directories);
    }

    /** Names of all cases, sorted: the folders that hold a {@code case.yaml} or a {@code machinedeployment.yaml}. */
    public List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        for (Path directory : directories) {
            try (Stream<Path> entries = Files.list(directory)) {
                entries.filter(PipelineCorpus::isCase)
                        .map(entry -> String.valueOf(entry.getFileName()))
                        .forEach(names::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(names);
    }

    /** Whether a folder is a case; the one that lacks the other file too, so that it is noticed. */
    public static boolean isCase(Path folder) {
        return Files.exists(folder.resolve("case.yaml")) || Files.exists(folder.resolve("machinedeployment.yaml"));
    }

    public PipelineCase read(String name) {
        return PipelineCase.read(folder(name));
    }

    /** Returns a case's folder; without such a case, the folder where it would lie. */
    public Path folder(String name) {
        return directories.stream()
                .map(directory -> directory.resolve(name))
                .filter(PipelineCorpus::isCase)
                .findFirst()
                .orElse(directories.getFirst().resolve(name));
    }

    /** Runs one case. */
    public PipelineResult run(PipelineCase test) {
        return run.run(test);
    }

    /** What differs from the wanted results, one line each; empty when nothing does. */
    public List<String> differences(PipelineCase test, PipelineResult result) {
        return differences(test, test.wanted(), result);
    }

    /** What differs from other results than those of the case's files. */
    public List<String> differences(PipelineCase test, Map<String, String> wanted, PipelineResult result) {
        List<String> differences = new ArrayList<>();
        String error = wanted.get(PipelineResult.ERROR);
        if (error != null) {
            String difference = PeerError.of(test.name(), error).difference(result.findings());
            if (!difference.isEmpty()) {
                differences.add("error.txt: wanted " + error + ", but " + difference);
            }
        } else if (!result.findings().isEmpty()) {
            differences.add("refused: " + result.findings());
        }
        TreeSet<String> files = new TreeSet<>(wanted.keySet());
        files.addAll(result.files().keySet());
        files.remove(PipelineResult.ERROR);
        for (String file : files) {
            String got = result.files().get(file);
            String want = wanted.get(file);
            if (got == null) {
                // OSM writes the OSC, and perhaps one secret, before it finds out that a document cannot be made.
                if (error == null) {
                    differences.add(file + ": missing");
                }
            } else if (want == null) {
                differences.add(file + ": not wanted");
            } else if (!file.startsWith("edge-script")) {
                compare(file, want, got, result, differences);
            }
        }
        return differences;
    }

    private static void compare(String file, String want, String got, PipelineResult result, List<String> differences) {
        if (file.endsWith(".txt")) {
            if (!want.equals(got)) {
                differences.add(file + ": " + firstDifference(want, got));
            }
            return;
        }
        JsonNode wanted = yaml(want);
        JsonNode gotten = yaml(got);
        if (file.equals(PipelineResult.OSC)) {
            compareTree(
                    file + " revealed",
                    wanted.get("spec"),
                    withoutNulls(json(String.valueOf(result.revealed()))),
                    differences);
            compareTree(file + " metadata", wanted.get("metadata"), gotten.get("metadata"), differences);
            String otherwise =
                    Placeholders.difference("spec", gotten.path("spec"), json(String.valueOf(result.revealed())));
            if (!otherwise.isEmpty()) {
                differences.add(file + " as stored: " + otherwise);
            }
            return;
        }
        ((ObjectNode) wanted).remove("immutable");
        ((ObjectNode) gotten).remove("immutable");
        compareTree(file, wanted, gotten, differences);
    }

    private static void compareTree(String what, JsonNode wanted, JsonNode got, List<String> differences) {
        JsonNode want = withoutNulls(wanted);
        if (!want.equals(withoutNulls(got))) {
            differences.add(what + ": "
                    + firstDifference(want.toPrettyString(), withoutNulls(got).toPrettyString()));
        }
    }

    /** OSM writes null where an optional object is left out. */
    private static JsonNode withoutNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JSON.createObjectNode();
            new TreeMap<>(fields(object)).forEach((name, value) -> {
                if (!value.isNull()) {
                    copy.set(name, withoutNulls(value));
                }
            });
            return copy;
        }
        return node == null ? NullNode.getInstance() : node;
    }

    private static Map<String, JsonNode> fields(ObjectNode object) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    static JsonNode yaml(String text) {
        try {
            return json(GoString.text(GoJson.encode(YamlDecoder.decode(GoString.bytes(text), null))));
        } catch (GoCallException e) {
            throw new IllegalStateException("no YAML: " + e.text(), e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String firstDifference(String want, String got) {
        int at = 0;
        int end = Math.min(want.length(), got.length());
        while (at < end && want.charAt(at) == got.charAt(at)) {
            at++;
        }
        return "at " + at + " wanted ..." + around(want, at) + "... got ..." + around(got, at) + "...";
    }

    private static String around(String text, int at) {
        return text.substring(Math.max(0, Math.min(at, text.length()) - 60), Math.min(text.length(), at + 60))
                .replace("\n", "\\n");
    }
}
