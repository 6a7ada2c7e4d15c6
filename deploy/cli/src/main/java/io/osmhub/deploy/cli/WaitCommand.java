package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.deploy.cli.CommandCompletion.ObjectArguments;
import io.osmhub.deploy.cli.ObjectSelection.NamedObjects;
import io.osmhub.deploy.cli.ObjectSelection.SelectedObjects;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.JsonPathTemplate;
import io.osmhub.deploy.fleet.ObjectPrinter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub wait}: waits for a condition or value of objects. */
@Command(
        name = "wait",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Wait until objects have a condition or value, at most for --timeout.",
        footer = {
            "",
            "Examples:",
            "  hub wait cluster/shop -n cluster-7xk2m9 --for=condition=Ready --timeout=2m",
            "  hub wait mds -A --for=jsonpath='{.newNodes}'=Current",
            "",
            "Exit codes: 0 done, 1 timed out, 2 unusable flags, 3 not found, 4 not allowed, 5 not reachable."
        })
final class WaitCommand extends ReadCommand implements ObjectArguments {
    @Mixin
    private final NamedObjects objects = new NamedObjects();

    @Mixin
    private final ObjectSelection selection = new ObjectSelection();

    @Option(
            names = "--for",
            required = true,
            paramLabel = "WHAT",
            description =
                    "condition=TYPE[=STATUS] (status True if omitted), or jsonpath=PATH[=VALUE] (any value if omitted).")
    private String wanted = "";

    WaitCommand(Terminal terminal) {
        super(terminal);
    }

    /** What to wait for: a value of an expression; null for any. */
    private record Goal(JsonPathTemplate path, @Nullable String value) {
        static Goal of(String text) throws FleetFailure {
            if (text.startsWith("condition=")) {
                String[] condition = text.substring("condition=".length()).split("=", 2);
                if (condition[0].matches("[A-Za-z0-9./-]+")) {
                    return new Goal(
                            JsonPathTemplate.parseExpression(
                                    "{..conditions[?(@.type==\"" + condition[0] + "\")].status}"),
                            condition.length == 1 ? "True" : condition[1]);
                }
            } else if (text.startsWith("jsonpath=")) {
                String expression = text.substring("jsonpath=".length());
                int end = expression.startsWith("{") ? expression.lastIndexOf('}') + 1 : expression.lastIndexOf('=');
                String path = end < 1 ? expression : expression.substring(0, end);
                String rest = expression.substring(path.length());
                return new Goal(
                        JsonPathTemplate.parseExpression(path), rest.startsWith("=") ? rest.substring(1) : null);
            }
            throw FleetFailure.unusable(
                    "--for " + text + ": expected condition=TYPE[=STATUS] or jsonpath=PATH[=VALUE]");
        }

        boolean isReached(JsonNode object) throws FleetFailure {
            for (JsonNode found : path.find(object)) {
                if (value == null || JsonPathTemplate.text(found).equalsIgnoreCase(value)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    boolean waits() {
        return true;
    }

    /** Each request is limited, and the wait by {@link #await}. */
    @Override
    @Nullable Duration limit() {
        return null;
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        return await(selection.select(hub, objects.kind(), options, remote, objects.names(), "", 0));
    }

    private <T> int await(SelectedObjects<T> selected) throws FleetFailure {
        Goal goal = Goal.of(wanted);
        long end = System.nanoTime() + options.timeout().toNanos();
        while (true) {
            List<T> missing = new ArrayList<>();
            List<T> items = selected.list();
            selected.requireNamed(items);
            if (items.isEmpty()) {
                throw FleetFailure.notFound("no " + selected.kind().several() + " to wait for");
            }
            for (T item : items) {
                if (!goal.isReached(ObjectPrinter.tree(item))) {
                    missing.add(item);
                }
            }
            if (missing.isEmpty()) {
                items.forEach(one -> printLine(selected.displayPath(one) + " condition met"));
                return ExitCode.OK;
            }
            if (System.nanoTime() - end > 0) {
                missing.forEach(one -> printError("timed out waiting for " + wanted + " on "
                        + selected.displayPath(Objects.requireNonNull(one))));
                return ExitCode.FOUND_SOMETHING;
            }
            awaitNextPoll();
        }
    }
}
