package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A MachineDeployment argument: NAMESPACE/NAME in the worker cluster, or NAME if unique. */
record MachineDeploymentArgument(String namespace, String name) {
    /** Parses {@code NAMESPACE/NAME}. */
    static MachineDeploymentArgument of(String path) {
        int slash = path.indexOf('/');
        if (slash < 1 || slash == path.length() - 1 || path.indexOf('/', slash + 1) >= 0) {
            throw CommandFailure.unusable("\"" + path + "\": expected NAMESPACE/NAME");
        }
        return new MachineDeploymentArgument(path.substring(0, slash), path.substring(slash + 1));
    }

    /** All paths of a tenant. */
    static List<String> all(HubClient hub, String tenant) {
        return ListableKind.MACHINE_DEPLOYMENTS.list(hub, FleetListQuery.in(tenant)).stream()
                .map(one -> one.namespace() + "/" + one.name())
                .toList();
    }

    /** Finds the MachineDeployment; without a namespace, in all namespaces of the worker cluster. */
    static MachineDeploymentArgument find(HubClient hub, String tenant, String given) {
        Optional<MachineDeploymentArgument> found = search(hub, tenant, given);
        if (found.isEmpty()) {
            throw missing(tenant, given, all(hub, tenant));
        }
        return found.get();
    }

    /** Empty if not found. */
    static Optional<MachineDeploymentArgument> search(HubClient hub, String tenant, String given) {
        if (given.contains("/")) {
            return Optional.of(of(given));
        }
        List<MachineDeploymentEntry> all =
                ListableKind.MACHINE_DEPLOYMENTS.list(hub, new FleetListQuery(tenant, "", given));
        List<MachineDeploymentEntry> same =
                all.stream().filter(one -> one.name().equals(given)).toList();
        if (same.size() > 1) {
            String paths = same.stream()
                    .map(one -> one.namespace() + "/" + one.name())
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw CommandFailure.unusable(
                    given + " matches " + same.size() + " MachineDeployments; use one of: " + paths);
        }
        return same.stream().findFirst().map(one -> new MachineDeploymentArgument(one.namespace(), one.name()));
    }

    /** Finds the MachineDeployment of a machine: its name is a prefix of the machine's. */
    static Optional<MachineDeploymentArgument> ofMachine(HubClient hub, String tenant, String machine) {
        return ListableKind.MACHINE_DEPLOYMENTS.list(hub, FleetListQuery.in(tenant)).stream()
                .filter(one -> machine.startsWith(one.name() + "-"))
                .max(Comparator.comparingInt(one -> one.name().length()))
                .map(one -> new MachineDeploymentArgument(one.namespace(), one.name()));
    }

    static CommandFailure missing(String tenant, String given, List<String> paths) {
        List<String> names = paths.stream()
                .map(path -> path.substring(path.indexOf('/') + 1))
                .toList();
        String cure = SpellingSuggestion.findClosest(given, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("list all with hub get mds -n " + tenant + "; the hub ignores one without annotation "
                        + MachineDeployment.PROFILE);
        return CommandFailure.notFound("no MachineDeployment " + given + " in namespace " + tenant + "; " + cure);
    }

    String path() {
        return namespace + "/" + name;
    }
}
