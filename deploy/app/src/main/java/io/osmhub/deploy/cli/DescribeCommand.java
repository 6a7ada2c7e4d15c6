package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.view.Descriptions;
import io.osmhub.deploy.view.Moments;
import io.osmhub.deploy.view.Noun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub describe}: one object of the fleet. */
@Command(
        name = "describe",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Show one object: its conditions, sizes, problems and what happened to it of late.",
        footer = {
            "",
            "Examples:",
            "  hub describe md kube-system/workers-a -n cluster-7xk2m9",
            "  hub describe cluster shop -n cluster-7xk2m9",
            "  hub describe osp osp-ubuntu -n osm-profiles",
            "",
            "Exit codes: 0 done, 2 unusable flags, 3 not found, 4 not allowed, 5 not reachable."
        })
final class DescribeCommand extends ReadCommand {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = GetCommand.Nouns.class,
            description = "cluster, osp, osc or md.")
    private String word = "";

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "Its name; of a MachineDeployment NAMESPACE/NAME, or the name alone where that is clear.")
    private String name = "";

    DescribeCommand(Terminal terminal) {
        super(terminal);
    }

    private Descriptions descriptions() {
        return new Descriptions(Moments.now(print.utc()), colors(), terminal.width());
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        Noun noun = Noun.of(word);
        if (noun == Noun.PROBLEMS) {
            throw new FleetFailure(
                    Kind.UNUSABLE, "a problem is told by hub why, and its kind by hub explain reason; use one of them");
        }
        String tenant = options.namespace(remote);
        switch (noun) {
            case CLUSTERS -> cluster(fleet, tenant);
            case OSPS -> profile(fleet, tenant);
            case OSCS -> configuration(fleet, tenant);
            case MDS, PROBLEMS -> machineDeployment(fleet, tenant);
        }
        return ExitCode.OK;
    }

    private void cluster(FleetSource fleet, String tenant) throws FleetFailure {
        WorkerCluster found = found(
                () -> fleet.workerCluster(tenant, name), name, () -> fleet.workerClusters(ListQuery.in(tenant)).stream()
                        .map(one -> one.metadata().name())
                        .toList());
        show(found, "wc/" + found.metadata().name(), () -> descriptions()
                .of(found, fleet.list(Shelf.PROBLEMS, ListQuery.in(tenant))));
    }

    private void profile(FleetSource fleet, String tenant) throws FleetFailure {
        OspDetail found = found(
                () -> fleet.profile(tenant, name), name, () -> fleet.list(Shelf.PROFILES, ListQuery.in(tenant)).stream()
                        .map(one -> one.metadata().name())
                        .toList());
        show(found, "osp/" + found.profile().metadata().name(), () -> descriptions()
                .of(found));
    }

    private void configuration(FleetSource fleet, String tenant) throws FleetFailure {
        OscDetail found = found(
                () -> fleet.configuration(tenant, name),
                name,
                () -> fleet.list(Shelf.CONFIGURATIONS, ListQuery.in(tenant)).stream()
                        .map(one -> one.metadata().name())
                        .toList());
        show(found, "osc/" + found.configuration().metadata().name(), () -> descriptions()
                .of(found));
    }

    private void machineDeployment(FleetSource fleet, String tenant) throws FleetFailure {
        MachineDeploymentName meant = MachineDeploymentName.find(fleet, tenant, name);
        MachineDeploymentDetail found = found(
                () -> fleet.machineDeployment(tenant, meant.namespace(), meant.name()),
                meant.path(),
                () -> MachineDeploymentName.all(fleet, tenant));
        show(found, "md/" + meant.path(), () -> descriptions().of(found));
    }
}
