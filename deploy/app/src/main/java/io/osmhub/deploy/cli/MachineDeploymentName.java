package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.Shelf;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A MachineDeployment as a person names it: with its namespace in the worker cluster or, where that is clear, without. */
record MachineDeploymentName(String namespace, String name) {
    /** Of {@code NAMESPACE/NAME}. */
    static MachineDeploymentName of(String path) throws FleetFailure {
        int slash = path.indexOf('/');
        if (slash < 1 || slash == path.length() - 1 || path.indexOf('/', slash + 1) >= 0) {
            throw new FleetFailure(Kind.UNUSABLE, "\"" + path + "\": expected NAMESPACE/NAME");
        }
        return new MachineDeploymentName(path.substring(0, slash), path.substring(slash + 1));
    }

    /** All of a tenant, as paths. */
    static List<String> all(FleetSource fleet, String tenant) throws FleetFailure {
        return fleet.list(Shelf.MACHINE_DEPLOYMENTS, ListQuery.in(tenant)).stream()
                .map(one -> one.namespace() + "/" + one.name())
                .toList();
    }

    /** The one that is meant; one without a namespace is looked for in all of the worker cluster's. */
    static MachineDeploymentName find(FleetSource fleet, String tenant, String given) throws FleetFailure {
        Optional<MachineDeploymentName> found = search(fleet, tenant, given);
        if (found.isEmpty()) {
            throw missing(tenant, given, all(fleet, tenant));
        }
        return found.get();
    }

    /** Empty when there is none of that name. */
    static Optional<MachineDeploymentName> search(FleetSource fleet, String tenant, String given) throws FleetFailure {
        if (given.contains("/")) {
            return Optional.of(of(given));
        }
        List<MachineDeployment> all =
                fleet.list(Shelf.MACHINE_DEPLOYMENTS, new ListQuery(tenant, "", Map.of(), given, "", 0));
        List<MachineDeployment> same =
                all.stream().filter(one -> one.name().equals(given)).toList();
        if (same.size() > 1) {
            String paths = same.stream()
                    .map(one -> one.namespace() + "/" + one.name())
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    same.size() + " MachineDeployments are called " + given + "; name one of them whole: " + paths);
        }
        return same.stream().findFirst().map(one -> new MachineDeploymentName(one.namespace(), one.name()));
    }

    /** The MachineDeployment that a machine of this name is of: it is called as that, and something more. */
    static Optional<MachineDeploymentName> ofMachine(FleetSource fleet, String tenant, String machine)
            throws FleetFailure {
        return fleet.list(Shelf.MACHINE_DEPLOYMENTS, ListQuery.in(tenant)).stream()
                .filter(one -> machine.startsWith(one.name() + "-"))
                .max(Comparator.comparingInt(one -> one.name().length()))
                .map(one -> new MachineDeploymentName(one.namespace(), one.name()));
    }

    static FleetFailure missing(String tenant, String given, List<String> paths) {
        List<String> names = paths.stream()
                .map(path -> path.substring(path.indexOf('/') + 1))
                .toList();
        String cure = Suggestion.closest(given, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("hub get mds -n " + tenant + " shows all");
        return new FleetFailure(
                Kind.NOT_FOUND, "no MachineDeployment " + given + " in namespace " + tenant + "; " + cure);
    }

    String path() {
        return namespace + "/" + name;
    }
}
