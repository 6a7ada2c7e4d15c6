package io.osmhub.deploy.cli;

import io.osmhub.deploy.cli.GetCommand.SelectedObjects;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Watches a list by polling: prints all of it, then each object that changed. */
final class ListWatcher<T> {
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final GetCommand command;
    private final SelectedObjects<T> selected;
    private final Map<String, T> known = new LinkedHashMap<>();
    private int[] widths = {};
    private boolean begun;
    private String lastFailure = "";

    ListWatcher(GetCommand command, SelectedObjects<T> selected) {
        this.command = command;
        this.selected = selected;
    }

    int run() {
        try {
            while (!command.terminal.out().checkError()) {
                poll();
                Thread.sleep(INTERVAL);
            }
            return ExitCode.OUTPUT_FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    /** The first request must succeed; later the hub may be unavailable temporarily. */
    private void poll() throws InterruptedException {
        try {
            refresh(command.list(selected));
            lastFailure = "";
        } catch (CommandFailure e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (!begun || e.kind() != CommandFailureKind.UNREACHABLE) {
                throw e;
            }
            if (!e.text().equals(lastFailure)) {
                command.printHint(e.text() + "; retrying");
            }
            lastFailure = e.text();
        }
    }

    private void refresh(List<T> items) {
        List<T> changed = new ArrayList<>();
        Map<String, T> now = new LinkedHashMap<>();
        for (T one : items) {
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
            case json -> changed.forEach(one -> command.printLine(ObjectPrinter.jsonLine(one)));
            case yaml -> changed.forEach(one -> command.printLine("---\n" + ObjectPrinter.yaml(one)));
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
