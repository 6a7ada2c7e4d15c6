package io.osmhub.workbench;

import io.osmhub.core.template.corpus.CorpusReport;
import io.osmhub.core.template.corpus.UnsupportedCases;
import io.osmhub.workbench.CaseTotals.ErrorSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Runs the cases of a file with one case per line; an invalid case does not stop the run. */
record LineGoldenRunner(Function<List<String>, CorpusReport> runner, UnaryOperator<String> answer, PrintStream out) {
    /** The name of such a file in a results folder. */
    private static final String FILE = "cases.jsonl";

    /** Compares and returns the exit code. */
    int compare(Path file) throws IOException {
        CaseTotals tally = new CaseTotals(out);
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                report(tally, number, runner.apply(List.of(line)));
            } catch (RuntimeException | StackOverflowError e) {
                tally.addFailed("line " + number, ErrorSummary.describe(e));
            }
        }
        return tally.summary();
    }

    private static void report(CaseTotals tally, int number, CorpusReport report) {
        if (!report.refusals().isEmpty()) {
            report.refusals().forEach(refusal -> tally.addRefused(refusal.id(), refusal.name()));
        } else if (report.compared() == 0) {
            tally.addFailed("line " + number, "has no expected result");
        } else if (report.differences().isEmpty()) {
            tally.addPassed();
        } else {
            String id = report.differences().getFirst().id();
            String difference = UnsupportedCases.difference(id);
            if (difference != null) {
                tally.addUnsupported(id, difference);
            } else {
                tally.addFailed(id, String.join("\n", differences(report)));
            }
        }
    }

    private static List<String> differences(CorpusReport report) {
        return report.differences().stream()
                .map(difference -> difference.what() + "\n  want " + difference.want() + "\n  got  " + difference.got())
                .toList();
    }

    /**
     * Writes each line with our results instead of the expected ones, and returns the exit code.
     *
     * @param target a file, or a folder for {@code cases.jsonl}
     */
    int write(Path file, Path target) throws IOException {
        Path written = target;
        if (Files.isDirectory(target) || !String.valueOf(target.getFileName()).endsWith(".jsonl")) {
            written = Files.createDirectories(target).resolve(FILE);
        } else if (target.toAbsolutePath().getParent() != null) {
            Files.createDirectories(target.toAbsolutePath().getParent());
        }
        List<String> results = new ArrayList<>();
        int failed = 0;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                results.add(answer.apply(line));
            } catch (RuntimeException | StackOverflowError e) {
                failed++;
                out.println("FAILED  line " + number + "\n"
                        + ErrorSummary.describe(e).indent(4).stripTrailing());
            }
        }
        Files.write(written, results);
        out.println(results.size() + " written, " + failed + " failed; results are in " + written);
        return failed == 0 ? 0 : 1;
    }
}
