package io.osmhub.core.corpus;

import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.util.List;

/** Values with what Go's YAML libraries write for them. */
public final class GoYamlCorpus {
    private GoYamlCorpus() {}

    /** Runs the cases of a {@code cases.jsonl}, one a line. */
    public static CorpusReport run(List<String> lines, CorpusValues values) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            EmitterCase emitted = EmitterCase.parse(line);
            Value value = values.decode(emitted.fields().path("value"));
            emitted.compare(report, "yaml_v3", () -> YamlEncoder.marshal(value));
            emitted.compare(report, "sigs_yaml", () -> SigsYaml.fromJson(Str.bytes(emitted.rawValue())));
        }
        return report.build();
    }
}
