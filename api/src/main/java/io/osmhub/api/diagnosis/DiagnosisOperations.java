package io.osmhub.api.diagnosis;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Caller;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.Sight;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;

/**
 * The operations about one object. One that the caller may not see is not there: a MachineDeployment and its machines are seen by who
 * may get OperatingSystemConfigs of its tenant.
 */
public final class DiagnosisOperations {
    private final LiveDiagnosis diagnosis;
    private final CloseLook look;
    private final Access access;

    public DiagnosisOperations(LiveDiagnosis diagnosis, LiveDetails details, Inventory inventory, Access access) {
        this.diagnosis = diagnosis;
        this.look = new CloseLook(diagnosis, details, inventory);
        this.access = access;
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getMachineDeployment", this::machineDeployment),
                Operation.of("whyMachineDeployment", this::why),
                Operation.of("whyMachine", this::whyMachine),
                Operation.of("getOsc", this::configuration),
                Operation.of("getOsp", this::profile));
    }

    private Reply machineDeployment(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = machineDeploymentOf(call);
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", "MachineDeployment " + key);
        return Reply.ok(diagnosis
                .detail(tenant, key.namespace(), key.name())
                .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    private Reply why(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = machineDeploymentOf(call);
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", "MachineDeployment " + key);
        return Reply.ok(diagnosis
                .why(tenant, key.namespace(), key.name(), true)
                .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    private Reply whyMachine(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        String namespace = call.path("machineNamespace");
        String name = call.path("machineName");
        String what = "Machine " + namespace + "/" + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", what);
        return Reply.ok(diagnosis.whyMachine(tenant, namespace, name).orElseThrow(() -> notThere(what, tenant)));
    }

    private static ObjectKey machineDeploymentOf(Call call) {
        return new ObjectKey(call.path("machineDeploymentNamespace"), call.path("machineDeploymentName"));
    }

    private Reply configuration(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        String name = call.path("name");
        String what = "OperatingSystemConfig " + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, name, what);
        return Reply.ok(look.configuration(tenant, name).orElseThrow(() -> notThere(what, tenant)));
    }

    private Reply profile(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        String what = "OperatingSystemProfile " + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_PROFILES, namespace, name, what);
        Sight users = usersSeenBy(call.caller());
        return Reply.ok(look.profile(namespace, name, users).orElseThrow(() -> notThere(what, namespace)));
    }

    /** The profile itself was asked for; of its users only those that the caller may see are counted. */
    private Sight usersSeenBy(Caller caller) throws ApiProblem {
        return new Sight(
                access.visible(caller, Resource.WORKER_CLUSTERS),
                Sight.EVERYTHING.profiles(),
                access.visible(caller, Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private void requireSeen(Call call, Resource resource, String namespace, String name, String what)
            throws ApiProblem {
        if (!access.may(call.caller(), Verb.GET, resource, namespace, name)) {
            throw notThere(what, namespace);
        }
    }

    private static ApiProblem notThere(String what, String tenant) {
        return ApiProblem.notFound(what + " in namespace " + tenant);
    }
}
