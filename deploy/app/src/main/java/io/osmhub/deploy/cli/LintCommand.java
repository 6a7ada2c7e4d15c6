package io.osmhub.deploy.cli;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Finding;
import io.osmhub.core.lint.LintReport;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.MatrixChoice;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.lint.Severity;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.ProfileLint;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.lint.BashSyntax;
import io.osmhub.deploy.lint.LintInput;
import io.osmhub.deploy.lint.LintJson;
import io.osmhub.deploy.lint.LintLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hub lint}: checks profiles in files, without any cluster. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description = {
            "Check OperatingSystemProfiles before anybody uses them.",
            "Reads each profile strictly, parses its templates, renders it for every cloud provider that it names and every"
                    + " Kubernetes version that the hub knows, with nothing and with everything set, and checks what comes"
                    + " out: YAML, JSON, TOML, systemd units, shell scripts, user-data and its size."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  hub lint osp.yaml",
            "  hub lint profiles/ --fail-on error",
            "  kubectl get osp -n kube-system -o yaml | hub lint -",
            "  hub lint -n osm-profiles osp-ubuntu                      (a stored profile)",
            "  hub lint profiles/ --matrix ubuntu,aws,1.34              (that part of the combinations only)",
            "",
            "Each finding is one line:  file:line:column: severity: what; how to mend it (rule)",
            "docs/lint.md explains the rules and the JSON.",
            "Exit codes: 0 nothing found, 1 findings, 2 something could not be read."
        })
final class LintCommand implements Callable<Integer> {
    private static final String NOTHING_CHOSEN =
            "--matrix: no profile serves all of it, so nothing was rendered; name what the profiles serve";

    /** Forms of the report. */
    enum Output {
        table,
        json
    }

    /** The least severity that makes the exit code 1. */
    enum FailOn {
        warning(Severity.WARNING),
        error(Severity.ERROR);

        private final Severity least;

        FailOn(Severity least) {
            this.least = least;
        }

        boolean fails(LintReport report) {
            return report.findings().stream()
                    .anyMatch(finding -> finding.severity().compareTo(least) <= 0);
        }
    }

    private final Terminal terminal;

