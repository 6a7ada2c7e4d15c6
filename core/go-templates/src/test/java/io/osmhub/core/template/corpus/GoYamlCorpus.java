package io.osmhub.core.template.corpus;

import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values with what Go's YAML libraries write for them. Where {@code sigs_yaml} is an error, only that there is one is compared:
 * it is about reading the JSON, and our texts of such errors are not Go's.
 */
public final class GoYamlCorpus {
    private GoYamlCorpus() {}

    private static final List<String> RESULTS = List.of("yaml_v3", "sigs_yaml");

    /** Runs the cases of a {@code cases.jsonl}, one a line. */
    public static CorpusReport run(List<String> lines, CorpusValues values) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            EmitterCase emitted = EmitterCase.parse(line);
            GoValue value = emitted.value(report, values);
            if (value != null) {
                emitted.compare(report, "yaml_v3", () -> YamlEncoder.marshal(value));
                emitted.compare(
                        report, "sigs_yaml", () -> SigsYamlEncoder.fromJson(GoString.bytes(emitted.rawValue())));
            }
        }
        return report.build();
    }

    /** The line with our results: those that it has, or if it has none all that there can be. */
    public static String answer(String line, CorpusValues values) {
        JsonLine read = JsonLine.parse(line);
        String json = read.text("value");
        boolean bare = RESULTS.stream().noneMatch(read::has);
        Map<String, String> results = new LinkedHashMap<>();
        if (bare || read.has("yaml_v3")) {
            GoValue value = values.decode(read.get("value"));
            results.put("yaml_v3", EmitterCase.answer(() -> YamlEncoder.marshal(value)));
        }
        // A placeholder for a Go value is not converted.
        if (read.has("sigs_yaml") || (bare && !json.contains("{\"$"))) {
            results.put("sigs_yaml", EmitterCase.answer(() -> SigsYamlEncoder.fromJson(GoString.bytes(json))));
        }
        return read.with(RESULTS, results);
    }
}
