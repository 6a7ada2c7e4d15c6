package io.osmhub.workersync.watch;

import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All informers of one worker cluster: four small lists, one more without a usable cluster-info, two more when nodes join with a
 * service account's token, and three more where the hub may create accounts for single MachineDeployments. They share one
 * connection, and are suspended and resumed together.
 */
public final class WorkerInformers {
    private final WorkerEventListener events;
    private final RuntimeContext runtimeContext;
    private final MemoryBudget.MemoryShare memoryShare;
    private final CachedSelection<WatchedMachineDeployment> machineDeploymentSelection;
    private final CachedSelection<SecretReader.SettingsSecret> secretSelection;
    private final CachedSelection<StoredToken> tokenSelection;
    private final Map<String, List<ObjectKey>> tokensByLabel = new ConcurrentHashMap<>();
    private final CachedSelection<String> clusterInfoSelection;
    private final CachedSelection<EndpointSlice> endpointSliceSelection;
    private final ObjectCache<List<String>> serviceAccountCache;
    private final ObjectCache<SecretReader.AccountToken> accountTokenCache;
    private final Map<GrantKind, CachedSelection<StoredGrant>> grants = new EnumMap<>(GrantKind.class);

    private final Object lock = new Object();
    private final List<ResourceWatch<?>> permanentWatches = new ArrayList<>();
    private final List<ResourceWatch<?>> sliceWatches = new ArrayList<>();
    private final List<ResourceWatch<?>> accountWatches = new ArrayList<>();
    private final List<ResourceWatch<?>> grantWatches = new ArrayList<>();
    private final ResourceWatch<String> clusterInfoWatch;
    private @Nullable KubeApi api;
    private @Nullable ServiceAccountName account;
    /** Read under the locks of caches, so it has no lock. */
    private volatile boolean synced;

    private volatile boolean grantsKnown;

    /** Called on event loops; must not block. */
    public interface WorkerEventListener {
        void onMachineDeploymentChanged(
                ObjectKey key,
                @Nullable WatchedMachineDeployment before,
                @Nullable WatchedMachineDeployment after,
                ObjectCache.Origin origin);

        void onSecretChanged(
                ObjectKey key,
                SecretReader.@Nullable SettingsSecret before,
                SecretReader.@Nullable SettingsSecret after,
                ObjectCache.Origin origin);

        void onTokenChanged(
                ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, ObjectCache.Origin origin);

        /** An account, role or binding of a MachineDeployment was created, changed or deleted. */
        void onGrantChanged(
                GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, ObjectCache.Origin origin);

        /** How nodes join and fetch may have changed: address, authority, fetch token, service account. */
        void onNodeAccessChanged();

        /** All first lists are complete. Called once. */
        void onSynced();

        /** A list or watch failed, was rejected, or works again; {@link #latestFailures} has changed. */
        void onFailureChanged(Resource resource, @Nullable ApiFailure failure);

        void onRestarted(Resource resource, ListWatchListener.RestartReason why);
    }