    @Parameters(
            arity = "1..*",
            paramLabel = "OSP",
            description =
                    "File with profiles, directory with such files, or - for standard input; with -n, name of a stored profile.")
    private List<String> names = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "table",
            description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if left out.")
    private Output output = Output.table;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            defaultValue = "warning",
            description = "What makes the exit code 1: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if left out.")
    private FailOn failOn = FailOn.warning;

    @Option(
            names = "--matrix",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Render only these: operating systems, cloud providers and Kubernetes minor versions, in any order.")
    private List<String> matrix = List.of();

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "With -n: kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private final FleetOptions options = new FleetOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    LintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws FleetFailure {
        MatrixChoice choice;
        try {
            choice = MatrixChoice.of(matrix);
        } catch (IllegalArgumentException e) {
            terminal.refuse("--matrix: " + e.getMessage());
            return ExitCode.UNUSABLE_INPUT;
        }
        if (options.all()) {
            throw new FleetFailure(
                    FleetFailure.Kind.UNUSABLE,
                    "-A means all tenants, and profiles are of one; name it with -n instead");
        }
        if (!options.named().isEmpty()) {
            return stored(choice);
        }
        LintInput input = LintInput.read(names, terminal.in());
        List<String> refused = new ArrayList<>(input.refused());
        List<String> notes = new ArrayList<>();
        List<LintReport> reports = reports(input, choice, notes, refused);
        switch (output) {
            case table -> table(reports);
            case json -> terminal.out().println(LintJson.of(reports, notes));
        }
        notes.forEach(note -> terminal.err().println("note: " + note));
        refused.forEach(terminal::refuse);
        if (!refused.isEmpty()) {
            return ExitCode.UNUSABLE_INPUT;
        }
        return reports.stream().anyMatch(failOn::fails) ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    /** Profiles that are stored: by name, in one namespace. */
    private int stored(MatrixChoice choice) throws FleetFailure {
        Map<String, String> environment = KubectlPlugin.runs(spec) ? Map.of() : System.getenv();
        Remote remote = options.remote(kubeconfig, environment, terminal.err()::println);
        boolean fails = false;
        boolean rendered = choice.equals(MatrixChoice.ALL);
        try (FleetSource fleet = remote.open()) {
            for (String name : names) {
                ProfileLint answer;
                try (Progress waiting = Progress.begin(terminal, fleet.describe())) {
                    if (!isOfAChosenSystem(fleet, name, choice, waiting)) {
                        continue;
                    }
                    answer = fleet.lint(options.named(), name, choice);
                }
                switch (answer) {
                    case ProfileLint.Said(var report) -> {
                        fails |= said(options.named() + "/" + name, report);
                        rendered |= report.combinations() > 0 || report.errors() > 0;
                    }
                    case ProfileLint.Text(String json) -> {
                        List<LintReport> reports = here(options.named() + "/" + name, json, choice);
                        fails |= reports.stream().anyMatch(failOn::fails);
                        rendered |= !reports.stream().allMatch(LintCommand::isPassedOver);
                    }
                }
            }
        }
        if (!rendered) {
            terminal.refuse(NOTHING_CHOSEN);
            return ExitCode.UNUSABLE_INPUT;
        }
        return fails ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    /** The hub is asked about providers and versions only, so a profile of another system is not asked about at all. */
    private boolean isOfAChosenSystem(FleetSource fleet, String name, MatrixChoice choice, Progress waiting)
            throws FleetFailure {
        if (choice.operatingSystems().isEmpty()) {
            return true;
        }
        String system = fleet.profile(options.named(), name).profile().osName();
        if (choice.operatingSystems().contains(system)) {
            return true;
        }
        waiting.end();
        terminal.err().println("note: " + options.named() + "/" + name + " is for " + system + ", so it was left out");
        return false;
    }

    private List<LintReport> here(String name, String json, MatrixChoice choice) {
        List<LintReport> reports = new Linter(
                        BashSyntax.find().<ScriptChecker>map(it -> it).orElse(ScriptChecker.NONE), System::nanoTime)
                .lint(name, json, choice);
        switch (output) {
            case table -> table(reports);
            case json -> terminal.out().println(LintJson.of(reports, List.of()));
        }
        return reports;
    }

    private boolean said(String name, io.osmhub.api.schema.LintReport report) {
        switch (output) {
            case json -> terminal.out().println(Printed.json(report));
            case table -> {
                for (Finding finding : report.findings()) {
                    String cure = finding.cure() == null ? "" : "; " + finding.cure();
                    terminal.out()
                            .println(Plain.line(name + ": "
                                    + ApiJson.word(finding.severity()).toLowerCase(Locale.ROOT) + ": "
                                    + (finding.field() == null ? "" : finding.field() + ": ") + finding.message()
                                    + cure + " (" + finding.rule() + ")"));
                }
                terminal.err()
                        .println(name + ": " + report.errors() + " errors, " + report.warnings() + " warnings in "
                                + report.combinations() + " renderings");
            }
        }
        return report.errors() > 0 || failOn == FailOn.warning && report.warnings() > 0;
    }

    private static List<LintReport> reports(
            LintInput input, MatrixChoice choice, List<String> notes, List<String> refused) {
        List<LintReport> reports = new ArrayList<>();
        if (input.texts().isEmpty()) {
            return reports;
        }
        Optional<BashSyntax> bash = BashSyntax.find();
        if (bash.isEmpty()) {
            notes.add("bash not found, so the syntax of scripts was not checked");
        }
        Linter linter = new Linter(bash.<ScriptChecker>map(it -> it).orElse(ScriptChecker.NONE), System::nanoTime);
        int skipped = 0;
        for (LintInput.Text text : input.texts()) {
            // Other files of a directory may be anything, templates of another tool for instance.
            if (text.found() && !text.text().contains("OperatingSystemProfile")) {
                skipped++;
                continue;
            }
            List<LintReport> found = linter.lint(text.name(), text.text(), choice);
            reports.addAll(found);
            if (found.isEmpty() && !text.found()) {
                refused.add(text.name() + ": holds no OperatingSystemProfile; give a file with one");
            } else if (found.isEmpty()) {
                skipped++;
            }
        }
        if (skipped > 0 && reports.isEmpty() && refused.isEmpty()) {
            refused.add("no OperatingSystemProfile in " + skipped + (skipped == 1 ? " file" : " files")
                    + "; give a file with one");
        } else if (skipped > 0) {
            notes.add(skipped + (skipped == 1 ? " file holds" : " files hold") + " no OperatingSystemProfile");
        }
        if (!choice.equals(MatrixChoice.ALL)
                && !reports.isEmpty()
                && reports.stream().allMatch(LintCommand::isPassedOver)) {
            refused.add(NOTHING_CHOSEN);
        }
        return reports;
    }

    /** Whether nothing of it was rendered although nothing stood against it. */
    private static boolean isPassedOver(LintReport report) {
        return report.matrix().renderings() == 0 && report.count(Severity.ERROR) == 0;
    }

    private void table(List<LintReport> reports) {
        for (LintReport report : reports) {
            LintLines.findings(report).forEach(terminal.out()::println);
        }
        for (LintReport report : reports) {
            terminal.err().println(LintLines.summary(report));
        }
    }
}
