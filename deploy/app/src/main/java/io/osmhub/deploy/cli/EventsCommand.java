package io.osmhub.deploy.cli;

import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.FleetSource.Receiver;
import io.osmhub.deploy.fleet.FleetSource.Wanted;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.OutputFormat;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.view.EventLines;
import io.osmhub.deploy.view.Moments;
import io.osmhub.deploy.view.Noun;
import io.osmhub.deploy.view.Tables;
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

/** {@code hub events}: changes and problems as they come. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Show the problems that are open or ended of late; with -f, changes and problems as they come.",
            "A broken connection is made again, and goes on after the last event: none is lost, none comes twice."
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
final class EventsCommand extends ReadCommand {
    @Option(
            names = {"-f", "--follow"},
            description = "Go on until Ctrl-C.")
    private boolean follow;

    @Option(
            names = "--for",
            paramLabel = "KIND/NAME",
            description = "Only those of one object, for example md/kube-system/workers-a, wc/shop or osp/osp-ubuntu.")
    private String about = "";

    EventsCommand(Terminal terminal) {
        super(terminal);
    }

    /** The one object that is meant; {@code namespace} is empty where it does not matter. */
    private record Subject(Noun noun, String namespace, String name) {
        static Subject of(String text) throws FleetFailure {
            int slash = text.indexOf('/');
            if (slash < 1 || slash == text.length() - 1) {
                throw new FleetFailure(
                        Kind.UNUSABLE, "--for " + text + ": expected KIND/NAME; write md/NAMESPACE/NAME or wc/NAME");
            }
            Noun noun = Noun.of(text.substring(0, slash));
            String rest = text.substring(slash + 1);
            if (noun == Noun.PROBLEMS) {
                throw new FleetFailure(Kind.UNUSABLE, "--for names an object; hub get problems lists problems");
            }
            int inner = rest.lastIndexOf('/');
            return new Subject(noun, inner < 0 ? "" : rest.substring(0, inner), rest.substring(inner + 1));
        }

        boolean is(@Nullable ObjectRef object) {
            return object != null
                    && object.kind().equals(noun.kind())
                    && object.name().equals(name)
                    && (namespace.isEmpty() || namespace.equals(object.namespace()));
        }
    }

    @Override
    boolean follows() {
        return follow;
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return follow ? null : super.limit();
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        Subject subject = about.isEmpty() ? null : Subject.of(about);
        String scope = options.scope(remote);
        return follow ? follow(fleet, scope, subject) : past(fleet, scope, subject);
    }

    // Following

    private int follow(FleetSource fleet, String scope, @Nullable Subject subject) throws FleetFailure {
        Follower follower = new Follower(subject);
        fleet.follow(new Wanted(scope, kinds(subject)), follower);
        return terminal.out().checkError() ? ExitCode.OUTPUT_FAILED : ExitCode.INTERRUPTED;
    }

    private static Set<StreamKind> kinds(@Nullable Subject subject) {
        if (subject == null) {
            // A configuration is told of by its MachineDeployment.
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

    private final class Follower implements Receiver {
        private final @Nullable Subject subject;
        private @Nullable EventLines lines;
        private Instant linesSince = Instant.EPOCH;
        private String lastWaiting = "";

        Follower(@Nullable Subject subject) {
            this.subject = subject;
        }

        @Override
        public boolean take(StreamEvent event) {
            lastWaiting = "";
            if (event.type() == StreamEvent.Type.RESET) {
                hint("what happened meanwhile is not known any more; hub get shows what is there now");
            } else if (event.type() != StreamEvent.Type.BOOKMARK && (subject == null || subject.is(event.object()))) {
                print(event);
            }
            return !terminal.out().checkError();
        }

        private void print(StreamEvent event) {
            switch (print.format()) {
                case json -> say(Printed.jsonLine(event));
                case yaml -> say("---\n" + Printed.yaml(event));
                case name, table, wide -> lines(event.at()).of(event).ifPresent(EventsCommand.this::say);
            }
        }

        /** The day may change meanwhile. */
        private EventLines lines(Instant now) {
            EventLines known = lines;
            if (known == null || Duration.between(linesSince, now).toHours() >= 1) {
                known = new EventLines(Moments.now(print.utc()), colors());
                lines = known;
                linesSince = now;
            }
            return known;
        }

        @Override
        public void waiting(String why) {
            if (!why.equals(lastWaiting)) {
                hint(why);
            }
            lastWaiting = why;
        }
    }

    // What was

    /** A line with its time. */
    private record Past(Instant at, String line) {}

    private int past(FleetSource fleet, String scope, @Nullable Subject subject) throws FleetFailure {
        List<ProblemEntry> problems = new ArrayList<>();
        for (String state : List.of("Open", "Resolved")) {
            problems.addAll(fleet.list(Shelf.PROBLEMS, new ListQuery(scope, "", Map.of("state", state), "", "", 0)));
        }
        problems.removeIf(problem -> subject != null && !subject.is(problem.object()));
        if (print.format() == OutputFormat.json || print.format() == OutputFormat.yaml) {
            Object list = Printed.list(problems);
            say(print.format() == OutputFormat.json ? Printed.json(list) : Printed.yaml(list));
            return ExitCode.OK;
        }
        List<Past> past = new ArrayList<>();
        EventLines lines = new EventLines(Moments.now(print.utc()), colors());
        for (ProblemEntry problem : problems) {
            past.add(new Past(problem.since(), lines.opened(problem.since(), problem)));
            if (problem.resolvedAt() != null) {
                past.add(new Past(
                        problem.resolvedAt(), lines.resolved(problem.resolvedAt(), Tables.object(problem), problem)));
            }
        }
        if (subject != null && subject.noun() == Noun.MDS && !scope.isEmpty()) {
            history(fleet, scope, subject)
                    .forEach(entry -> past.add(new Past(entry.at(), lines.published(about, entry))));
        }
        past.sort(Comparator.comparing(Past::at));
        past.forEach(one -> say(one.line()));
        if (past.isEmpty()) {
            hint("nothing happened that is still known; -f shows what comes");
        }
        return ExitCode.OK;
    }

    private static List<HistoryEntry> history(FleetSource fleet, String tenant, Subject subject) throws FleetFailure {
        String given = subject.namespace().isEmpty() ? subject.name() : subject.namespace() + "/" + subject.name();
        MachineDeploymentName meant = MachineDeploymentName.find(fleet, tenant, given);
        return Objects.requireNonNullElse(
                fleet.machineDeployment(tenant, meant.namespace(), meant.name()).history(), List.of());
    }
}
