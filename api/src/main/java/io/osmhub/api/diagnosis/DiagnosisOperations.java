package io.osmhub.api.diagnosis;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.InventoryRowMapper;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;

/**
 * Operations on single objects. Invisible objects respond like missing ones; MachineDeployments and machines require {@code get} on
 * the tenant's OperatingSystemConfigs.
 */
public final class DiagnosisOperations {
    private final DiagnosisService diagnosis;
    private final HubQueries queries;
    private final StoredInventory inventory;
    private final CallerAuthorizer authorizer;
    private final PeerReplicas peers;

    public DiagnosisOperations(
            DiagnosisService diagnosis,
            HubQueries queries,
            StoredInventory inventory,
            CallerAuthorizer authorizer,
            PeerReplicas peers) {
        this.diagnosis = diagnosis;
        this.queries = queries;
        this.inventory = inventory;
        this.authorizer = authorizer;
        this.peers = peers;
    }

    public List<Operation> operations() {
        return List.of(
                peers.forTenant(Operation.of("getMachineDeployment", this::machineDeployment)),
                peers.forTenant(Operation.of("whyMachineDeployment", this::why)),
                peers.forTenant(Operation.of("whyMachine", this::whyMachine)),
                peers.forTenant(Operation.of("getOsc", this::configuration)),
                Operation.of("getOsp", this::profile));
    }

    private Reply machineDeployment(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = requireMachineDeployment(call, tenant);
        return Reply.ok(diagnosis
                .describe(tenant, key.namespace(), key.name())
                .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    private Reply why(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = requireMachineDeployment(call, tenant);
        return why(
                call,
                tenant,
                diagnosis
                        .explain(tenant, key.namespace(), key.name(), true)
                        .orElseThrow(() -> notThere("MachineDeployment " + key, tenant)));
    }

    /** Only a caller who may read the profile receives lines of it. */
    private Reply why(Call call, String tenant, WhyReport report) throws ApiProblem {
        ObjectKey profile = DiagnosisService.brokenProfile(tenant, report);
        if (profile == null
                || !authorizer.isAllowed(
                        call.caller(),
                        Verb.GET,
                        Resource.OPERATING_SYSTEM_PROFILES,
                        profile.namespace(),
                        profile.name())) {
            return reply(report);
        }
        return reply(diagnosis.withExcerpt(report, profile));
    }

    /** The same diagnosis at another time is no change. */
    private static Reply reply(WhyReport report) {
        return Reply.ok(report).withIdentity(report.withCheckedAt(Instant.EPOCH));
    }

    private Reply whyMachine(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        String namespace = call.path("machineNamespace");
        String name = call.path("machineName");
        String what = "Machine " + namespace + "/" + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", what);
        return why(
                call,
                tenant,
                diagnosis.explainMachine(tenant, namespace, name).orElseThrow(() -> notThere(what, tenant)));
    }

    private ObjectKey requireMachineDeployment(Call call, String tenant) throws ApiProblem {
        ObjectKey key = new ObjectKey(call.path("machineDeploymentNamespace"), call.path("machineDeploymentName"));
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "", "MachineDeployment " + key);
        return key;
    }

    private Reply configuration(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        String name = call.path("name");
        String what = "OperatingSystemConfig " + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_CONFIGS, tenant, name, what);
        return Reply.ok(queries.config(tenant, name)
                .flatMap(stored -> inventory
                        .configuration(tenant, name, Visibility.EVERYTHING)
                        .map(shown -> detail(tenant, stored, shown)))
                .orElseThrow(() -> notThere(what, tenant)));
    }

    private OscDetail detail(String tenant, StoredConfig stored, Osc shown) {
        OperatingSystemConfigStatus status = stored.status();
        ObjectKey key = ownerOf(stored);
        return new OscDetail(
                shown,
                InventoryRowMapper.source(status == null ? null : status.wanted()),
                diagnosis.sizes(tenant, key, status),
                DiagnosisMapper.secrets(status),
                diagnosis.findTokenExpiry(tenant, key).orElse(null),
                DiagnosisMapper.history(status),
                diagnosis.unansweredBy(tenant));
    }

    private static ObjectKey ownerOf(StoredConfig stored) {
        String owner = stored.owner();
        int slash = owner.indexOf('/');
        return new ObjectKey(slash < 0 ? "" : owner.substring(0, slash), owner.substring(slash + 1));
    }

    private Reply profile(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        String what = "OperatingSystemProfile " + name;
        requireSeen(call, Resource.OPERATING_SYSTEM_PROFILES, namespace, name, what);
        Visibility users = usersSeenBy(call.caller());
        return Reply.ok(queries.profile(namespace, name)
                .flatMap(profile -> inventory
                        .profile(namespace, name, users)
                        .map(shown -> new OspDetail(shown, ProfileFiles.of(profile), ProfileFiles.findings(profile))))
                .orElseThrow(() -> notThere(what, namespace)));
    }

    /** Access to the profile was checked; only its visible users are counted. */
    private Visibility usersSeenBy(Caller caller) throws ApiProblem {
        return new Visibility(
                authorizer.findVisibleTenants(caller, Resource.WORKER_CLUSTERS),
                Visibility.EVERYTHING.profiles(),
                authorizer.findVisibleTenants(caller, Resource.OPERATING_SYSTEM_CONFIGS));
    }

    private void requireSeen(Call call, Resource resource, String namespace, String name, String what)
            throws ApiProblem {
        if (!authorizer.isAllowed(call.caller(), Verb.GET, resource, namespace, name)) {
            throw notThere(what, namespace);
        }
    }

    private static ApiProblem notThere(String what, String tenant) {
        return ApiProblem.notFound(what + " in namespace " + tenant);
    }
}
