package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.sim.machines.MachineController.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one tenant is at one moment.
 *
 * @param state the state of its WorkerCluster; empty while there is none
 * @param problem reason and message of the first problem that the hub reports; empty when there is none
 * @param machines that are running
 * @param latency the median from a MachineDeployment's creation to both secrets; null while there is none
 * @param missing what each MachineDeployment that is not complete waits for
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
    private static final String NOTHING_YET = "its machines were not started";

    ClusterRow {
        missing = List.copyOf(missing);
    }

    static ClusterRow of(Player player, JsonNode status) {
        List<Machine> machines = player.tenant().cluster().machines();
        int running = 0;
        int wanted = 0;
        List<String> missing = new ArrayList<>();
        for (Map.Entry<MachineDeploymentName, Integer> asked : player.wanted().entrySet()) {
            List<Machine> own = machines.stream()
                    .filter(machine ->
                            machine.machineDeployment().equals(asked.getKey().toString()))
                    .toList();
            int up = Math.toIntExact(own.stream().filter(Machine::running).count());
            running += Math.min(up, asked.getValue());
            wanted += asked.getValue();
            if (up < asked.getValue()) {
                missing.add(player.tenant().namespace() + " " + asked.getKey() + ": " + waitingFor(own));
            }
        }
        return new ClusterRow(
                player.tenant().namespace(),
                player.tenant().workerCluster(),
                status.path("state").asText(""),
                problem(status),
                player.wanted().size(),
                player.sightings().secrets(),
                running,
                wanted,
                median(player.tenant().cluster().publishTimes().millis()),
                player.sightings().lastChange(),
                missing);
    }

    /** Whether every machine that was asked for runs. */
    boolean complete() {
        return missing.isEmpty();
    }

    private static String waitingFor(List<Machine> machines) {
        return machines.stream()
                .filter(machine -> !machine.running())
                .findFirst()
                .map(machine -> machine.reason() + ": " + machine.message())
                .orElse(NOTHING_YET);
    }

    private static String problem(JsonNode status) {
        for (JsonNode problem : status.path("problems")) {
            return told(problem);
        }
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Ready")
                    && condition.path("status").asText().equals("False")) {
                return told(condition);
            }
        }
        return "";
    }

    /** Reason and message; tenant and cluster, which a message begins with, have columns of their own. */
    private static String told(JsonNode problem) {
        String message = problem.path("message").asText();
        return problem.path("reason").asText() + ": " + message.replaceFirst("^[^ ]+: (WorkerCluster [^ ,]+: )?", "");
    }

    private static @Nullable Duration median(List<Double> millis) {
        List<Double> sorted = millis.stream().sorted().toList();
        return sorted.isEmpty() ? null : Duration.ofMillis(Math.round(sorted.get(sorted.size() / 2)));
    }
}