    public WorkerInformers(WorkerEventListener events, RuntimeContext runtimeContext) {
        this.events = events;
        this.runtimeContext = runtimeContext;
        this.memoryShare = runtimeContext.memory().createShare();
        machineDeploymentSelection = new CachedSelection<>(
                Selection.all(Resource.MACHINE_DEPLOYMENTS, ""),
                WatchedMachineDeployment.DECODER,
                new ObjectCache<>((key, before, after, origin) -> {
                    if (origin == ObjectCache.Origin.WRITTEN
                            || before == null
                            || after == null
                            || !before.hasSameContentAs(after)) {
                        events.onMachineDeploymentChanged(key, before, after, origin);
                    }
                }),
                SelectionLimits.OF_MACHINES,
                memoryShare,
                false);
        secretSelection = new CachedSelection<>(
                Selection.all(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE),
                SecretReader::settings,
                new ObjectCache<>((key, before, after, origin) -> {
                    if (key.name().equals(SecretReader.FETCH_TOKEN)) {
                        events.onNodeAccessChanged();
                    } else {
                        events.onSecretChanged(key, before, after, origin);
                    }
                }),
                SelectionLimits.OF_SECRETS,
                memoryShare,
                false);
        tokenSelection = new CachedSelection<>(
                Selection.labelled(Resource.SECRETS, ObjectNames.TOKEN_NAMESPACE, BootstrapToken.LABEL),
                SecretReader::bootstrapToken,
                new ObjectCache<>((key, before, after, origin) -> {
                    index(key, before, after);
                    events.onTokenChanged(key, before, after, origin);
                }),
                SelectionLimits.OF_SECRETS,
                memoryShare,
                false);
        clusterInfoSelection = optional(
                Selection.where(Resource.CONFIG_MAPS, "kube-public", "metadata.name=cluster-info"),
                WorkerObjectDecoders::clusterInfo,
                new ObjectCache<>((key, before, after, origin) -> {
                    if (before == null || !before.equals(after)) {
                        events.onNodeAccessChanged();
                        runtimeContext.blockingExecutor().execute(this::onListed);
                    }
                }));
        endpointSliceSelection = optional(
                EndpointSource.SELECTION,
                WorkerObjectDecoders::endpointSlice,
                new ObjectCache<>((key, before, after, origin) -> {
                    if (before == null || !before.equals(after)) {
                        events.onNodeAccessChanged();
                    }
                }));
        serviceAccountCache = new ObjectCache<>((key, before, after, origin) -> events.onNodeAccessChanged());
        accountTokenCache = new ObjectCache<>((key, before, after, origin) -> events.onNodeAccessChanged());
        for (GrantKind kind : GrantKind.values()) {
            grants.put(
                    kind,
                    optional(
                            Selection.labelled(
                                    resource(kind), ObjectNames.SETTINGS_NAMESPACE, OwnershipAnnotations.SELECTOR),
                            WorkerObjectDecoders.grant(kind),
                            new ObjectCache<>((key, before, after, origin) ->
                                    events.onGrantChanged(kind, before, after, origin))));
        }
        addWatch(permanentWatches, machineDeploymentSelection);
        addWatch(permanentWatches, secretSelection);
        addWatch(permanentWatches, tokenSelection);
        clusterInfoWatch = addWatch(permanentWatches, clusterInfoSelection);
    }

    /** Of a rare kind: there is another source, or the missing kind is reported. */
    private <T> CachedSelection<T> optional(Selection selection, ObjectDecoder<T> decoder, ObjectCache<T> cache) {
        return new CachedSelection<>(selection, decoder, cache, SelectionLimits.OF_OTHERS, memoryShare, true);
    }

    private <T> ResourceWatch<T> addWatch(List<ResourceWatch<?>> watches, CachedSelection<T> cachedSelection) {
        ResourceWatch<T> added = new ResourceWatch<>(cachedSelection);
        watches.add(added);
        return added;
    }

    private void resumeIfConnected(List<ResourceWatch<?>> watches) {
        KubeApi current = api;
        if (current != null) {
            watches.forEach(watch -> watch.resume(current));
        }
    }

    private static void endAll(List<ResourceWatch<?>> watches) {
        watches.forEach(ResourceWatch::end);
        watches.clear();
    }

    private Stream<ResourceWatch<?>> watches() {
        return Stream.of(permanentWatches, sliceWatches, accountWatches, grantWatches)
                .flatMap(List::stream);
    }

    /** EndpointSlices are needed only while cluster-info names no API server. Called under the lock. */
    private void chooseSlices() {
        boolean wanted = clusterInfoWatch.isDone()
                && clusterInfoSelection.cache().all().stream().noneMatch(ApiServerDiscovery::isUsable);
        if (wanted == !sliceWatches.isEmpty()) {
            return;
        }
        if (wanted) {
            addWatch(sliceWatches, endpointSliceSelection);
            resumeIfConnected(sliceWatches);
        } else {
            endAll(sliceWatches);
            endpointSliceSelection.cache().clear();
        }
    }

    /** Starts, resumes, or switches to a new connection to the same cluster. */
    public void resume(KubeApi with) {
        synchronized (lock) {
            api = with;
            watches().forEach(watch -> watch.resume(with));
        }
    }

    /** Suspends; keeps the caches. */
    public void suspend() {
        synchronized (lock) {
            api = null;
            watches().forEach(ResourceWatch::suspend);
        }
    }

    /** Stops permanently and releases the memory. */
    public void end() {
        synchronized (lock) {
            api = null;
            watches().forEach(ResourceWatch::end);
        }
    }

