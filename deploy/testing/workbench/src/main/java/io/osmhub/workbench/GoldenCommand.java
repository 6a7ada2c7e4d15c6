package io.osmhub.workbench;

import io.osmhub.core.render.FilesDataForm;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.corpus.GoTemplateCorpus;
import io.osmhub.core.template.corpus.GoTomlCorpus;
import io.osmhub.core.template.corpus.GoYamlCorpus;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub golden}. */
@Command(
        name = "golden",
        description = {
            "Render a set of fixtures and compare with the expected results, or write the results.",
            "",
            "Without --out, compares every case and prints N passed, N failed: payloads (*.txt) byte by byte, objects"
                    + " (*.yaml) as parsed YAML, errors by their cause.",
            "Ignores intended differences: Secrets are not immutable; the edge script has a different text and is compared by"
                    + " behavior; the stored OSC has placeholders for credentials and is compared with the credentials inserted, and may"
                    + " differ from that only in placeholders. Cases named defect-*, whose expected result is an OSM defect, are"
                    + " listed and counted separately.",
            "",
            "A case that uses a function or a format that the hub refuses by its name is listed as refused: NAME, and counted"
                    + " separately, as are the cases where a library reads a text differently than Go, listed in"
                    + " corpus/unsupported.tsv.",
            "",
            "With --out, compares nothing and writes a folder per case with the same files as the fixtures: objects in the"
                    + " YAML of Kubernetes' tools, payloads byte by byte, error.txt with the hub's error message, events.txt"
                    + " with events, if any. The OSC is as stored by the hub, with placeholders such as"
                    + " <redacted:fetch-token>; --reveal inserts the credentials, as in the fixtures. Lines of a .jsonl file are"
                    + " written with our results instead of the expected ones.",
            "",
            "A case that does not match the schema fails; the others continue.",
        },
        footer = {"", "Exit codes: 0 nothing failed, 1 a case failed, 2 unusable arguments."},
        mixinStandardHelpOptions = true)
final class GoldenCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @ArgGroup(exclusive = true, multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CaseSource source;

    @Option(
            names = "--out",
            paramLabel = "DIR|FILE",
            description = "Write the results to this folder; for a .jsonl file, also to a file with that extension.")
    private @Nullable Path out;

    @Option(names = "--reveal", description = "With --cases and --out: write the OSC with its credentials.")
    private boolean reveal;

    /** What to run; exactly one is set. */
    static final class CaseSource {
        @Option(
                names = "--cases",
                paramLabel = "DIR",
                description =
                        "A folder of pipeline cases (case.yaml, machinedeployment.yaml, osp.yaml or ../osps), or one case.")
        private @Nullable Path cases;

        @Option(
                names = "--gotemplate",
                paramLabel = "FILE.jsonl",
                description = "Go templates with their output or error.")
        private @Nullable Path goTemplate;

        @Option(names = "--goyaml", paramLabel = "FILE.jsonl", description = "Values with their YAML.")
        private @Nullable Path goYaml;

        @Option(names = "--gotoml", paramLabel = "FILE.jsonl", description = "Values with their TOML.")
        private @Nullable Path goToml;
    }

    @Override
    public Integer call() throws IOException {
        if (source.cases != null) {
            return cases(source.cases);
        }
        CorpusValues values = FilesDataForm.values();
        if (source.goTemplate != null) {
            GoTemplateCorpus corpus = new GoTemplateCorpus(TemplateEngines.goFunctions(), values);
            return lines(source.goTemplate, new LineGoldenRunner(corpus::run, corpus::answer, System.out));
        }
        if (source.goYaml != null) {
            return lines(
                    source.goYaml,
                    new LineGoldenRunner(
                            lines -> GoYamlCorpus.run(lines, values),
                            line -> GoYamlCorpus.answer(line, values),
                            System.out));
        }
        return lines(
                Objects.requireNonNull(source.goToml, "picocli requires one of them"),
                new LineGoldenRunner(
                        lines -> GoTomlCorpus.run(lines, values),
                        line -> GoTomlCorpus.answer(line, values),
                        System.out));
    }

    private int cases(Path cases) throws IOException {
        if (!Files.isDirectory(cases)) {
            throw unusable("--cases " + cases + ": folder not found");
        }
        PipelineGoldenRunner golden = new PipelineGoldenRunner(cases, System.out);
        if (golden.isEmpty()) {
            throw unusable("--cases " + cases + ": expected a case.yaml in at least one subfolder");
        }
        if (out == null) {
            return golden.compare();
        }
        if (Files.exists(out) && Files.isSameFile(out, cases)) {
            throw unusable("--out " + out + ": would overwrite the cases; use another folder");
        }
        return golden.write(out, reveal);
    }

    private int lines(Path file, LineGoldenRunner golden) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw unusable(file + ": file not found");
        }
        if (out == null) {
            return golden.compare(file);
        }
        if (Files.exists(out) && Files.isSameFile(out, file)) {
            throw unusable("--out " + out + ": would overwrite the cases; use another file");
        }
        return golden.write(file, out);
    }

    private ParameterException unusable(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
