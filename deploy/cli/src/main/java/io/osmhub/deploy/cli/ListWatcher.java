package io.osmhub.deploy.cli;

import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamEvent.StreamKind;
import io.osmhub.deploy.cli.ObjectSelection.SelectedObjects;
import io.osmhub.deploy.fleet.EventStreamFollower.ChangeHandler;
import io.osmhub.deploy.fleet.FleetFailure;
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
 * Watches a list: prints all of it, then each object that changed. Events only trigger a refresh of the whole list, so that
 * nothing is missed or printed twice after a reconnect.
 */
final class ListWatcher<T> {
    /** Events within this time cause one refresh. */
    private static final Duration TOGETHER = Duration.ofMillis(300);

    private final ListCommand command;
    private final SelectedObjects<T> selected;
    private final BlockingQueue<WatchSignal> looks = new LinkedBlockingQueue<>();
    private final Map<String, T> known = new LinkedHashMap<>();
    private int[] widths = {};
    private volatile boolean begun;

    /** Why the list is refreshed or the watch ends. */
    private sealed interface WatchSignal {
        record Refresh() implements WatchSignal {}

        record FollowFailed(FleetFailure failure) implements WatchSignal {}

        record FollowCrashed(RuntimeException fault) implements WatchSignal {}
    }

    ListWatcher(ListCommand command, SelectedObjects<T> selected) {
        this.command = command;
        this.selected = selected;
    }

    int run() throws FleetFailure {
        Thread following = Thread.ofVirtual().start(this::follow);
        try {
            while (!command.terminal.out().checkError()) {
                switch (looks.take()) {
                    case WatchSignal.FollowFailed failed -> throw failed.failure();
                    case WatchSignal.FollowCrashed fault -> throw fault.fault();
                    case WatchSignal.Refresh again -> {
                        if (begun) {
                            Thread.sleep(TOGETHER);
                        }
                        looks.removeIf(WatchSignal.Refresh.class::isInstance);
                        refresh();
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
            selected.hub().follow(selected.query().namespace(), kinds(), new ChangeHandler() {
                @Override
                public boolean onEvent(StreamEvent event) {
                    // Later bookmarks mean that nothing changed.
                    if (event.type() != StreamEvent.Type.BOOKMARK || !begun) {
                        looks.add(new WatchSignal.Refresh());
                    }
                    return true;
                }

                @Override
                public void onWaiting(String why) {
                    command.printHint(why);
                }
            });
        } catch (FleetFailure e) {
            looks.add(new WatchSignal.FollowFailed(e));
        } catch (RuntimeException e) {
            looks.add(new WatchSignal.FollowCrashed(e));
        }
    }

    private Set<StreamKind> kinds() {
        return switch (selected.kind().noun()) {
            case CLUSTERS -> EnumSet.of(StreamKind.WORKER_CLUSTER);
            case OSPS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_PROFILE);
            case OSCS -> EnumSet.of(StreamKind.OPERATING_SYSTEM_CONFIG);
            // One without a configuration is reported by its WorkerCluster's status only.
            case MDS -> EnumSet.of(StreamKind.MACHINE_DEPLOYMENT, StreamKind.PROBLEM, StreamKind.WORKER_CLUSTER);
            case PROBLEMS -> EnumSet.of(StreamKind.PROBLEM);
        };
    }

    private void refresh() throws FleetFailure {
        List<T> changed = new ArrayList<>();
        Map<String, T> now = new LinkedHashMap<>();
        for (T one : command.list(selected)) {
            String key = selected.kind().key(one);
            now.put(key, one);
            if (!one.equals(known.get(key))) {
                changed.add(one);
            }
        }
        known.forEach((key, one) -> {
            if (!now.containsKey(key)) {
                command.printHint(selected.kind().displayPath(one) + " deleted");
            }
        });
        known.clear();
        known.putAll(now);
        print(changed);
        begun = true;
    }

    private void print(List<T> changed) {
        switch (command.print.format()) {
            case json, yaml, jsonpath, custom_columns -> changed.forEach(command::printStreamed);
            case name -> changed.forEach(one -> command.printLine(selected.displayPath(one)));
            case table, wide -> {
                if (!changed.isEmpty()) {
                    TextTable<T> table = command.table(selected, changed);
                    widths = table.widenColumns(widths);
                    table.lines(command.print.headers() && !begun, command.colors(), command.terminal.width())
                            .forEach(command::printLine);
                }
            }
        }
    }
}