    /** Watches the accounts, roles and bindings of single MachineDeployments, if the hub may create them. */
    public void watchGrants(boolean wanted) {
        synchronized (lock) {
            if (wanted == !grantWatches.isEmpty()) {
                return;
            }
            endAll(grantWatches);
            grantsKnown = false;
            // All other lists may be complete.
            runtimeContext.blockingExecutor().execute(this::onListed);
            if (!wanted) {
                grants.values().forEach(grant -> grant.cache().clear());
                return;
            }
            grants.values().forEach(grant -> addWatch(grantWatches, grant));
            resumeIfConnected(grantWatches);
        }
    }

    /** Kind of the API object that stores a grant. */
    public static Resource resource(GrantKind kind) {
        return switch (kind) {
            case ACCOUNT -> Resource.SERVICE_ACCOUNTS;
            case ROLE -> Resource.ROLES;
            case BINDING -> Resource.ROLE_BINDINGS;
        };
    }

    /** Watches the service account whose token nodes join with; null for none. */
    public void watchServiceAccount(@Nullable ServiceAccountName wanted) {
        synchronized (lock) {
            if (Objects.equals(wanted, account)) {
                return;
            }
            endAll(accountWatches);
            // All other lists may be complete.
            runtimeContext.blockingExecutor().execute(this::onListed);
            serviceAccountCache.clear();
            accountTokenCache.clear();
            account = wanted;
            if (wanted != null) {
                addWatch(
                        accountWatches,
                        optional(
                                Selection.where(
                                        Resource.SERVICE_ACCOUNTS,
                                        wanted.namespace(),
                                        "metadata.name=" + wanted.name()),
                                WorkerObjectDecoders::serviceAccount,
                                serviceAccountCache));
                addWatch(
                        accountWatches,
                        optional(
                                Selection.where(
                                        Resource.SECRETS,
                                        wanted.namespace(),
                                        "type=" + SecretReader.SERVICE_ACCOUNT_TOKEN),
                                SecretReader::accountToken,
                                accountTokenCache));
                resumeIfConnected(accountWatches);
            }
        }
    }

    /**
     * The selection of the objects of one kind and namespace that the hub writes.
     *
     * @throws IllegalArgumentException for a kind that it does not write
     */
    public CachedSelection<?> selectionOf(Resource resource, String namespace) {
        return switch (resource) {
            case MACHINE_DEPLOYMENTS -> machineDeploymentSelection;
            case SECRETS -> namespace.equals(ObjectNames.TOKEN_NAMESPACE) ? tokenSelection : secretSelection;
            case SERVICE_ACCOUNTS -> grant(GrantKind.ACCOUNT);
            case ROLES -> grant(GrantKind.ROLE);
            case ROLE_BINDINGS -> grant(GrantKind.BINDING);
            default -> throw new IllegalArgumentException("not a kind that the hub writes: " + resource);
        };
    }

    public ObjectCache<WatchedMachineDeployment> machineDeployments() {
        return machineDeploymentSelection.cache();
    }

    public ObjectCache<SecretReader.SettingsSecret> secrets() {
        return secretSelection.cache();
    }

    public ObjectCache<StoredToken> tokens() {
        return tokenSelection.cache();
    }

    public ObjectCache<StoredGrant> grants(GrantKind kind) {
        return grant(kind).cache();
    }

    private CachedSelection<StoredGrant> grant(GrantKind kind) {
        return Objects.requireNonNull(grants.get(kind), "grant kind without informer");
    }

    public boolean holdsGrants() {
        return grants.values().stream().anyMatch(grant -> grant.cache().size() > 0);
    }

    /** Whether they are watched and fully listed. */
    public boolean areGrantsKnown() {
        return grantsKnown;
    }

    public ObjectCache<String> clusterInfo() {
        return clusterInfoSelection.cache();
    }

    public ObjectCache<EndpointSlice> endpointSlices() {
        return endpointSliceSelection.cache();
    }

    /** Tokens with this label. */
    public List<StoredToken> tokensOf(String label) {
        List<StoredToken> found = new ArrayList<>();
        for (ObjectKey key : tokensByLabel.getOrDefault(label, List.of())) {
            StoredToken token = tokenSelection.cache().get(key);
            if (token != null && token.label().equals(label)) {
                found.add(token);
            }
        }
        return found;
    }

    private void index(ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after) {
        if (before != null) {
            tokensByLabel.computeIfPresent(before.label(), (label, keys) -> {
                List<ObjectKey> left =
                        keys.stream().filter(other -> !other.equals(key)).toList();
                return left.isEmpty() ? null : left;
            });
        }
        if (after != null) {
            tokensByLabel.merge(after.label(), List.of(key), (known, added) -> {
                List<ObjectKey> all = new ArrayList<>(known);
                all.addAll(added);
                return List.copyOf(all);
            });
        }
    }

