package io.osmhub.workbench;

import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.corpus.UnsupportedCases;
import io.osmhub.workbench.CaseTotals.ErrorSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders pipeline cases to files, or compares them with the expected files. */
final class PipelineGoldenRunner {
    private static final String DEFECT = "defect-";

    private final PipelineCorpus corpus;
    private final List<String> names;
    private final PrintStream out;

    /** @param cases a folder of cases or one case */
    PipelineGoldenRunner(Path cases, PrintStream out) {
        Path folder = cases.toAbsolutePath().normalize();
        boolean single = PipelineCorpus.isCase(folder);
        Path parent = folder.getParent();
        this.corpus = new PipelineCorpus(single && parent != null ? parent : folder);
        this.names = single ? List.of(String.valueOf(folder.getFileName())) : corpus.names();
        this.out = out;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Compares and returns the exit code. */
    int compare() {
        CaseTotals tally = new CaseTotals(out);
        for (String name : names) {
            try {
                PipelineCase test = corpus.read(name);
                PipelineResult result = corpus.run(test);
                List<String> differences = new ArrayList<>(corpus.differences(test, result));
                differences.addAll(EdgeScriptComparator.differences(test, result));
                String refusal = refusal(name, result);
                String unsupported = UnsupportedCases.difference(name);
                if (unsupported != null && !differences.isEmpty()) {
                    tally.addUnsupported(name, unsupported);
                } else if (refusal != null && !differences.isEmpty()) {
                    tally.addRefused(name, refusal);
                } else {
                    report(tally, name, differences);
                }
            } catch (RuntimeException | StackOverflowError e) {
                tally.addFailed(name, ErrorSummary.describe(e));
            }
        }
        return tally.summary();
    }

    /** What is refused by its name: a function of the profile's templates, or the kubelet; null if nothing. */
    private static @Nullable String refusal(String name, PipelineResult result) {
        boolean listed = UnsupportedCases.refusedName(name) != null;
        return result.findings().stream()
                .filter(finding -> finding.reason() == Reason.TemplateFunctionRefused
                        || listed && finding.reason() == Reason.KubeletVersionInvalid)
                .map(Problem::cause)
                .findFirst()
                .orElse(null);
    }

    private static void report(CaseTotals tally, String name, List<String> differences) {
        if (differences.isEmpty()) {
            tally.addPassed();
        } else if (name.startsWith(DEFECT)) {
            tally.addIntendedDifference(name, String.join("\n", differences));
        } else {
            tally.addFailed(name, String.join("\n", differences));
        }
    }

    /** Writes each case's results to a folder with its name and returns the exit code. */
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
                out.println("FAILED  " + name + "\n"
                        + ErrorSummary.describe(e).indent(4).stripTrailing());
            }
        }
        out.println(rendered + " rendered, " + refused + " refused, " + failed + " failed; results are in " + target);
        return failed == 0 ? 0 : 1;
    }

    /** Removes results of an earlier run. */
    private static void removeOlder(Path folder) throws IOException {
        for (String file : PipelineResult.FILES) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }
}
