package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.crds.DefinitionInstaller;
import io.osmhub.tenancy.crds.Definitions;
import io.osmhub.tenancy.crds.FoundDefinition;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.lease.FencedApi;
import io.osmhub.tenancy.link.GivenLink;
import io.osmhub.tenancy.namespace.NamespaceRecord;
import io.osmhub.tenancy.namespace.Namespaces;
import io.osmhub.tenancy.profiles.DefaultProfiles;
import io.osmhub.tenancy.profiles.PackedProfile;
import io.osmhub.tenancy.profiles.ProfileTrials;
import io.osmhub.tenancy.registry.KubeconfigSecrets;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.tenancy.status.StatusLane;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hub: watches one management cluster and serves every tenant that it finds there. The door of this module; all its methods
 * return at once.
 */
public final class Hub implements TenantDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);
    private static final Backoff INSTALLING = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);
    /** Name of the WorkerCluster that stands for the management cluster itself. */
    static final String LOCAL = "local";

    private static final int PREVIEWED_PROFILES = 16;

    private final HubParts parts;
    private final Surroundings around;
    private final KubeApi management;
    private final ManagementView view;
    private final Namespaces namespaces;
    private final Profiles profiles;
    private final StoredConfigs configs;
    private final WorkerClusters clusters;
    private final KubeconfigSecrets secrets;
    private final StatusLane statuses;
    private final CompiledProfiles compiled;
    private final ProfileCare care;
    private final TenantSupervisor supervisor;
    private final LiveDetails details;
    private final HubAdmission admission;
    private final List<ManagementWatch<FoundDefinition>> definitionWatches;
    private volatile HubSettings settings;
    private volatile Definitions definitions = Definitions.asShipped();
    private volatile boolean stopped;

    /**
     * A hub that does nothing yet.
     *
     * @param localAuthority CA of the management cluster's API server, PEM; only asked for in single-cluster mode
     */
    public Hub(HubParts parts, HubSettings settings, String localAuthority) {
        this(parts, settings, localAuthority, StoredObjects.toNobody(), AdmissionEndpoint.NONE);
    }

    /**
     * Likewise, with others around it.
     *
     * @param stored hears of everything that is stored, from the first list on
     * @param endpoint where worker clusters reach the hub's webhooks
     */
    public Hub(
            HubParts parts,
            HubSettings settings,
            String localAuthority,
            StoredObjects stored,
            AdmissionEndpoint endpoint) {
        this.parts = parts;
        this.settings = settings;
        this.around = parts.environment().around();
        this.management = new FencedApi(parts.management(), parts.mayWrite(), parts.observer()::fencedWrite);
        this.view = new ManagementView(around.timers(), parts.endpoint(), this::allSynced, this::complete);
        this.namespaces = new Namespaces(this::namespaceChanged, view.listener("namespaces"), around);
        this.profiles = new Profiles(
                "",
                namespaces::offersProfiles,
                () -> definitions.keepsStatus(ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                this::profileChanged,
                stored.profiles(),
                view.listener("operatingsystemprofiles"),
                around);
        this.configs = new StoredConfigs(
                "",
                () -> definitions.keepsStatus(ShippedDefinition.OPERATING_SYSTEM_CONFIGS),
                this::configChanged,
                stored.configs(),
                view.listener("operatingsystemconfigs"),
                around);
        this.clusters = new WorkerClusters(
                management,
                "",
                (key, before, after, origin) -> registrationChanged(key.namespace(), before, after),
                stored.workerClusters(),
                view.listener("workerclusters"),
                around);
        this.secrets = new KubeconfigSecrets(
                settings.discovery(), this::heard, which -> view.listener("secrets with " + which), around);
        this.statuses = new StatusLane(
                management,
                settings.statusesPerSecond(),
                parts.mayWrite(),
                parts.served(),
                parts.observer()::statusWaited,
                around);
        this.compiled = new CompiledProfiles(
                parts.engines(),
                settings.compiledProfiles(),
                new CompilationTime(parts.observer(), around.timers()::nanoTime));
        Services services = new Services(
                management,
                this::hubId,
                () -> this.settings,
                profiles,
                configs,
                clusters,
                namespaces::find,
                compiled,
                statuses,
                parts.links(),
                (api, namespace) -> new FencedApi(
                        api,
                        () -> parts.mayWrite().getAsBoolean() && parts.served().test(namespace),
                        parts.observer()::fencedWrite),
                endpoint,
                parts.environment());
        RunningTenant.Given local = settings.single()
                ? new RunningTenant.Given(
                        new GivenLink.Worker(parts.management(), parts.endpoint(), "", localAuthority), null)
                : null;
        RegistrationTeller teller =
                new RegistrationTeller(management, around, parts.environment().replica());
        this.care = new ProfileCare(
                profiles,
                configs,
                compiled,
                new ProfileTrials(parts.previews(), PackedProfile::hashes, around.timers()::nanoTime),
                new DefaultProfiles(management, profiles, PackedProfile::all),
                statuses,
                teller,
                around,
                parts.served(),
                parts.queue());
        this.supervisor = new TenantSupervisor(
                services,
                new TenantSupervisor.Sources(
                        clusters, secrets, namespaces::ownerOf, local, teller, care::want, parts.observer()),
                parts.served(),
                parts.queue());
        this.details = new HubDetails(
                management,
                new HubDetails.Stored(clusters, profiles, configs),
                supervisor,
                new LiveTenant.Tools(
                        parts.environment().tools().decider().previewer(),
                        parts.previews(),
                        new CompiledProfiles(parts.engines(), PREVIEWED_PROFILES),
                        profiles,
                        () -> this.settings));
        this.admission =
                new HubAdmission(clusters, profiles, namespaces, compiled, () -> this.settings, supervisor, details);
        this.definitionWatches =
                Stream.of(ShippedDefinition.values()).map(this::watch).toList();
        endpoint.onChange(this::shareChanged);
    }

    /** Begins. Whatever does not work at first is tried again until it does. */
    public void start() {
        around.waiting().execute(() -> begin(1));
    }

    /** In this order: the definitions, then what is stored by them. No step waits for the Lease, which needs none of them. */
    private void begin(int attempt) {
        if (stopped) {
            return;
        }
        try {
            define();
        } catch (ApiFailure e) {
            if (e.mayPass()) {
                LOG.atWarn()
                        .addKeyValue("cause", e.text())
                        .log("CustomResourceDefinitions were not read or installed, trying again");
                around.timers().after(INSTALLING.after(attempt, e.retryAfter(), around.random()), () -> around.waiting()
                        .execute(() -> begin(attempt + 1)));
                return;
            }
            LOG.atWarn()
                    .addKeyValue("cause", e.text())
                    .log(
                            "CustomResourceDefinitions were not read or installed, because the management cluster refuses"
                                    + " it; run hub install crds, or grant the hub its permissions: it tries again every minute");
            defineLater();
        }
        namespaces.start(parts.management());
        profiles.start(parts.management());
        configs.start(parts.management());
        clusters.start();
        secrets.start(parts.management());
        definitionWatches.forEach(watch -> watch.start(parts.management()));
    }

    private void define() throws ApiFailure {
        // Not fenced: a definition that several replicas make at once is made once.
        DefinitionInstaller installer = new DefinitionInstaller(parts.management());
        installer.install(settings.installCrds());
        Definitions found = installer.look();
        defined(known -> found);
    }

    /** After a refusal: permissions may be granted while the hub runs. */
    private void defineLater() {
        around.timers().after(AFTER_REFUSAL, () -> around.waiting().execute(() -> {
            if (stopped) {
                return;
            }
            try {
                define();
            } catch (ApiFailure e) {
                LOG.atDebug().addKeyValue("cause", e.text()).log("CustomResourceDefinitions were refused again");
                defineLater();
            }
        }));
    }

    private ManagementWatch<FoundDefinition> watch(ShippedDefinition definition) {
        return new ManagementWatch<>(
                Selection.where(
                        Resource.CUSTOM_RESOURCE_DEFINITIONS, "", "metadata.name=" + definition.definitionName()),
                object -> FoundDefinition.of(definition, object),
                // As it is when it is applied: two changes may be applied in either order.
                (key, before, after, origin) -> around.waiting()
                        .execute(() -> defined(known -> known.with(
                                definition,
                                definitionWatches.get(definition.ordinal()).find(key.namespace(), key.name())))),
                // One who may not watch them knows them as they were at the start.
                QuietListener.INSTANCE,
                around);
    }

    /** The definitions are as found: what they keep now is written, and what is read by them is read again. */
    private void defined(UnaryOperator<Definitions> change) {
        Definitions now;
        synchronized (this) {
            now = change.apply(definitions);
            if (now.equals(definitions)) {
                return;
            }
            definitions = now;
        }
        now.problems().forEach(problem -> LOG.warn("{}", problem.message()));
        if (view.isComplete()) {
            care.everythingChanged();
            supervisor.everythingChanged();
        }
    }

    private boolean allSynced() {
        return namespaces.isSynced()
                && profiles.isSynced()
                && configs.isSynced()
                && clusters.isSynced()
                && secrets.isSynced();
    }

    private void complete() {
        LOG.info("Management cluster read: {} WorkerClusters", clusters.all().size());
        if (settings.single()) {
            around.waiting().execute(() -> makeLocal(1));
        }
        profiles.all()
                .forEach(profile -> care.changed(new ObjectKey(profile.namespace(), profile.name()), null, profile));
        care.want(settings.sharedProfileNamespace());
        care.usersChanged();
        supervisor.begin();
    }

    private void makeLocal(int attempt) {
        if (stopped || clusters.find(settings.namespace(), LOCAL) != null) {
            return;
        }
        try {
            clusters.createLocal(settings.namespace(), LOCAL);
        } catch (ApiFailure e) {
            LOG.atWarn().addKeyValue("cause", e.text()).log("WorkerCluster local was not made, trying again");
            around.timers().after(INSTALLING.after(attempt, e.retryAfter(), around.random()), () -> around.waiting()
                    .execute(() -> makeLocal(attempt + 1)));
        }
    }

    /**
     * Ends: nothing is begun any more, what is under way fails at its next request. What lasts is in the clusters; another
     * process goes on from there.
     */
    public void stop() {
        stopped = true;
        supervisor.stop();
        care.stop();
        statuses.close();
        namespaces.stop();
        profiles.stop();
        configs.stop();
        clusters.stop();
        secrets.stop();
        definitionWatches.forEach(ManagementWatch::stop);
    }

    /** Takes over other settings while it runs: defaults, kubeconfig policy, selector. */
    public void settings(HubSettings now) {
        settings = now;
        if (view.isComplete()) {
            supervisor.everythingChanged();
        }
    }

    /** What all tenants depend on is another: which of them are served, or whom their clusters are to trust. */
    public void shareChanged() {
        if (view.isComplete()) {
            care.everythingChanged();
            supervisor.everythingChanged();
        }
    }

    // Hearing

    private void heard(String namespace) {
        if (view.isComplete()) {
            supervisor.namespaceChanged(namespace);
        }
    }

    private void registrationChanged(
            String namespace, @Nullable WorkerClusterRecord before, @Nullable WorkerClusterRecord after) {
        heard(namespace);
        String had = before == null ? "" : before.clusterId();
        String has = after == null ? "" : after.clusterId();
        if (!had.equals(has) && view.isComplete()) {
            supervisor.clusterChanged(had);
            supervisor.clusterChanged(has);
        }
    }

    private void namespaceChanged(
            ObjectKey key, @Nullable NamespaceRecord before, @Nullable NamespaceRecord after, Origin origin) {
        if (!view.isComplete()) {
            return;
        }
        supervisor.namespaceChanged(key.name());
        if (before == null) {
            care.namespaceAdded(key.name());
        }
        String had = before == null ? "" : before.clusterId();
        String has = after == null ? "" : after.clusterId();
        if (!had.equals(has)) {
            supervisor.clusterChanged(had);
            supervisor.clusterChanged(has);
        }
        boolean offered = before != null && before.offersProfiles();
        boolean offers = after != null && after.offersProfiles();
        if (offered != offers) {
            supervisor.offerChanged(key.name());
        }
    }

    private void profileChanged(
            ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, boolean content) {
        if (content && view.isComplete()) {
            care.changed(key, before, after);
            supervisor.profileChanged(key.namespace(), before, after);
        }
    }

    /** What the hub wrote itself is no news, and neither is a status. */
    private void configChanged(
            ObjectKey key, @Nullable StoredConfig before, @Nullable StoredConfig after, Origin origin) {
        care.usersChanged();
        if (origin != Origin.WRITTEN && !StoredConfigs.sayTheSame(before, after) && view.isComplete()) {
            supervisor.configChanged(key.namespace(), key.name());
        }
    }

    /** Which addresses a tenant of the namespace may have its API server at, as of now. */
    public EgressPolicy egress(String namespace) {
        NamespaceRecord record = namespaces.find(namespace);
        return new EgressPolicy(
                settings.kubeconfigPolicy().forNamespace(record == null ? Map.of() : record.labels()),
                settings.managementApi(),
                settings.ownAddresses());
    }

    private String hubId() {
        NamespaceRecord system = namespaces.find("kube-system");
        return system == null ? "" : system.uid();
    }

    // Telling

    /** Everything was read once, so that every tenant is or will soon be served. */
    public boolean isReady() {
        return view.isComplete();
    }

    /** What was not read yet; empty once it is ready. */
    public List<String> missingLists() {
        return view.missing();
    }

    /** What people are to know about the management cluster; empty while all is well. */
    public Optional<String> managementProblem() {
        return Optional.ofNullable(view.problem(supervisor.count()));
    }

    /** The past of what is stored, as far as the API server knows it. */
    public StoredPast past() {
        return new StoredPast(clusters.past(), profiles.past(parts.management()), configs.past(parts.management()));
    }

    /** Of the CustomResourceDefinitions. */
    public List<Definitions.Problem> definitionProblems() {
        return definitions.problems();
    }

    /** Statuses that wait to be written. */
    public int statusBacklog() {
        return statuses.backlog();
    }

    /** Objects of the management cluster that are held in memory, by what they are. */
    public Map<String, Integer> cached() {
        return Map.of(
                "namespaces", namespaces.all().size(),
                "operatingsystemprofiles", profiles.all().size(),
                "workerclusters", clusters.all().size(),
                "operatingsystemconfigs", configs.size());
    }

    /** Compiled profiles in memory, by language. */
    public Map<TemplateLanguage, Integer> compiledProfiles() {
        return compiled.kept();
    }

    /** One object at a time, for whoever looks closely or tries something out. */
    public LiveDetails details() {
        return details;
    }

    /** What admission has to know of all tenants. */
    public AdmissionView admission() {
        return admission;
    }

    @Override
    public List<TenantView> tenants() {
        return supervisor.tenants();
    }

    @Override
    public Optional<TenantView> tenant(String namespace, String name) {
        return supervisor.tenant(namespace, name);
    }
}
