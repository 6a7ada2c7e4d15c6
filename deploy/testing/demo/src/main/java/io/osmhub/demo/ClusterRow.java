package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.sim.controllers.MachineController.MachineState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one tenant.
 *
 * @param state of its WorkerCluster; empty if there is none
 * @param problem reason and message of the first reported problem; empty if there is none
 * @param machines running machines
 * @param latency median from a MachineDeployment's creation to both secrets; null if there is none
 * @param missing what each incomplete MachineDeployment waits for
 */
record ClusterRow(
        String tenant,
        String workerCluster,
        String state,
        String problem,
        int machineDeployments,
        int secrets,
        int machines,
        int machinesWanted,
        @Nullable Duration latency,
        String lastChange,
        List<String> missing) {
    private static final String NOTHING_YET = "its machines have not started";

    ClusterRow {
        missing = List.copyOf(missing);
    }

    static ClusterRow of(DemoTenant player, JsonNode status) {
        List<MachineState> machines = player.tenant().cluster().machines();
        int running = 0;
        int wanted = 0;
        List<String> missing = new ArrayList<>();
        for (Map.Entry<MachineDeploymentName, Integer> asked :
                player.desiredReplicas().entrySet()) {
            List<MachineState> own = machines.stream()
                    .filter(machine ->
                            machine.machineDeployment().equals(asked.getKey().toString()))
                    .toList();
            int up = Math.toIntExact(own.stream().filter(MachineState::running).count());
            running += Math.min(up, asked.getValue());
            wanted += asked.getValue();
            if (up < asked.getValue()) {
                missing.add(player.tenant().namespace() + " " + asked.getKey() + ": " + waitingFor(own));
            }
        }
        return new ClusterRow(
                player.tenant().namespace(),
                player.tenant().workerCluster(),
                state(status),
                problem(status),
                player.desiredReplicas().size(),
                player.observer().secrets(),
                running,
                wanted,
                median(player.tenant().cluster().publishTimes().millis()),
                player.observer().lastChange(),
                missing);
    }

    /** Whether all requested machines run. */
    boolean complete() {
        return missing.isEmpty();
    }

    private static String waitingFor(List<MachineState> machines) {
        return machines.stream()
                .filter(machine -> !machine.running())
                .findFirst()
                .map(machine -> machine.reason() + ": " + machine.message())
                .orElse(NOTHING_YET);
    }

    // The state changes only after 30 s without an answer.
    private static String state(JsonNode status) {
        String state = status.path("state").asText("");
        boolean connected = state.equals("Synced") || state.equals("Degraded");
        return connected && status.has("noAnswerSince") ? "No answer" : state;
    }

    private static String problem(JsonNode status) {
        for (JsonNode problem : status.path("problems")) {
            return describeProblem(problem);
        }
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("False")) {
                return describeProblem(condition);
            }
        }
        return "";
    }

    /** Reason and message without the prefix for tenant and cluster, which have their own columns. */
    private static String describeProblem(JsonNode problem) {
        String message = problem.path("message").asText();
        return problem.path("reason").asText() + ": " + message.replaceFirst("^[^ ]+: (WorkerCluster [^ ,]+: )?", "");
    }

    private static @Nullable Duration median(List<Double> millis) {
        List<Double> sorted = millis.stream().sorted().toList();
        return sorted.isEmpty() ? null : Duration.ofMillis(Math.round(sorted.get(sorted.size() / 2)));
    }
}
