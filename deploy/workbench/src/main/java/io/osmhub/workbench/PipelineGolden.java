package io.osmhub.workbench;

import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders pipeline cases into files, or compares what is rendered with the files beside the case. */
final class PipelineGolden {
    private static final String DEFECT = "defect-";

    private final PipelineCorpus corpus;
    private final List<String> names;
    private final PrintStream out;

    /** @param cases a folder of cases, or one case */
    PipelineGolden(Path cases, PrintStream out) {
        Path folder = cases.toAbsolutePath().normalize();
        boolean single = PipelineCorpus.isCase(folder);
        Path parent = folder.getParent();
        this.corpus = new PipelineCorpus(single && parent != null ? parent : folder);
        this.names = single ? List.of(String.valueOf(folder.getFileName())) : corpus.names();
        this.out = out;
    }

    /** Whether there is anything to run. */
    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Compares and returns the exit code. */
    int compare() {
        Tally tally = new Tally(out);
        for (String name : names) {
            try {
                PipelineCase test = corpus.read(name);
                PipelineResult result = corpus.run(test);
                List<String> differences = new ArrayList<>(corpus.differences(test, result));
                differences.addAll(EdgeBehaviour.differences(test, result));
                report(tally, name, differences);
            } catch (RuntimeException | StackOverflowError e) {
                tally.failed(name, Faults.describe(e));
            }
        }
        return tally.summary();
    }

    private static void report(Tally tally, String name, List<String> differences) {
        if (differences.isEmpty()) {
            tally.passed();
        } else if (name.startsWith(DEFECT)) {
            tally.differsByDesign(name, String.join("\n", differences));
        } else {
            tally.failed(name, String.join("\n", differences));
        }
    }

    /** Writes the results of each case into a folder of its name and returns the exit code. */
    int write(Path target, boolean reveal) throws IOException {
        int rendered = 0;
        int refused = 0;
        int failed = 0;
        for (String name : names) {
            Path folder = target.resolve(name);
            try {
                removeOlder(folder);
                PipelineResult result = corpus.run(corpus.read(name));
                Files.createDirectories(folder);
                for (Map.Entry<String, String> file : result.written(reveal).entrySet()) {
                    Files.writeString(folder.resolve(file.getKey()), file.getValue());
                }
                if (result.findings().isEmpty()) {
                    rendered++;
                } else {
                    refused++;
                }
            } catch (RuntimeException | StackOverflowError e) {
                failed++;
                out.println(
                        "FAILED  " + name + "\n" + Faults.describe(e).indent(4).stripTrailing());
            }
        }
        out.println(rendered + " rendered, " + refused + " refused, " + failed + " failed; results are in " + target);
        return failed == 0 ? 0 : 1;
    }

    /** What an earlier run left must not look like a result of this one. */
    private static void removeOlder(Path folder) throws IOException {
        for (String file : PipelineResult.FILES) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }
}
