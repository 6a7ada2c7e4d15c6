package io.osmhub.core.template.corpus;

import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.golang.GoValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values with what Go's TOML library writes for them. */
public final class GoTomlCorpus {
    private GoTomlCorpus() {}

    private static final List<String> RESULTS = List.of("toml", "toml_indent0");

    /** Runs the cases of a {@code cases.jsonl}, one a line. */
    public static CorpusReport run(List<String> lines, CorpusValues values) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            EmitterCase emitted = EmitterCase.parse(line);
            GoValue value = emitted.value(report, values);
            if (value != null) {
                emitted.compare(report, "toml", () -> TomlEncoder.encode(value, 2));
                emitted.compare(report, "toml_indent0", () -> TomlEncoder.encode(value, 0));
            }
        }
        return report.build();
    }

    /** The line with our results: those that it has, or if it has none both. */
    public static String answer(String line, CorpusValues values) {
        JsonLine read = JsonLine.parse(line);
        GoValue value = values.decode(read.get("value"));
        boolean bare = RESULTS.stream().noneMatch(read::has);
        Map<String, String> results = new LinkedHashMap<>();
        if (bare || read.has("toml")) {
            results.put("toml", EmitterCase.answer(() -> TomlEncoder.encode(value, 2)));
        }
        if (bare || read.has("toml_indent0")) {
            results.put("toml_indent0", EmitterCase.answer(() -> TomlEncoder.encode(value, 0)));
        }
        return read.with(RESULTS, results);
    }
}
