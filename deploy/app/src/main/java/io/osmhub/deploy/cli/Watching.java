package io.osmhub.deploy.cli;

import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.FleetSource.Receiver;
import io.osmhub.deploy.fleet.FleetSource.Wanted;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A list that goes on: first all of it, then each object that is another now. Changes only say that the list is to be looked at
 * again, so that nothing is missed after a break and nothing is shown twice.
 */
final class Watching<T> {
    /** What comes together is looked at together. */
    private static final Duration TOGETHER = Duration.ofMillis(300);

    private final ListCommand command;
    private final FleetSource fleet;
    private final Kind<T> kind;
    private final ListQuery query;
    private final BlockingQueue<Look> looks = new LinkedBlockingQueue<>();
    private final Map<String, T> known = new LinkedHashMap<>();
    private int[] widths = {};
    private volatile boolean begun;

    /** Why the list is looked at, or why no more. */
    private sealed interface Look {
        record Again() implements Look {}

        record Failed(FleetFailure failure) implements Look {}

        record Fault(RuntimeException fault) implements Look {}
    }

    Watching(ListCommand command, FleetSource fleet, Kind<T> kind, ListQuery query) {
        this.command = command;
        this.fleet = fleet;
        this.kind = kind;
        this.query = query;
    }

    int run() throws FleetFailure {
        Thread following = Thread.ofVirtual().start(this::follow);
        try {
            while (!command.terminal.out().checkError()) {
                switch (looks.take()) {
                    case Look.Failed failed -> throw failed.failure();
                    case Look.Fault fault -> throw fault.fault();
                    case Look.Again again -> {
                        if (begun) {
                            Thread.sleep(TOGETHER);
                        }
                        looks.removeIf(Look.Again.class::isInstance);
                        look();
                    }
                }
            }
            return ExitCode.OUTPUT_FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } finally {
            following.interrupt();
        }
    }

    private void follow() {
        try {
            fleet.follow(new Wanted(query.namespace(), kinds()), new Receiver() {
                @Override
                public boolean take(StreamEvent event) {
                    // Later bookmarks tell that nothing happened.
                    if (event.type() != StreamEvent.Type.BOOKMARK || !begun) {
                        looks.add(new Look.Again());
                    }
                    return true;
                }

                @Override
                public void waiting(String why) {
                    command.hint(why);
                }
            });
        } catch (FleetFailure e) {
            looks.add(new Look.Failed(e));
        } catch (RuntimeException e) {
            looks.add(new Look.Fault(e));
        }
    }

    private Set<StreamKind> kinds() {
        return switch (kind.noun()) {
            case CLUSTERS -> EnumSet.of(StreamKind.WORKER_CLUSTER);
            case OSPS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_PROFILE);
            case OSCS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_CONFIG);
            // One that has no configuration, not yet or no more, is told of by its WorkerCluster's status only.
            case MDS -> EnumSet.of(StreamKind.MACHINE_DEPLOYMENT, StreamKind.PROBLEM, StreamKind.WORKER_CLUSTER);
            case PROBLEMS -> EnumSet.of(StreamKind.PROBLEM);
        };
    }

    private void look() throws FleetFailure {
        List<T> changed = new ArrayList<>();
        Map<String, T> now = new LinkedHashMap<>();
        for (T one : command.list(fleet, kind, query)) {
            String key = kind.key(one);
            now.put(key, one);
            if (!one.equals(known.get(key))) {
                changed.add(one);
            }
        }
        known.forEach((key, one) -> {
            if (!now.containsKey(key)) {
                command.hint(kind.path(one) + " is gone");
            }
        });
        known.clear();
        known.putAll(now);
        print(changed);
        begun = true;
    }

    private void print(List<T> changed) {
        switch (command.print.format()) {
            case json -> changed.forEach(one -> command.say(Printed.jsonLine(one)));
            case yaml -> changed.forEach(one -> command.say("---\n" + Printed.yaml(one)));
            case name -> changed.forEach(one -> command.say(kind.path(one)));
            case table, wide -> {
                if (!changed.isEmpty()) {
                    TextTable table = command.table(kind, changed, query);
                    widths = table.widen(widths);
                    table.lines(command.print.headers() && !begun, command.colors(), command.terminal.width())
                            .forEach(command::say);
                }
            }
        }
    }
}
