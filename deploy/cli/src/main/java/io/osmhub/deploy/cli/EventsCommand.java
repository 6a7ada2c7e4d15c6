package io.osmhub.deploy.cli;

import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamEvent.StreamKind;
import io.osmhub.deploy.fleet.EventStreamFollower.ChangeHandler;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.view.EventFormatter;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import io.osmhub.deploy.view.TimestampFormatter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub events}: shows changes and problems as they occur. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Show open and recently resolved problems; with -f, stream changes and problems.",
            "Reconnects after a broken connection and prints a hint if events were missed."
        },
        footer = {
            "",
            "Examples:",
            "  hub events -f -n cluster-7xk2m9",
            "  hub events --for md/kube-system/workers-a -n cluster-7xk2m9",
            "  hub events -f -A -o json | jq .",
            "",
            "Exit codes: 0 done, 2 unusable flags, 4 not allowed, 5 not reachable, 130 stopped by Ctrl-C."
        })
final class EventsCommand extends PrintCommand {
    @Option(
            names = {"-f", "--follow"},
            description = "Stream events until Ctrl-C.")
    private boolean follow;

    @Option(
            names = "--for",
            paramLabel = "KIND/NAME",
            description =
                    "Show only events of one object, for example md/kube-system/workers-a, wc/shop or osp/osp-ubuntu;"
                            + " KIND/TENANT/NAME selects the tenant too.")
    private String about = "";

    EventsCommand(Terminal terminal) {
        super(terminal);
    }

    /** The selected object; {@code tenant} and {@code namespace} are empty where they do not matter. */
    private record ObjectFilter(ResourceAlias noun, String tenant, String namespace, String name) {
        static ObjectFilter of(String text) throws FleetFailure {
            int slash = text.indexOf('/');
            if (slash < 1 || slash == text.length() - 1) {
                throw FleetFailure.unusable(
                        "--for " + text + ": expected KIND/NAME; write md/NAMESPACE/NAME or wc/NAME");
            }
            ResourceAlias noun = ResourceAlias.of(text.substring(0, slash));
            String rest = text.substring(slash + 1);
            if (noun == ResourceAlias.PROBLEMS) {
                throw FleetFailure.unusable("--for: expected an object, not a problem; use hub get problems");
            }
            String tenant = "";
            // A profile may be shared by tenants: its namespace does not limit them.
            if (noun != ResourceAlias.OSPS && ListableKind.of(noun).hasTenant(rest)) {
                tenant = rest.substring(0, rest.indexOf('/'));
                rest = noun == ResourceAlias.MDS ? rest.substring(tenant.length() + 1) : rest;
            }
            int inner = rest.lastIndexOf('/');
            return new ObjectFilter(noun, tenant, inner < 0 ? "" : rest.substring(0, inner), rest.substring(inner + 1));
        }

        boolean is(@Nullable ObjectRef object) {
            return object != null
                    && object.kind().equals(noun.kind())
                    && object.name().equals(name)
                    && (namespace.isEmpty() || namespace.equals(object.namespace()));
        }
    }

    @Override
    boolean runsUntilInterrupted() {
        return follow;
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return follow && !options.hasTimeout() ? null : super.limit();
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        ObjectFilter subject = about.isEmpty() ? null : ObjectFilter.of(about);
        String scope = subject == null || subject.tenant().isEmpty() ? options.scope(remote) : subject.tenant();
        return follow ? follow(hub, scope, subject) : past(hub, scope, subject);
    }

    // Following

    private int follow(HubClient hub, String scope, @Nullable ObjectFilter subject) throws FleetFailure {
        EventPrinter follower = new EventPrinter(subject);
        hub.follow(scope, kinds(subject), follower);
        return terminal.out().checkError() ? ExitCode.OUTPUT_FAILED : ExitCode.INTERRUPTED;
    }

