package io.osmhub.workbench;

import io.osmhub.core.corpus.CorpusValues;
import io.osmhub.core.corpus.GoTemplateCorpus;
import io.osmhub.core.corpus.GoTomlCorpus;
import io.osmhub.core.corpus.GoYamlCorpus;
import io.osmhub.core.golang.Str;
import io.osmhub.core.render.FilesDataForm;
import io.osmhub.core.render.TemplateLanguages;
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
            "Render the cases of a set of fixtures, and compare with the results beside them or write them out.",
            "",
            "Without --out every case is compared and the last line says N passed, N failed: payloads (*.txt) byte by byte, objects"
                    + " (*.yaml) as parsed YAML, refusals by their cause.",
            "What is ours on purpose does not count: Secrets are not immutable; the edge script is another text and is compared by what"
                    + " it does; the stored OSC has placeholders for credentials, so it is compared with the credentials put in, and may"
                    + " differ from that only in placeholders. Cases named defect-*, whose wanted result is a fault of the peer, are"
                    + " listed and counted apart.",
            "",
            "With --out nothing is compared. A case gets a folder of its name with the files that the fixtures have: objects in the"
                    + " YAML of Kubernetes' tools, payloads byte by byte, error.txt with the hub's message where it refuses, events.txt"
                    + " where there are events. The OSC is the one that the hub stores, with placeholders such as"
                    + " <redacted:fetch-token>; with --reveal it has the credentials, as in the fixtures. A line of a .jsonl file is"
                    + " written again with our results in place of its own.",
            "",
            "A case that is not of the schema counts as failed and says why; the others go on.",
        },
        footer = {"", "Exit codes: 0 nothing failed, 1 a case failed, 2 unusable arguments."},
        mixinStandardHelpOptions = true)
final class GoldenCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @ArgGroup(exclusive = true, multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private Source source;

    @Option(
            names = "--out",
            paramLabel = "DIR|FILE",
            description = "Write the results there. For a .jsonl file: a file of that ending, or a folder.")
    private @Nullable Path out;

    @Option(names = "--reveal", description = "With --cases and --out: write the OSC with its credentials.")
    private boolean reveal;

    /** What to run. */
    static final class Source {
        @Option(
                names = "--cases",
                paramLabel = "DIR",
                description =
                        "A folder of pipeline cases (case.yaml, machinedeployment.yaml, osp.yaml or ../osps), or one of them.")
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
            GoTemplateCorpus corpus = new GoTemplateCorpus(
                    variables -> TemplateLanguages.goFunctions(
                            name -> Str.bytes(variables.getOrDefault(Str.text(name), ""))),
                    values,
                    GoTemplateCorpus.Errors.BY_CLASS);
            return lines(source.goTemplate, new LineGolden(corpus::run, corpus::answer, System.out));
        }
        if (source.goYaml != null) {
            return lines(
                    source.goYaml,
                    new LineGolden(
                            lines -> GoYamlCorpus.run(lines, values),
                            line -> GoYamlCorpus.answer(line, values),
                            System.out));
        }
        return lines(
                Objects.requireNonNull(source.goToml, "picocli asks for one of them"),
                new LineGolden(
                        lines -> GoTomlCorpus.run(lines, values),
                        line -> GoTomlCorpus.answer(line, values),
                        System.out));
    }

    private int cases(Path cases) throws IOException {
        if (!Files.isDirectory(cases)) {
            throw unusable("--cases " + cases + ": no such folder");
        }
        PipelineGolden golden = new PipelineGolden(cases, System.out);
        if (golden.isEmpty()) {
            throw unusable("--cases " + cases + ": no folder in it has a case.yaml");
        }
        if (out == null) {
            return golden.compare();
        }
        if (Files.exists(out) && Files.isSameFile(out, cases)) {
            throw unusable("--out " + out + ": is the folder of the cases, whose results would be lost; name another");
        }
        return golden.write(out, reveal);
    }

    private int lines(Path file, LineGolden golden) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw unusable(file + ": no such file");
        }
        if (out == null) {
            return golden.compare(file);
        }
        if (Files.exists(out) && Files.isSameFile(out, file)) {
            throw unusable("--out " + out + ": is the file of the cases, whose results would be lost; name another");
        }
        return golden.write(file, out);
    }

    private ParameterException unusable(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
