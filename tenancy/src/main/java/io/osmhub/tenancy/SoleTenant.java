package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.crds.DefinitionInstaller;
import io.osmhub.tenancy.crds.Definitions;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.tenancy.lease.FencedApi;
import io.osmhub.tenancy.link.GivenLink;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.OperatorSettings;
import io.osmhub.tenancy.status.StatusKeeper;
import io.osmhub.tenancy.status.StatusLane;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.queue.Lane;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one worker cluster that the operator's flags name, as the peer does: one namespace of the management cluster is watched
 * and nothing else, no WorkerCluster is needed, and the settings are those of the flags.
 */
public final class SoleTenant implements TenantDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(SoleTenant.class);
    private static final String LOOK = "look";
    private static final String COUNT = "count";
    private static final Duration COUNTED_AFTER = Duration.ofMillis(250);

    /**
     * What the flags say.
     *
     * @param namespace of profiles and OperatingSystemConfigs
     * @param name what messages call the worker cluster
     * @param settings in place of a WorkerCluster's
     */
    public record Order(String namespace, String name, GivenLink.Worker worker, OperatorSettings settings) {}

    /** There is no WorkerCluster whose status could be written; what it would say goes into logs, metrics and Events. */
    private static final StatusKeeper NOWHERE = new StatusKeeper() {
        @Override
        public Resource resource() {
            return Resource.WORKER_CLUSTERS;
        }

        @Override
        public boolean keepsStatus() {
            return false;
        }

        @Override
        public @Nullable JsonNode stored(String namespace, String name) {
            return null;
        }

        @Override
        public void written(byte[] answer) {
            throw new IllegalStateException("nothing is written");
        }
    };

    private final HubParts parts;
    private final Surroundings around;
    private final ManagementView view;
    private final WorkerClusterRecord record;
    private final Profiles profiles;
    private final StoredConfigs configs;
    private final StatusLane statuses;
    private final CompiledProfiles compiled;
    private final RunningTenant tenant;
    private final Lane<String> lane;
    private volatile Definitions definitions = Definitions.asShipped();
    private volatile String hubId = "";
    private volatile boolean stopped;

    /** A tenant that is not served yet. {@code served} and {@code links} of the parts are not asked. */
    public SoleTenant(HubParts parts, HubSettings settings, Order order) {
        this.parts = parts;
        this.around = parts.environment().around();
        this.record = WorkerClusterRecord.fixed(order.namespace(), order.name());
        KubeApi management = new FencedApi(parts.management(), parts.mayWrite(), parts.observer()::fencedWrite);
        this.view = new ManagementView(around.timers(), parts.endpoint(), this::allSynced, this::complete);
        this.profiles = new Profiles(
                order.namespace(),
                namespace -> false,
                () -> definitions.keepsStatus(ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                this::profileChanged,
                view.listener("operatingsystemprofiles"),
                around);
        this.configs = new StoredConfigs(
                order.namespace(),
                () -> definitions.keepsStatus(ShippedDefinition.OPERATING_SYSTEM_CONFIGS),
                this::configChanged,
                view.listener("operatingsystemconfigs"),
                around);
        this.statuses = new StatusLane(
                management,
                settings.statusesPerSecond(),
                parts.mayWrite(),
                namespace -> true,
                parts.observer()::statusWaited,
                around);
        this.compiled = new CompiledProfiles(
                parts.engines(),
                settings.compiledProfiles(),
                new CompilationTime(parts.observer(), around.timers()::nanoTime));
        Services services = new Services(
                management,
                () -> hubId,
                () -> settings,
                profiles,
                configs,
                NOWHERE,
                namespace -> null,
                compiled,
                statuses,
                parts.links(),
                (api, namespace) -> new FencedApi(api, parts.mayWrite(), parts.observer()::fencedWrite),
                AdmissionEndpoint.NONE,
                parts.environment());
        this.lane = parts.queue().lane(1, this::run);
        this.tenant = new RunningTenant(
                record,
                new RunningTenant.Given(order.worker(), order.settings()),
                services,
                new ClusterClaims(clusterId -> List.of(), clusterId -> null),
                namespace -> lane.add(LOOK, Urgency.FRESH),
                () -> lane.addAfter(COUNT, COUNTED_AFTER));
        lane.hold();
    }

    /** Begins. Whatever does not work at first is tried again until it does. */
    public void start() {
        around.waiting().execute(() -> {
            if (stopped) {
                return;
            }
            look();
            profiles.start(parts.management());
            configs.start(parts.management());
        });
    }

    /** What may not be read is done without: the peer's role gives less than the hub's. */
    private void look() {
        try {
            definitions = new DefinitionInstaller(parts.management()).look();
        } catch (ApiFailure e) {
            LOG.atDebug().addKeyValue("cause", e.text()).log("CustomResourceDefinitions may not be read");
        }
        try {
            byte[] system = parts.management().send(ApiRequest.get(Resource.NAMESPACES, "", "kube-system"));
            hubId = WireJson.read(system).path("metadata").path("uid").asText();
        } catch (ApiFailure | IOException e) {
            LOG.atDebug().log("The management cluster's identity may not be read");
        }
    }

    private boolean allSynced() {
        return profiles.isSynced() && configs.isSynced();
    }

    private void complete() {
        lane.release();
        lane.add(LOOK, Urgency.FRESH);
    }

    private Next run(String task, int failures) {
        try {
            if (task.equals(COUNT)) {
                tenant.report();
            } else if (parts.mayWrite().getAsBoolean()) {
                tenant.serve(record, null);
            } else {
                tenant.suspend();
            }
            return new Next.Done();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("A look at the tenant ended unexpectedly");
            return new Next.Retry(Actor.HUB, null);
        }
    }

    private void profileChanged(
            ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content) {
        if (content) {
            tenant.profilesChanged(Set.of(key.name()));
        }
    }

    private void configChanged(
            ObjectKey key, @Nullable StoredConfig before, @Nullable StoredConfig after, Origin origin) {
        if (origin != Origin.WRITTEN && !StoredConfigs.sayTheSame(before, after) && view.isComplete()) {
            tenant.configChanged(key.name());
        }
    }

    /** Takes over other settings, from flags that were read again. */
    public void settings(SettingsLayer flags) {
        tenant.settings(flags);
        lane.add(LOOK, Urgency.FRESH);
    }

    /** Looks at everything again: this process may write now, or may not any more. */
    public void leadershipChanged() {
        lane.add(LOOK, Urgency.FRESH);
        tenant.resync();
    }

    /** Ends; another process goes on from here. */
    public void stop() {
        stopped = true;
        lane.close();
        tenant.stop();
        statuses.close();
        profiles.stop();
        configs.stop();
    }

    /** Everything was read once. */
    public boolean isReady() {
        return view.isComplete();
    }

    /** Compiled profiles in memory, by language. */
    public Map<TemplateLanguage, Integer> compiledProfiles() {
        return compiled.kept();
    }

    /** What was not read yet; empty once it is ready. */
    public List<String> missingLists() {
        return view.missing();
    }

    /** What people are to know about the management cluster; empty while all is well. */
    public Optional<String> managementProblem() {
        return Optional.ofNullable(view.problem(1));
    }

    @Override
    public List<TenantView> tenants() {
        return List.of(tenant.view());
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return tenants().stream()
                .filter(one -> one.namespace().equals(namespace) && one.name().equals(name))
                .findFirst();
    }
}
