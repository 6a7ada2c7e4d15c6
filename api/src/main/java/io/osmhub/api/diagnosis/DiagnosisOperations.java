package io.osmhub.api.diagnosis;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Operations on single objects. Invisible objects respond like missing ones; MachineDeployments and machines require {@code get} on
 * the tenant's OperatingSystemConfigs.
 */
public final class DiagnosisOperations {
    private final LiveDiagnosisService diagnosis;
    private final ObjectDetails look;
    private final CallerAuthorizer access;

    public DiagnosisOperations(
            LiveDiagnosisService diagnosis, HubQueries details, StoredInventory inventory, CallerAuthorizer access) {
        this.diagnosis = diagnosis;
        this.look = new ObjectDetails(diagnosis, details, inventory);
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
                .describe(tenant, key.namespace(), key.name())
                .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    private Reply why(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = machineDeploymentOf(call);
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", "MachineDeployment " + key);
        return Reply.ok(diagnosis
                .explain(tenant, key.namespace(), key.name(), true)
                .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    private Reply whyMachine(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        String namespace = call.path("machineNamespace");
        String name = call.path("machineName");
        String what = "Machine " + namespace + "/" + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", what);
        return Reply.ok(diagnosis.explainMachine(tenant, namespace, name).orElseThrow(() -> notThere(what, tenant)));
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
        Visibility users = usersSeenBy(call.caller());
        return Reply.ok(look.profile(namespace, name, users).orElseThrow(() -> notThere(what, namespace)));
    }

    /** Access to the profile was checked; only its visible users are counted. */
    private Visibility usersSeenBy(Caller caller) throws ApiProblem {
        return new Visibility(
                access.findVisibleTenants(caller, Resource.WORKER_CLUSTERS),
                Visibility.EVERYTHING.profiles(),
                access.findVisibleTenants(caller, Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private void requireSeen(Call call, Resource resource, String namespace, String name, String what)
            throws ApiProblem {
        if (!access.isAllowed(call.caller(), Verb.GET, resource, namespace, name)) {
            throw notThere(what, namespace);
        }
    }

    private static ApiProblem notThere(String what, String tenant) {
        return ApiProblem.notFound(what + " in namespace " + tenant);
    }

    /** Details of one configuration or profile. Callers must authorize. */
    public static final class ObjectDetails {
        private final LiveDiagnosisService diagnosis;
        private final HubQueries details;
        private final StoredInventory inventory;

        public ObjectDetails(LiveDiagnosisService diagnosis, HubQueries details, StoredInventory inventory) {
            this.diagnosis = diagnosis;
            this.details = details;
            this.inventory = inventory;
        }

        /** Empty if it does not exist. */
        public Optional<OscDetail> configuration(String tenant, String name) {
            return details.config(tenant, name).flatMap(stored -> inventory
                    .configuration(tenant, name, Visibility.EVERYTHING)
                    .map(shown -> {
                        OperatingSystemConfigStatus status = stored.status();
                        ObjectKey key = owner(stored);
                        return new OscDetail(
                                shown,
                                DiagnosisMapper.source(status == null ? null : status.wanted()),
                                diagnosis.sizes(tenant, key, status),
                                DiagnosisMapper.secrets(status),
                                diagnosis.findTokenExpiry(tenant, key).orElse(null),
                                DiagnosisMapper.history(status),
                                details.live(tenant).isPresent() ? null : Boolean.TRUE);
                    }));
        }

        private static ObjectKey owner(StoredConfig stored) {
            String owner = stored.owner();
            int slash = owner.indexOf('/');
            return new ObjectKey(slash < 0 ? "" : owner.substring(0, slash), owner.substring(slash + 1));
        }

        /**
         * Empty if it does not exist.
         *
         * @param users only these users are counted
         */
        public Optional<OspDetail> profile(String namespace, String name, Visibility users) {
            Optional<StoredProfile> stored = details.profile(namespace, name);
            return stored.flatMap(profile -> inventory
                    .profile(namespace, name, users)
                    .map(shown -> new OspDetail(shown, ProfileFiles.of(profile), ProfileFiles.findings(profile))));
        }
    }
}
