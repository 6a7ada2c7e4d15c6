package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.cli.CommandCompletion.ObjectArguments;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.view.ObjectDescriber;
import io.osmhub.deploy.view.ResourceAlias;
import io.osmhub.deploy.view.TimestampFormatter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub describe}: shows one object of the fleet. */
@Command(
        name = "describe",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Show one object with its conditions, sizes, problems and recent events.",
        footer = {
            "",
            "Examples:",
            "  hub describe md kube-system/workers-a -n cluster-7xk2m9",
            "  hub describe cluster shop -n cluster-7xk2m9",
            "  hub describe osp osp-ubuntu -n osm-profiles",
            "",
            "Exit codes: 0 done, 2 unusable flags, 3 not found, 4 not allowed, 5 not reachable."
        })
final class DescribeCommand extends PrintCommand implements ObjectArguments {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = ObjectSelection.ResourceCandidates.class,
            description = "cluster, osp, osc or md, or KIND/NAME.")
    private String word = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = {
                "Name of the object; for a MachineDeployment NAMESPACE/NAME, or NAME if unique.",
                "TENANT/NAME selects the tenant too."
            })
    private String name = "";

    DescribeCommand(Terminal terminal) {
        super(terminal);
    }

    private ObjectDescriber descriptions() {
        return new ObjectDescriber(TimestampFormatter.now(print.utc()), colors(), terminal.width());
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        int kindEnd = word.indexOf('/');
        if (name.isEmpty() && kindEnd > 0) {
            name = word.substring(kindEnd + 1);
            word = word.substring(0, kindEnd);
        }
        ResourceAlias noun = ResourceAlias.of(word);
        if (name.isEmpty()) {
            throw FleetFailure.unusable("no name: use hub describe " + noun.displayName() + " NAME");
        }
        if (noun == ResourceAlias.PROBLEMS) {
            throw FleetFailure.unusable("problems cannot be described; use hub why or hub explain reason");
        }
        String tenant;
        if (ListableKind.of(noun).hasTenant(name)) {
            tenant = name.substring(0, name.indexOf('/'));
            name = name.substring(tenant.length() + 1);
        } else {
            tenant = options.namespace(remote);
        }
        switch (noun) {
            case CLUSTERS -> cluster(hub, tenant);
            case OSPS -> profile(hub, tenant);
            case OSCS -> configuration(hub, tenant);
            case MDS, PROBLEMS -> machineDeployment(hub, tenant);
        }
        return ExitCode.OK;
    }

    private void cluster(HubClient hub, String tenant) throws FleetFailure {
        WorkerClusterEntry found = getOrSuggest(
                () -> hub.workerCluster(tenant, name), name, () -> ListableKind.CLUSTERS.existingNames(hub, tenant));
        printObject(found, "wc/" + found.metadata().name(), () -> descriptions()
                .of(found, ListableKind.PROBLEMS.list(hub, FleetListQuery.in(tenant))));
    }

    private void profile(HubClient hub, String tenant) throws FleetFailure {
        OspDetail found = getOrSuggest(
                () -> hub.profile(tenant, name), name, () -> ListableKind.PROFILES.existingNames(hub, tenant));
        printObject(found, "osp/" + found.profile().metadata().name(), () -> descriptions()
                .of(found));
    }

    private void configuration(HubClient hub, String tenant) throws FleetFailure {
        OscDetail found = getOrSuggest(
                () -> hub.get(OscDetail.class, "/namespaces/{}/oscs/{}", tenant, name),
                name,
                () -> ListableKind.CONFIGURATIONS.existingNames(hub, tenant));
        printObject(found, "osc/" + found.configuration().metadata().name(), () -> descriptions()
                .of(found));
    }

    private void machineDeployment(HubClient hub, String tenant) throws FleetFailure {
        MachineDeploymentArgument meant = MachineDeploymentArgument.find(hub, tenant, name);
        MachineDeploymentDetail found = getOrSuggest(
                () -> hub.machineDeployment(tenant, meant.namespace(), meant.name()),
                meant.path(),
                () -> MachineDeploymentArgument.all(hub, tenant));
        printObject(found, "md/" + meant.path(), () -> descriptions().of(found));
    }
}
