package io.osmhub.deploy.cli;

import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.lint.MatrixFilter;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.FleetOptions.ManagementOptions;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.ReadableYaml;
import io.osmhub.deploy.lint.BashSyntaxChecker;
import io.osmhub.deploy.lint.LintInput;
import io.osmhub.deploy.lint.LintReportFormatter;
import io.osmhub.deploy.render.OfflineRenderer;
import io.osmhub.deploy.view.ValueFormatter;
import io.osmhub.tenancy.catalog.BundledProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub lint}: checks profiles in files, without a cluster. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description = {
            "Lint OperatingSystemProfiles and OperatingSystemProfileExtensions.",
            "Reads each profile strictly, parses its templates, renders it for each of its cloud providers and every"
                    + " supported Kubernetes version, with minimal and with full settings, and checks the"
                    + " output: YAML, JSON, TOML, systemd units, shell scripts, user-data and its size."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  hub lint osp.yaml",
            "  hub lint profiles/ --fail-on error",
            "  kubectl get osp -n kube-system -o yaml | hub lint -",
            "  hub lint -n osm-profiles osp-ubuntu                      (a stored profile)",
            "  hub lint profiles/ --matrix ubuntu,aws,1.34              (only these combinations)",
            "  hub lint profiles/ --air-gapped --settings tenant.yaml   (nodes without internet)",
            "  hub lint osp.yaml --extension extension.yaml             (what the extension breaks)",
            "",
            "Each finding is one line:  file:line:column: severity: what; how to fix it (rule)",
            "docs/reference/lint.md explains the rules and the JSON.",
            "Exit codes: 0 nothing found, 1 findings, 2 unreadable input."
        })
final class LintCommand extends TerminalCommand implements OptionalConnection {
    private static final String NOTHING_CHOSEN =
            "--matrix: no profile supports this combination, so nothing was rendered; use values that the profiles support";

    /** Report formats. */
    enum LintFormat {
        table,
        json,
        yaml;

        /** Returns a report in this format for programs. */
        String of(String json) {
            return this == yaml ? "---\n" + ReadableYaml.of(json).stripTrailing() : json;
        }
    }

    /** The lowest severity that makes the exit code 1. */
    enum FailOn {
        warning(LintSeverity.WARNING),
        error(LintSeverity.ERROR);

        private final LintSeverity lowestSeverity;

        FailOn(LintSeverity lowestSeverity) {
            this.lowestSeverity = lowestSeverity;
        }

