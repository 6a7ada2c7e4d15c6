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
    static Machines readMachines(KubeApi api, String namespace, String machineDeployment) throws ApiFailure {
        List<Machine> machines = new ArrayList<>();
        try {
            api.list(
                    ApiRequest.list(Resource.MACHINES, namespace, Map.of("limit", Integer.toString(PAGE_SIZE))),
                    json -> read(json, machineDeployment, machines));
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a list of machines");
        }
        machines.sort(Comparator.comparing(
                        (Machine machine) -> machine.createdAt() == null ? Instant.MAX : machine.createdAt())
                .thenComparing(Machine::name));
        return new Machines(machines);
    }

    /** Skips one that cannot be read. */
    private static void read(byte[] json, String machineDeployment, List<Machine> machines) {
        try {
            JsonNode machine = JSON.readTree(json);
            if (isOf(machine.path("metadata"), machineDeployment)) {
                machines.add(machine(machine));
            }
        } catch (IOException e) {
            MetadataScanner machine = MetadataScanner.scan(json, false);
            LOG.warn(
                    "Cannot read Machine {}: {}",
                    MessageFormatter.escape(MessageFormatter.quote(machine.name())),
                    machine.exceededLimit());
        }
    }

    /** Matches an owning MachineSet, named MACHINEDEPLOYMENT-SUFFIX, or the owning MachineDeployment itself. */
    private static boolean isOf(JsonNode metadata, String machineDeployment) {
        if (machineDeployment.isEmpty()) {
            return true;
        }
        for (JsonNode owner : metadata.path("ownerReferences")) {
            String name = owner.path("name").asText("");
            boolean ofSet = owner.path("kind").asText("").equals("MachineSet")
                    && ownerOfSet(name).equals(machineDeployment);
            boolean direct =
                    owner.path("kind").asText("").equals("MachineDeployment") && name.equals(machineDeployment);
            if (ofSet || direct) {
                return true;
            }
        }
        return false;
    }

    private static String ownerOfSet(String name) {
        int dash = name.lastIndexOf('-');
        return dash < 0 ? name : name.substring(0, dash);
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
    static String findOwner(KubeApi api, String namespace, String name) throws ApiFailure {
        JsonNode machine;
        try {
            machine = JSON.readTree(api.send(ApiRequest.get(Resource.MACHINES, namespace, name)));
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the requested machine");
        }
        for (JsonNode owner : machine.path("metadata").path("ownerReferences")) {
            String kind = owner.path("kind").asText("");
            String owning = owner.path("name").asText("");
            if (kind.equals("MachineSet")) {
                return ownerOfSet(owning);
            }
            if (kind.equals("MachineDeployment")) {
                return owning;
            }
        }
        return "";
    }
}
