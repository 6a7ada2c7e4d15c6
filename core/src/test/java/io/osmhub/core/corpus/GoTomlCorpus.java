package io.osmhub.core.corpus;

import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.golang.Value;
import java.util.List;

/** Values with what Go's TOML library writes for them. */
public final class GoTomlCorpus {
    private GoTomlCorpus() {}

    /** Runs the cases of a {@code cases.jsonl}, one a line. */
    public static CorpusReport run(List<String> lines, CorpusValues values) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            EmitterCase emitted = EmitterCase.parse(line);
            Value value = values.decode(emitted.fields().path("value"));
            emitted.compare(report, "toml", () -> TomlEncoder.encode(value, 2));
            emitted.compare(report, "toml_indent0", () -> TomlEncoder.encode(value, 0));
        }
        return report.build();
    }
}
