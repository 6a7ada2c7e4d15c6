package io.osmhub.workersync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of one MachineDeployment's machines.
 *
 * @param machines oldest first; truncated at 500 per namespace
 */
public record Machines(List<Machine> machines) {
    private static final int PAGE_SIZE = 500;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger LOG = LoggerFactory.getLogger(Machines.class);

    public Machines {
        machines = List.copyOf(machines);
    }

    /**
     * @param createdAt null if the object has no valid creation time
     * @param started whether machine-controller created it at the provider, so that it has its user-data
     */
    public record Machine(String name, @Nullable Instant createdAt, boolean started) {}

    /** Machines that have not received their user-data. */
    public List<Machine> notStarted() {
        return machines.stream().filter(machine -> !machine.started()).toList();
    }

    /**
     * Reads at most one page of the namespace.
     *
     * @param machineDeployment empty for the machines of all MachineDeployments
     */
    static Machines readMachines(KubeApi kubeApi, String namespace, String machineDeployment) throws ApiFailure {
        List<Machine> machines = new ArrayList<>();
        try {
            kubeApi.list(
                    ApiRequest.list(Resource.MACHINES, namespace, Map.of("limit", Integer.toString(PAGE_SIZE))),
                    json -> read(json, machineDeployment, machines));
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a list of machines");
        }
        machines.sort(Comparator.comparing(Machine::createdAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
                .thenComparing(Machine::name));
        return new Machines(machines);
    }

    /** Skips one that cannot be read. */
    private static void read(byte[] json, String machineDeployment, List<Machine> machines) {
        try {
            JsonNode machine = JSON.readTree(json);
            if (machineDeployment.isEmpty() || owners(machine).contains(machineDeployment)) {
                machines.add(machine(machine));
            }
        } catch (IOException e) {
            MetadataScanner machine = MetadataScanner.scan(json, false);
            LOG.warn(
                    "Cannot read Machine {}: {}",
                    MessageFormatter.visible(MessageFormatter.quote(machine.name())),
                    machine.exceededLimit());
        }
    }

    /** Names of the owning MachineDeployments, also of those whose MachineSet, MACHINEDEPLOYMENT-SUFFIX, owns the machine. */
    private static List<String> owners(JsonNode machine) {
        List<String> owners = new ArrayList<>();
        for (JsonNode owner : machine.path("metadata").path("ownerReferences")) {
            String name = owner.path("name").asText("");
            switch (owner.path("kind").asText("")) {
                case "MachineSet" -> owners.add(name.replaceFirst("-[^-]*$", ""));
                case "MachineDeployment" -> owners.add(name);
                default -> {
                    // Another owner.
                }
            }
        }
        return owners;
    }

    private static Machine machine(JsonNode machine) {
        JsonNode status = machine.path("status");
        boolean started = !status.path("nodeRef").path("name").asText("").isEmpty()
                || !status.path("addresses").isEmpty()
                || !machine.path("spec").path("providerID").asText("").isEmpty();
        return new Machine(
                machine.path("metadata").path("name").asText(""),
                time(machine.path("metadata").path("creationTimestamp").asText("")),
                started);
    }

    private static @Nullable Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /**
     * Finds the MachineDeployment of one machine.
     *
     * @return its name; empty if the machine has none
     * @throws ApiFailure if the machine does not exist or cannot be read
     */
    static String findOwner(KubeApi kubeApi, String namespace, String name) throws ApiFailure {
        try {
            JsonNode machine = JSON.readTree(kubeApi.send(ApiRequest.get(Resource.MACHINES, namespace, name)));
            return owners(machine).stream().findFirst().orElse("");
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the requested machine");
        }
    }
}
