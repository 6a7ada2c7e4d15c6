package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.ProblemObject.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A report as terminal output: the cause, what it does to nodes, its fix, the chain. */
public final class WhyReportText {
    private static final String HANGING = "          ";
    private static final int NAME_WIDTH = 21;
    private static final int STATE_WIDTH = 8;

    private WhyReportText() {}

    /** @param width of the terminal in columns; commands are never wrapped */
    public static List<String> lines(WhyReport report, int width) {
        List<String> lines = new ArrayList<>();
        boolean current = report.cause() == null && report.newNodes() == NewNodes.CURRENT;
        String age =
                current || report.since() == null ? "" : " for " + ReportFormat.age(report.since(), report.checkedAt());
        ProblemEntry cause = report.cause();
        String headline = cause == null || cause.text().headline() == null
                ? report.verdict()
                : cause.text().headline();
        wrapped(lines, ApiJson.word(report.newNodes()) + age + ": ", headline + ".", width);
        if (cause != null) {
            wrapped(lines, "  Nodes   ", report.verdict() + ".", width);
            wrapped(lines, "  Cause   ", cause.classification().reason().wireName() + " at " + cause(cause), width);
            if (cause.place().excerpt() != null) {
                cause.place().excerpt().lines().forEach(line -> lines.add(HANGING + line));
            }
            fix(lines, cause, width);
            lines.add("  Acts    " + cause.classification().actor().wireName());
        }
        ObjectRef subject = Objects.requireNonNullElse(report.machineDeployment(), report.subject());
        for (ProblemEntry other : Objects.requireNonNullElse(report.otherProblems(), List.<ProblemEntry>of())) {
            ObjectRef object = other.subject().object();
            if (subject.equals(object) || object != null && object.kind().equals(ProfileExtension.KIND)) {
                wrapped(lines, "  Also    ", other.classification().reason().wireName() + " at " + cause(other), width);
                fix(lines, other, width);
            }
        }
        for (Link link : report.links()) {
            lines.add(line(link).stripTrailing());
        }
        return lines;
    }

    private static String cause(ProblemEntry cause) {
        ObjectRef object = cause.subject().object();
        String at = object == null
                ? ""
                : object.kind() + " " + (object.namespace() == null ? "" : object.namespace() + "/") + object.name();
        String field = cause.place().field() == null ? "" : ", " + cause.place().field();
        return at + field + ": "
                + Objects.requireNonNullElse(
                        cause.text().headline(), cause.text().message());
    }

    /** What to change, then the command to copy. */
    private static void fix(List<String> lines, ProblemEntry cause, int width) {
        List<String> clauses = new ArrayList<>();
        if (cause.fix().cure() != null && !cause.fix().cure().isEmpty()) {
            clauses.add(cause.fix().cure());
        }
        String command = cause.fix().command() == null ? "" : cause.fix().command();
        if (!command.isEmpty() && cause.fix().commandCluster() == Cluster.WORKER) {
            clauses.add("in worker cluster "
                    + Objects.requireNonNullElse(cause.subject().workerCluster(), ""));
        }
        if (!clauses.isEmpty() || !command.isEmpty()) {
            wrapped(lines, "  Fix     ", String.join(", ", clauses) + (command.isEmpty() ? "" : ":"), width);
        }
        if (!command.isEmpty()) {
            lines.add(HANGING + "  " + command);
        }
    }

    private static void wrapped(List<String> lines, String head, String text, int width) {
        StringBuilder line = new StringBuilder(head);
        boolean first = true;
        for (String word : text.split(" ", -1)) {
            if (!first && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(HANGING).append(word);
            } else {
                line.append(first ? "" : " ").append(word);
            }
            first = false;
        }
        lines.add(line.toString());
    }

    private static String line(Link link) {
        String state =
                switch (link.state()) {
                    case OK -> "ok";
                    case BROKEN -> "BROKEN";
                    case OLDER_KEPT -> "older";
                    case WAITING -> "waits";
                    case UNKNOWN -> "?";
                };
        String name =
                switch (link.name()) {
                    case PROFILE -> "Profile";
                    case RENDERED_CONFIG -> "Rendered config";
                    case PROVISIONING_SECRET -> "Provisioning secret";
                    case BOOTSTRAP_SECRET -> "Bootstrap secret";
                    case BOOTSTRAP_TOKEN -> "Bootstrap token";
                    case WORKER_CONNECTION -> "Worker connection";
                    case MACHINE_CONTROLLER_PICK_UP -> "machine-controller";
                };
        return "  " + padded(state, STATE_WIDTH) + padded(name, NAME_WIDTH)
                + (link.summary() == null ? "" : link.summary());
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
