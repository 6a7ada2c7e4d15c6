package io.osmhub.api.diagnosis;

import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.workersync.Machines;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads machines of worker clusters when somebody asks for them. Not to be able to is no fault: it is said in the answer. */
final class MachineReader {
    private final LiveDetails details;

    MachineReader(LiveDetails details) {
        this.details = details;
    }

    Situation.MachinesSeen read(LiveTenant tenant, ObjectKey machineDeployment) {
        try {
            Machines machines = tenant.machines(machineDeployment);
            return new Situation.MachinesSeen(
                    "",
                    machines.machines().size(),
                    machines.waiting().stream().map(Machines.Machine::name).toList());
        } catch (ApiFailure e) {
            String why = e.isForbidden()
                    ? "the hub may not list machines in " + machineDeployment.namespace()
                    : e.isNotFound() ? "the worker cluster has no machines API" : e.text();
            return new Situation.MachinesSeen(why, 0, List.of());
        }
    }

    /** The MachineDeployment of a machine: as its owner says or, where that cannot be read, by its name. Empty when there is none. */
    Optional<ObjectKey> ownerOf(String tenant, String namespace, String machine) {
        Optional<LiveTenant> live = details.live(tenant);
        if (live.isEmpty()) {
            return Optional.empty();
        }
        try {
            String owner = live.get().machineDeploymentOf(namespace, machine);
            if (!owner.isEmpty()) {
                return Optional.of(new ObjectKey(namespace, owner));
            }
            return Optional.empty();
        } catch (ApiFailure e) {
            return e.isNotFound() ? Optional.empty() : byName(live.get(), namespace, machine);
        }
    }

    /** A machine is called as its MachineDeployment, and something more. */
    private static Optional<ObjectKey> byName(LiveTenant tenant, String namespace, String machine) {
        List<ObjectKey> fitting = new ArrayList<>();
        for (ObjectKey key : tenant.machineDeployments()) {
            if (key.namespace().equals(namespace) && machine.startsWith(key.name() + "-")) {
                fitting.add(key);
            }
        }
        return fitting.stream().max(Comparator.comparingInt(key -> key.name().length()));
    }
}
