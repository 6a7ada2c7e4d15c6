package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.ProblemDetails.ProblemError;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.config.InputFile;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.HubClient.InvalidRequest;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.view.DiffFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub diff}: previews a change that is not applied yet. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Preview unapplied changes to profiles, extensions or WorkerClusters, and whom they affect.",
            "The hub renders both versions without secrets and writes nothing."
        },
        footer = {
            "",
            "Examples:",
            "  hub diff -f osp-ubuntu-hardened.yaml -A --server https://hub.example.org --token-file token",
            "  hub diff -f worker-cluster.yaml -n cluster-7xk2m9 --full",
            "",
            "Exit codes: 0 no changes, 1 changes, 2 unusable input, 4 not allowed, 5 not reachable, or no"
                    + " changes found but some objects not compared."
        })
final class DiffCommand extends PrintCommand {
    private static final int PAGE = 100;
    private static final int LARGE_PAGE = 500;

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "File with the objects to apply; - for standard input. May be repeated.")
    private List<String> files = List.of();

    @Option(names = "--full", description = "Show all MachineDeployments and the lines that differ.")
    private boolean full;

    @Override
    int run(HubClient hub, FleetEndpoint remote) {
        print.rejectListOptions();
        List<SourceDocument> documents =
                files.stream().flatMap(file -> read(file).stream()).toList();
        List<JsonNode> changes = documents.stream()
                .map(document -> SourceDocument.json(document.root()))
                .toList();
        String scope = options.scope(remote);
        DiffRequest request = new DiffRequest(
                changes, scope.isEmpty() ? null : List.of(scope), true, full, full ? LARGE_PAGE : PAGE, null);
        DiffReport report;
        try {
            report = whole(hub, request);
        } catch (InvalidRequest e) {
            throw inFiles(e, documents);
        }
        if (print.format() == OutputFormat.name) {
            report.items()
                    .forEach(item -> printLine("md/" + item.machineDeployment().namespace() + "/"
                            + item.machineDeployment().name()));
        } else if (!printStructured(print, report)) {
            print(hub, changes, report);
        }
        // Printed even without hints: the effect on these is unknown.
        if (report.notConnected() != null) {
            printError("not compared: " + String.join(", ", report.notConnected())
                    + "; not connected to their worker cluster");
        }
        if (report.unanswered() != null) {
            printError("not compared: the tenants of replica " + String.join(", ", report.unanswered())
                    + " of the hub, which did not answer; try again in a few seconds");
        }
        if (report.changed() + report.repaired() + report.newlyRefused() > 0) {
            return ExitCode.FOUND_SOMETHING;
        }
        return report.notConnected() == null && report.unanswered() == null
                ? ExitCode.OK
                : CommandFailureKind.UNREACHABLE.exitCode();
    }

    /** The same failure with the positions of all errors in the files, if all are about objects. */
    private static CommandFailure inFiles(InvalidRequest failure, List<SourceDocument> documents) {
        List<InputError> errors = new ArrayList<>();
        for (ProblemError error : failure.errors()) {
            String[] pointer = Objects.requireNonNullElse(error.pointer(), "").split("/", 4);
            if (pointer.length < 3 || !pointer[1].equals("changes")) {
                return failure;
            }
            String field = Objects.requireNonNullElse(error.field(), pointer.length > 3 ? pointer[3] : "");
            SourceDocument document = documents.get(Integer.parseInt(pointer[2]));
            String cure = Objects.requireNonNullElse(error.cure(), "");
            errors.add(InputError.ofDocument(
                    document, new Problem(Reason.SettingsInvalid, document.source(), field, error.detail(), cure)));
        }
        return errors.isEmpty() ? failure : CommandFailure.unusable(errors, ", nothing was compared");
    }

    private DiffReport whole(HubClient hub, DiffRequest request) {
        DiffReport first = hub.diff(request);
        List<DiffReport.Item> items = new ArrayList<>(first.items());
        String next = first.next();
        while (full && next != null) {
            DiffReport page = hub.diff(new DiffRequest(
                    request.changes(),
                    request.namespaces(),
                    request.onlyChanged(),
                    request.lines(),
                    request.limit(),
                    next));
            items.addAll(page.items());
            next = page.next();
        }
        return new DiffReport(
                first.total(),
                first.workerClusters(),
                first.changed(),
                first.repaired(),
                first.same(),
                first.refused(),
                first.alreadyRefused(),
                first.notConnected(),
                first.unanswered(),
                items,
                next);
    }

    private void print(HubClient hub, List<JsonNode> changes, DiffReport report) {
        for (JsonNode change : changes) {
            printLine(TerminalSanitizer.sanitizeLine(header(hub, change)));
        }
        printLine(DiffFormatter.summary(report));
        List<String> lines = new DiffFormatter(report, full, colors(), terminal.width()).lines();
        if (!lines.isEmpty()) {
            printLine("");
            lines.forEach(this::printLine);
        }
    }

    /** {@code OperatingSystemProfile osm-profiles/osp-ubuntu  v2.3.1 -> v2.4.0}. */
    private static String header(HubClient hub, JsonNode change) {
        String kind = change.path("kind").asText("OperatingSystemProfile");
        String namespace = change.path("metadata").path("namespace").asText("");
        String name = change.path("metadata").path("name").asText("");
        String head = kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        String version = change.path("spec").path("version").asText("");
        if (!kind.equals("OperatingSystemProfile") || namespace.isEmpty() || version.isEmpty()) {
            return head;
        }
        try {
            String stored = hub.profile(namespace, name).profile().version();
            return head + "  " + (stored.equals(version) ? version : stored + " -> " + version);
        } catch (CommandFailure e) {
            if (e.kind() != CommandFailureKind.NOT_FOUND) {
                throw e;
            }
            return head + "  new, " + version;
        }
    }

    private List<SourceDocument> read(String file) {
        InputFile input = InputFile.of(file);
        String source = input.displayName();
        String text;
        try {
            text = input.read(terminal.in());
        } catch (InputFile.UnreadableException e) {
            throw CommandFailure.unusable(source + ": " + e.reason());
        }
        try {
            List<SourceDocument> objects = SourceDocument.readAll(source, text, Reason.SettingsInvalid);
            if (objects.isEmpty()) {
                throw CommandFailure.unusable(
                        source
                                + ": expected an OperatingSystemProfile, OperatingSystemProfileExtension or WorkerCluster, found no object");
            }
            return objects;
        } catch (TenantMistake e) {
            throw CommandFailure.unusable(
                    e.findings().stream()
                            .map(finding -> InputError.of(source, finding))
                            .toList(),
                    " in " + source);
        }
    }
}