    /** Names of the Secrets that the watched service account lists. */
    public ObjectCache<List<String>> serviceAccount() {
        return serviceAccountCache;
    }

    /** Tokens in the namespace of the watched service account. */
    public ObjectCache<SecretReader.AccountToken> accountTokens() {
        return accountTokenCache;
    }

    /** Whether all first lists are complete. */
    public boolean isSynced() {
        return synced;
    }

    /** The latest failure of each kind that currently fails. */
    public Map<Resource, ApiFailure> latestFailures() {
        Map<Resource, ApiFailure> failures = new EnumMap<>(Resource.class);
        synchronized (lock) {
            watches().forEach(watch -> {
                ApiFailure failure = watch.latestFailure;
                if (failure != null) {
                    failures.put(watch.resource, failure);
                }
            });
        }
        return failures.isEmpty() ? Map.of() : Map.copyOf(failures);
    }

    /** Number of cached objects, by kind. */
    public Map<Resource, Integer> counts() {
        Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
        counts.put(Resource.MACHINE_DEPLOYMENTS, machineDeployments().size());
        counts.put(Resource.SECRETS, secrets().size() + tokens().size() + accountTokenCache.size());
        counts.put(Resource.CONFIG_MAPS, clusterInfo().size());
        counts.put(Resource.ENDPOINT_SLICES, endpointSlices().size());
        if (grantsKnown) {
            grants.values()
                    .forEach(grant -> counts.put(grant.resource(), grant.cache().size()));
        }
        return counts;
    }

    /** A list is complete, or will stay unavailable, or is no longer wanted. */
    private void onListed() {
        boolean first = false;
        synchronized (lock) {
            chooseSlices();
            boolean allGranted =
                    !grantWatches.isEmpty() && grantWatches.stream().allMatch(ResourceWatch::isListed);
            boolean news = allGranted && !grantsKnown;
            grantsKnown = allGranted;
            if (!synced) {
                first = watches().allMatch(ResourceWatch::isDone);
                synced = first;
            }
            if (!first && !(synced && news)) {
                return;
            }
        }
        if (first) {
            events.onSynced();
        } else {
            events.onNodeAccessChanged();
        }
    }

    /** One of the lists, and its state. Thread-safe. */
    private final class ResourceWatch<T> implements ListWatchListener {
        private final ListWatch<T> listWatch;
        private final Resource resource;
        private final boolean optional;
        /** Forbidden or not served, and optional: counts as empty. */
        private volatile boolean doneWithout;
        /** Null while it works. */
        private volatile @Nullable ApiFailure latestFailure;

        ResourceWatch(CachedSelection<T> cachedSelection) {
            resource = cachedSelection.resource();
            optional = cachedSelection.optional();
            listWatch = new ListWatch<>(cachedSelection, this, runtimeContext);
        }

        void resume(KubeApi with) {
            latestFailure = null;
            listWatch.resume(
                    resource == Resource.ENDPOINT_SLICES ? new EndpointSource(with, runtimeContext.scheduler()) : with);
        }

        void suspend() {
            listWatch.suspend();
        }

        void end() {
            listWatch.end();
        }

        boolean isDone() {
            return doneWithout || isListed();
        }

        boolean isListed() {
            return listWatch.isSynced();
        }

        @Override
        public void onSynced() {
            onListed();
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            if (failure.isNotFound() && optional) {
                // The API server does not serve the kind; the connection is fine.
                doneWithout = true;
                if (latestFailure != null) {
                    setFailure(null);
                }
                onListed();
            } else {
                setFailure(failure);
            }
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            doneWithout = failure.isForbidden() && optional;
            setFailure(failure);
            onListed();
        }

        @Override
        public void onShortWatches(int inARow) {
            setFailure(ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE,
                    "the server ended the watch at once, " + inARow + " times in a row"));
        }

        @Override
        public void onRecovered() {
            setFailure(null);
        }

        private void setFailure(@Nullable ApiFailure failure) {
            latestFailure = failure;
            events.onFailureChanged(resource, failure);
        }

        @Override
        public void onRestarted(RestartReason why) {
            events.onRestarted(resource, why);
        }
    }
}
