package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.ObservedMachines;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.workersync.Machines;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads machines of worker clusters on request. A failure is not an error: the response states it. */
final class MachineReader {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final HubQueries hubQueries;

    MachineReader(HubQueries hubQueries) {
        this.hubQueries = hubQueries;
    }

    ObservedMachines read(LiveTenant tenant, MachineDeploymentView seen, Instant now) {
        ObjectKey machineDeployment = new ObjectKey(seen.namespace(), seen.name());
        try {
            Machines machines = tenant.machines(machineDeployment);
            return new ObservedMachines(
                    "",
                    machines.machines().size(),
                    machines.notStarted().stream().map(Machines.Machine::name).toList(),
                    overdue(seen.replicas(), seen.createdAt(), machines, now.minus(SOON)));
        } catch (ApiFailure e) {
            String why = e.isForbidden()
                    ? "the hub may not list machines in " + machineDeployment.namespace()
                    : e.isNotFound() ? "the worker cluster has no machines API" : e.text();
            return new ObservedMachines(why, 0, List.of(), "");
        }
    }

    /** What machine-controller has not done, although the object that requires it is older than {@code limit}. */
    static String overdue(@Nullable Replicas replicas, @Nullable Instant createdAt, Machines machines, Instant limit) {
        int created = machines.machines().size();
        boolean due = createdAt != null && createdAt.isBefore(limit);
        if (due && replicas != null && created < replicas.desired()) {
            return created + " of " + ReportFormat.machines(replicas.desired()) + " created"
                    + (replicas.observed() ? "" : "; machine-controller has not observed this MachineDeployment");
        }
        long late = machines.notStarted().stream()
                .filter(machine ->
                        machine.createdAt() != null && machine.createdAt().isBefore(limit))
                .count();
        return late == 0
                ? ""
                : late + " of " + ReportFormat.machines(created) + " without an instance for over a minute";
    }

    /** The MachineDeployment of a machine: its owner or, if that is unreadable, by its name. Empty if there is none. */
    Optional<ObjectKey> findOwner(String tenant, String namespace, String machine) {
        Optional<LiveTenant> live = hubQueries.live(tenant);
        if (live.isEmpty()) {
            return Optional.empty();
        }
        try {
            String owner = live.get().findMachineDeployment(namespace, machine);
            if (!owner.isEmpty()) {
                return Optional.of(new ObjectKey(namespace, owner));
            }
            return Optional.empty();
        } catch (ApiFailure e) {
            return e.isNotFound() ? Optional.empty() : byName(live.get(), namespace, machine);
        }
    }

    /** A machine's name starts with its MachineDeployment's. */
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