        boolean fails(ProfileLintReport report) {
            return report.findings().stream()
                    .anyMatch(finding -> finding.severity().compareTo(lowestSeverity) <= 0);
        }
    }

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE|OSP",
            description =
                    "File with profiles, directory with such files, or - for standard input; with -n, name of a stored profile.")
    private List<String> names = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LintFormat outputFormat = LintFormat.table;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            defaultValue = "warning",
            description = "Lowest severity for exit code 1: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private FailOn failOn = FailOn.warning;

    @Option(
            names = "--matrix",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Render only these operating systems, cloud providers and Kubernetes minor versions, in any order.")
    private List<String> matrix = List.of();

    @Option(
            names = "--air-gapped",
            description = "Also fail on every download of nodes without a mirror or proxy in the settings.")
    private boolean airGapped;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "With --air-gapped: the tenant's settings, a WorkerCluster or only the fields of its spec"
                    + " (default: provisioning.airGapped, and no mirrors).")
    private @Nullable String settings;

    @Option(
            names = "--extension",
            paramLabel = "FILE",
            description = "Lint the profiles composed with all extensions of FILE that select them, and report only"
                    + " what the profiles alone do not have; may be repeated.")
    private List<String> extensions = List.of();

    @Mixin
    private final FleetOptions options = new ManagementOptions();

    @Override
    public @Nullable String whyNotConnected() {
        return options.namedTenant().isEmpty() && !options.all() ? "without -n NAMESPACE" : null;
    }

    @Override
    public Integer call() {
        MatrixFilter choice = AirGapCommand.Inputs.filter(matrix);
        if (options.all()) {
            throw CommandFailure.unusable("-A is not supported here; use -n NAMESPACE");
        }
        if (settings != null && !airGapped) {
            throw CommandFailure.unusable("--settings has no effect without --air-gapped; add it");
        }
        if (airGapped && !extensions.isEmpty()) {
            throw CommandFailure.unusable("--air-gapped does not check extensions; omit --extension");
        }
        LintInput input = options.namedTenant().isEmpty() ? LintInput.read(names, terminal.in()) : stored();
        List<String> refused = new ArrayList<>(input.refused());
        List<String> notes = new ArrayList<>();
        List<ProfileLintReport> reports = reports(input, choice, notes, refused);
        switch (outputFormat) {
            case table -> table(reports);
            case json, yaml -> terminal.out().println(outputFormat.of(LintReportFormatter.json(reports, notes)));
        }
        notes.forEach(note -> terminal.err().println("note: " + note));
        refused.forEach(terminal::printRefusal);
        if (!refused.isEmpty()) {
            return ExitCode.UNUSABLE_INPUT;
        }
        return reports.stream().anyMatch(failOn::fails) ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
    }

    /** The stored profiles of one namespace, by name. */
    private LintInput stored() {
        options.rejectServer("lint");
        FleetEndpoint remote = options.managementEndpoint(System.getenv(), terminal.err()::println);
        List<LintInput.Text> texts = new ArrayList<>();
        try (ManagementClient management = ManagementClient.open(remote);
                ProgressIndicator _ = ProgressIndicator.start(terminal, management.describe())) {
            for (String name : names) {
                String title = options.namedTenant() + "/" + name;
                texts.add(new LintInput.Text(title, management.profile(options.namedTenant(), name), false));
            }
        }
        return new LintInput(texts, List.of());
    }

    private Linter.@Nullable AirGap airGap() {
        if (!airGapped) {
            return null;
        }
        Provisioning provisioning = settings == null
                ? AirGapCommand.Inputs.airGapped()
                : OfflineRenderer.readSettings(settings, terminal.in());
        return new Linter.AirGap(provisioning, BundledProfile::declaredDownloads);
    }

    private List<ProfileLintReport> reports(
            LintInput input, MatrixFilter choice, List<String> notes, List<String> refused) {
        List<ProfileLintReport> reports = new ArrayList<>();
        if (input.texts().isEmpty()) {
            return reports;
        }
        Optional<BashSyntaxChecker> bash = BashSyntaxChecker.find();
        if (bash.isEmpty()) {
            notes.add("bash not found: script syntax not checked");
        }
        Linter linter = new Linter(bash.<ScriptChecker>map(it -> it).orElse(ScriptChecker.NONE), System::nanoTime);
        Linter.AirGap airGap = airGap();
        Linter.Extensions composed = OfflineRenderer.readExtensions(extensions, terminal.in());
        List<OperatingSystemProfile> profiles = input.texts().stream()
                .flatMap(text -> Linter.readProfiles(text.text()).stream())
                .toList();
        int skipped = 0;
        for (LintInput.Text text : input.texts()) {
            // A directory may contain unrelated files.
            if (text.found() && !text.text().contains("OperatingSystemProfile")) {
                skipped++;
                continue;
            }
            List<ProfileLintReport> found = linter.lint(text.name(), text.text(), choice, airGap, composed, profiles);
            reports.addAll(found);
            if (found.isEmpty() && !text.found()) {
                refused.add(text.name() + ": expected an OperatingSystemProfile, found none");
            } else if (found.isEmpty()) {
                skipped++;
            }
        }
        if (skipped > 0 && reports.isEmpty() && refused.isEmpty()) {
            refused.add("no OperatingSystemProfile in " + ValueFormatter.countOf(skipped, "file"));
        } else if (skipped > 0) {
            notes.add(ValueFormatter.countOf(skipped, "file") + " without an OperatingSystemProfile skipped");
        }
        if (!choice.equals(MatrixFilter.ALL)
                && !reports.isEmpty()
                && reports.stream().allMatch(LintCommand::isPassedOver)) {
            refused.add(NOTHING_CHOSEN);
        }
        composed.candidates().extensions().stream()
                .map(CompiledExtension::extension)
                .filter(extension -> reports.stream()
                        .noneMatch(report -> isSelected(report, extension.spec().target())))
                .forEach(
                        extension -> notes.add(
                                extension.describe()
                                        + " is not applied, because its target includes none of the profiles with their cloud providers"));
        reports.addAll(linter.lint(composed));
        return reports;
    }

    private static boolean isSelected(ProfileLintReport report, ProfileExtension.Target target) {
        return target.includesProfile(report.profile(), report.matrix().operatingSystem())
                && report.matrix().cloudProviders().stream().anyMatch(target::includesProvider);
    }

    /** Whether nothing was rendered although there is no finding. */
    private static boolean isPassedOver(ProfileLintReport report) {
        return report.matrix().renderings() == 0 && report.count(LintSeverity.ERROR) == 0;
    }

    private void table(List<ProfileLintReport> reports) {
        for (ProfileLintReport report : reports) {
            LintReportFormatter.findings(report).forEach(terminal.out()::println);
        }
        for (ProfileLintReport report : reports) {
            terminal.err().println(LintReportFormatter.summary(report));
        }
    }
}