    private static Set<StreamKind> kinds(@Nullable ObjectFilter subject) {
        if (subject == null) {
            // MachineDeployment events cover the OperatingSystemConfig.
            return EnumSet.complementOf(EnumSet.of(StreamKind.OPERATING_SYSTEM_CONFIG));
        }
        return switch (subject.noun()) {
            case CLUSTERS -> EnumSet.of(StreamKind.WORKER_CLUSTER, StreamKind.PROBLEM);
            case OSPS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_PROFILE, StreamKind.PROBLEM);
            case OSCS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_CONFIG);
            case MDS -> EnumSet.of(StreamKind.MACHINE_DEPLOYMENT, StreamKind.PROBLEM);
            case PROBLEMS -> EnumSet.of(StreamKind.PROBLEM);
        };
    }

    private final class EventPrinter implements ChangeHandler {
        private final @Nullable ObjectFilter subject;
        private @Nullable EventFormatter lines;
        private Instant linesSince = Instant.EPOCH;
        private String lastWaiting = "";

        EventPrinter(@Nullable ObjectFilter subject) {
            this.subject = subject;
        }

        @Override
        public boolean onEvent(StreamEvent event) {
            lastWaiting = "";
            if (event.type() == StreamEvent.Type.RESET) {
                printHint("events since the disconnect are no longer available; use hub get to show the current state");
            } else if (event.type() != StreamEvent.Type.BOOKMARK && (subject == null || subject.is(event.object()))) {
                print(event);
            }
            return !terminal.out().checkError();
        }

        private void print(StreamEvent event) {
            if (!printStreamed(event)) {
                lines(event.at()).of(event).ifPresent(EventsCommand.this::printLine);
            }
        }

        /** The date may change while following. */
        private EventFormatter lines(Instant now) {
            EventFormatter known = lines;
            if (known == null || Duration.between(linesSince, now).toHours() >= 1) {
                known = new EventFormatter(TimestampFormatter.now(print.utc()), colors());
                lines = known;
                linesSince = now;
            }
            return known;
        }

        @Override
        public void onWaiting(String why) {
            if (!why.equals(lastWaiting)) {
                printHint(why);
            }
            lastWaiting = why;
        }
    }

    // Past events

    private record PastEvent(Instant at, String line) {}

    private int past(HubClient hub, String scope, @Nullable ObjectFilter subject) throws FleetFailure {
        List<ProblemEntry> problems = new ArrayList<>();
        for (String state : List.of("Open", "Resolved")) {
            problems.addAll(
                    ListableKind.PROBLEMS.list(hub, new FleetListQuery(scope, "", Map.of("state", state), "", "", 0)));
        }
        problems.removeIf(problem -> subject != null && !subject.is(problem.object()));
        if (printStructured(print, ObjectPrinter.list(problems))) {
            return ExitCode.OK;
        }
        List<PastEvent> past = new ArrayList<>();
        EventFormatter lines = new EventFormatter(TimestampFormatter.now(print.utc()), colors());
        for (ProblemEntry problem : problems) {
            past.add(new PastEvent(problem.since(), lines.formatOpened(problem.since(), problem)));
            if (problem.resolvedAt() != null) {
                past.add(new PastEvent(
                        problem.resolvedAt(),
                        lines.formatResolved(problem.resolvedAt(), FleetTables.object(problem), problem)));
            }
        }
        if (subject != null && subject.noun() == ResourceAlias.MDS && !scope.isEmpty()) {
            history(hub, scope, subject)
                    .forEach(entry -> past.add(new PastEvent(entry.at(), lines.formatPublished(about, entry))));
        }
        past.sort(Comparator.comparing(PastEvent::at));
        past.forEach(one -> printLine(one.line()));
        if (past.isEmpty()) {
            printHint("no recent events; use -f to wait for new ones");
        }
        return ExitCode.OK;
    }

    private static List<HistoryEntry> history(HubClient hub, String tenant, ObjectFilter subject) throws FleetFailure {
        String given = subject.namespace().isEmpty() ? subject.name() : subject.namespace() + "/" + subject.name();
        MachineDeploymentArgument meant = MachineDeploymentArgument.find(hub, tenant, given);
        return Objects.requireNonNullElse(
                hub.machineDeployment(tenant, meant.namespace(), meant.name()).history(), List.of());
    }
}
