package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.view.DiffLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub diff}: what a change that is not applied yet would do, and for whom. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Say what profiles or WorkerClusters that are not applied yet would change, and for whom.",
            "The hub renders both sides, without any secret and without writing anything; so it needs the hub's API (--server)."
        },
        footer = {
            "",
            "Examples:",
            "  hub diff -f osp-ubuntu-hardened.yaml -A --server https://hub.example.org --token-file token",
            "  hub diff -f worker-cluster.yaml -n cluster-7xk2m9 --full",
            "",
            "Exit codes: 0 nothing would change, 1 something would, 2 unusable input, 4 not allowed, 5 not reachable, or some"
                    + " were not compared and nothing else would change."
        })
final class DiffCommand extends ReadCommand {
    private static final int PAGE = 100;
    private static final int LARGE_PAGE = 500;

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "File with what would be applied; - for the standard input. May be given more than once.")
    private List<String> files = List.of();

    @Option(names = "--full", description = "All MachineDeployments, and the lines that differ.")
    private boolean full;

    DiffCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        List<JsonNode> changes = new ArrayList<>();
        for (String file : files) {
            changes.addAll(read(file));
        }
        String scope = options.scope(remote);
        DiffRequest request = new DiffRequest(
                changes, scope.isEmpty() ? null : List.of(scope), true, full, full ? LARGE_PAGE : PAGE, null);
        DiffReport report = whole(fleet, request);
        switch (print.format()) {
            case json -> say(Printed.json(report));
            case yaml -> say(Printed.yaml(report));
            case name ->
                report.items()
                        .forEach(item -> say("md/" + item.machineDeployment().namespace() + "/"
                                + item.machineDeployment().name()));
            case table, wide -> print(fleet, changes, report);
        }
        List<String> unseen = report.notCompared() == null ? List.of() : report.notCompared();
        if (!unseen.isEmpty()) {
            notCompared(fleet, unseen);
        }
        if (report.changed() + report.repaired() + report.refused() > 0) {
            return ExitCode.FOUND_SOMETHING;
        }
        return unseen.isEmpty() ? ExitCode.OK : Kind.UNREACHABLE.exitCode();
    }

    /** Also for who wants no hints: nobody knows what would become of these. */
    private void notCompared(FleetSource fleet, List<String> tenants) throws FleetFailure {
        Map<String, String> served = new HashMap<>();
        for (WorkerCluster cluster :
                fleet.workerClusters(ListQuery.in(tenants.size() == 1 ? tenants.getFirst() : ""))) {
            String by =
                    cluster.connection() == null ? null : cluster.connection().servedBy();
            if (by != null) {
                served.put(cluster.metadata().namespace(), by);
            }
        }
        Map<String, List<String>> byReplica = new TreeMap<>();
        for (String tenant : tenants) {
            byReplica
                    .computeIfAbsent(served.getOrDefault(tenant, ""), added -> new ArrayList<>())
                    .add(tenant);
        }
        byReplica.forEach(
                (replica, some) -> complain(
                        "not compared: " + String.join(", ", some)
                                + (replica.isEmpty()
                                        ? "; no replica of the hub serves them yet, try again"
                                        : "; their replica is " + replica
                                                + ": ask that one or, if it was that, wait until it has reached their worker clusters")));
    }

    private DiffReport whole(FleetSource fleet, DiffRequest request) throws FleetFailure {
        DiffReport first = fleet.diff(request);
        List<DiffReport.Item> items = new ArrayList<>(first.items());
        String next = first.next();
        while (full && next != null) {
            DiffReport page = fleet.diff(new DiffRequest(
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
                first.notCompared(),
                items,
                next);
    }

    private void print(FleetSource fleet, List<JsonNode> changes, DiffReport report) throws FleetFailure {
        for (JsonNode change : changes) {
            say(Plain.line(header(fleet, change)));
        }
        say(DiffLines.summary(report));
        List<String> lines = new DiffLines(report, full, colors(), terminal.width()).lines();
        if (!lines.isEmpty()) {
            say("");
            lines.forEach(this::say);
        }
    }

    /** {@code OperatingSystemProfile osm-profiles/osp-ubuntu  v2.3.1 -> v2.4.0}. */
    private static String header(FleetSource fleet, JsonNode change) throws FleetFailure {
        String kind = change.path("kind").asText("OperatingSystemProfile");
        String namespace = change.path("metadata").path("namespace").asText("");
        String name = change.path("metadata").path("name").asText("");
        String head = kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        String version = change.path("spec").path("version").asText("");
        if (!kind.equals("OperatingSystemProfile") || namespace.isEmpty() || version.isEmpty()) {
            return head;
        }
        try {
            String stored = fleet.profile(namespace, name).profile().version();
            return head + "  " + (stored.equals(version) ? version : stored + " -> " + version);
        } catch (FleetFailure e) {
            if (e.kind() != Kind.NOT_FOUND) {
                throw e;
            }
            return head + "  new, " + version;
        }
    }

    private List<JsonNode> read(String file) throws FleetFailure {
        String source = file.equals("-") ? "standard input" : file;
        String text;
        try {
            text = file.equals("-")
                    ? new String(terminal.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new FleetFailure(Kind.UNUSABLE, source + " cannot be read as text; check the path");
        }
        try {
            List<JsonNode> objects = new ArrayList<>();
            for (Document document : YamlText.read(source, text, "SettingsInvalid")) {
                JsonNode object = Document.json(document.root());
                if (object.path("kind").asText("").endsWith("List")
                        && object.path("items").isArray()) {
                    object.path("items").forEach(objects::add);
                } else {
                    objects.add(object);
                }
            }
            if (objects.isEmpty()) {
                throw new FleetFailure(
                        Kind.UNUSABLE, source + " holds no object; give an OperatingSystemProfile or a WorkerCluster");
            }
            return objects;
        } catch (TenantMistake e) {
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    e.findings().size() + (e.findings().size() == 1 ? " mistake in " : " mistakes in ") + source,
                    e.findings().stream()
                            .map(finding -> source + ":" + finding.line() + ":" + finding.column() + "  "
                                    + finding.what() + (finding.cure().isEmpty() ? "" : "; " + finding.cure()))
                            .toList());
        }
    }
}
