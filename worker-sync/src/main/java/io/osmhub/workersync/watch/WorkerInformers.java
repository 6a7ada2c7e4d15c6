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
import org.jspecify.annotations.Nullable;

/**
 * All informers of one worker cluster: four small lists, one more without a usable cluster-info, two more when nodes join with a
 * service account's token, and three more where the hub may create accounts for single MachineDeployments. They share one
 * connection, and are suspended and resumed together.
 */
public final class WorkerInformers {
    private final WorkerEventListener events;
    private final RuntimeContext runtimeContext;
    private final MemoryBudget.MemoryShare memory;
    private final ObjectCache<WatchedMachineDeployment> machineDeploymentCache;
    private final ObjectCache<SecretReader.SettingsSecret> secretCache;
    private final ObjectCache<StoredToken> tokenCache;
    private final Map<String, List<ObjectKey>> tokensByLabel = new ConcurrentHashMap<>();
    private final ObjectCache<String> clusterInfoCache;
    private final ObjectCache<EndpointSlice> endpointSliceCache;
    private final ObjectCache<List<String>> serviceAccountCache;
    private final ObjectCache<SecretReader.AccountToken> accountTokenCache;

    private final Map<GrantKind, ObjectCache<StoredGrant>> grants = new EnumMap<>(GrantKind.class);

    private final Object lock = new Object();
    private final List<ResourceWatch<?>> members = new ArrayList<>();
    private final ResourceWatch<String> clusterInfoWatch;
    private final List<ResourceWatch<?>> sliceMembers = new ArrayList<>();
    private final List<ResourceWatch<?>> accountMembers = new ArrayList<>();
    private final List<ResourceWatch<?>> grantMembers = new ArrayList<>();
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
        this.memory = runtimeContext.memory().createShare();
        machineDeploymentCache = new ObjectCache<>((key, before, after, origin) -> {
            if (origin == ObjectCache.Origin.WRITTEN
                    || before == null
                    || after == null
                    || !before.hasSameContentAs(after)) {
                events.onMachineDeploymentChanged(key, before, after, origin);
            }
        });
        secretCache = new ObjectCache<>((key, before, after, origin) -> {
            if (key.name().equals(SecretReader.FETCH_TOKEN)) {
                events.onNodeAccessChanged();
            } else {
                events.onSecretChanged(key, before, after, origin);
            }
        });
        tokenCache = new ObjectCache<>((key, before, after, origin) -> {
            index(key, before, after);
            events.onTokenChanged(key, before, after, origin);
        });
        clusterInfoCache = new ObjectCache<>((key, before, after, origin) -> {
            if (before == null || !before.equals(after)) {
                events.onNodeAccessChanged();
                runtimeContext.blockingExecutor().execute(this::listed);
            }
        });
        endpointSliceCache = new ObjectCache<>((key, before, after, origin) -> {
            if (before == null || !before.equals(after)) {
                events.onNodeAccessChanged();
            }
        });
        serviceAccountCache = new ObjectCache<>((key, before, after, origin) -> events.onNodeAccessChanged());
        accountTokenCache = new ObjectCache<>((key, before, after, origin) -> events.onNodeAccessChanged());
        for (GrantKind kind : GrantKind.values()) {
            grants.put(
                    kind,
                    new ObjectCache<>(
                            (key, before, after, origin) -> events.onGrantChanged(kind, before, after, origin)));
        }
        addWatch(
                Selection.all(Resource.MACHINE_DEPLOYMENTS, ""),
                WatchedMachineDeployment.DECODER,
                machineDeploymentCache,
                SelectionLimits.OF_MACHINES);
        addWatch(
                Selection.all(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE),
                SecretReader::settings,
                secretCache,
                SelectionLimits.OF_SECRETS);
        addWatch(
                Selection.labelled(Resource.SECRETS, ObjectNames.TOKEN_NAMESPACE, BootstrapToken.LABEL),
                SecretReader::bootstrapToken,
                tokenCache,
                SelectionLimits.OF_SECRETS);
        clusterInfoWatch = want(
                members,
                Selection.where(Resource.CONFIG_MAPS, "kube-public", "metadata.name=cluster-info"),
                WorkerObjectDecoders::clusterInfo,
                clusterInfoCache);
    }

    /** EndpointSlices are needed only while cluster-info names no API server. Called under the lock. */
    private void chooseSlices() {
        boolean wanted =
                clusterInfoWatch.isDone() && clusterInfoCache.all().stream().noneMatch(ApiServerDiscovery::isUsable);
        if (wanted == !sliceMembers.isEmpty()) {
            return;
        }
        if (!wanted) {
            sliceMembers.forEach(ResourceWatch::end);
            sliceMembers.clear();
            endpointSliceCache.clear();
            return;
        }
        ResourceWatch<EndpointSlice> slices =
                want(sliceMembers, EndpointSource.SELECTION, WorkerObjectDecoders::endpointSlice, endpointSliceCache);
        KubeApi current = api;
        if (current != null) {
            slices.resume(new EndpointSource(current, runtimeContext.scheduler()));
        }
    }

    private <T> void addWatch(
            Selection selection, ObjectDecoder<T> decoder, ObjectCache<T> cache, SelectionLimits bounds) {
        members.add(new ResourceWatch<>(
                selection, decoder, cache, false, new ResourceWatchHandler(), runtimeContext, bounds, memory));
    }

    private <T> ResourceWatch<T> want(
            List<ResourceWatch<?>> to, Selection selection, ObjectDecoder<T> decoder, ObjectCache<T> cache) {
        ResourceWatch<T> kind = new ResourceWatch<>(
                selection,
                decoder,
                cache,
                true,
                new ResourceWatchHandler(),
                runtimeContext,
                SelectionLimits.OF_OTHERS,
                memory);
        to.add(kind);
        return kind;
    }

    /** Starts, resumes, or switches to a new connection to the same cluster. */
    public void resume(KubeApi with) {
        synchronized (lock) {
            api = with;
            members.forEach(member -> member.resume(with));
            sliceMembers.forEach(member -> member.resume(new EndpointSource(with, runtimeContext.scheduler())));
            accountMembers.forEach(member -> member.resume(with));
            grantMembers.forEach(member -> member.resume(with));
        }
    }

    /** Suspends; keeps the caches. */
    public void suspend() {
        synchronized (lock) {
            api = null;
            members.forEach(ResourceWatch::suspend);
            sliceMembers.forEach(ResourceWatch::suspend);
            accountMembers.forEach(ResourceWatch::suspend);
            grantMembers.forEach(ResourceWatch::suspend);
        }
    }

    /** Stops permanently and releases the memory. */
    public void end() {
        synchronized (lock) {
            api = null;
            members.forEach(ResourceWatch::end);
            sliceMembers.forEach(ResourceWatch::end);
            accountMembers.forEach(ResourceWatch::end);
            grantMembers.forEach(ResourceWatch::end);
        }
    }

    /** Watches the accounts, roles and bindings of single MachineDeployments, if the hub may create them. */
    public void watchGrants(boolean wanted) {
        synchronized (lock) {
            if (wanted == !grantMembers.isEmpty()) {
                return;
            }
            grantMembers.forEach(ResourceWatch::end);
            grantMembers.clear();
            grantsKnown = false;
            continueWithoutGrants();
            if (!wanted) {
                grants.values().forEach(ObjectCache::clear);
                return;
            }
            grants.forEach((kind, cache) -> want(
                    grantMembers,
                    Selection.labelled(resource(kind), ObjectNames.SETTINGS_NAMESPACE, OwnershipAnnotations.SELECTOR),
                    WorkerObjectDecoders.grant(kind),
                    cache));
            KubeApi current = api;
            if (current != null) {
                grantMembers.forEach(member -> member.resume(current));
            }
        }
    }

    /** Stops waiting for lists that are no longer wanted: all others may be complete. */
    private void continueWithoutGrants() {
        runtimeContext.blockingExecutor().execute(this::listed);
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
            accountMembers.forEach(ResourceWatch::end);
            accountMembers.clear();
            continueWithoutGrants();
            serviceAccountCache.clear();
            accountTokenCache.clear();
            account = wanted;
            if (wanted != null) {
                want(
                        accountMembers,
                        Selection.where(
                                Resource.SERVICE_ACCOUNTS, wanted.namespace(), "metadata.name=" + wanted.name()),
                        WorkerObjectDecoders::serviceAccount,
                        serviceAccountCache);
                want(
                        accountMembers,
                        Selection.where(
                                Resource.SECRETS, wanted.namespace(), "type=" + SecretReader.SERVICE_ACCOUNT_TOKEN),
                        SecretReader::accountToken,
                        accountTokenCache);
                KubeApi current = api;
                if (current != null) {
                    accountMembers.forEach(member -> member.resume(current));
                }
            }
        }
    }

    public ObjectCache<WatchedMachineDeployment> machineDeployments() {
        return machineDeploymentCache;
    }

    public ObjectCache<SecretReader.SettingsSecret> secrets() {
        return secretCache;
    }

    public ObjectCache<StoredToken> tokens() {
        return tokenCache;
    }

    public ObjectCache<StoredGrant> grants(GrantKind kind) {
        return Objects.requireNonNull(grants.get(kind), "grant kind without informer");
    }

    public boolean holdsGrants() {
        return grants.values().stream().anyMatch(cache -> cache.size() > 0);
    }

    /** Whether they are watched and fully listed. */
    public boolean areGrantsKnown() {
        return grantsKnown;
    }

    public ObjectCache<String> clusterInfo() {
        return clusterInfoCache;
    }

    public ObjectCache<EndpointSlice> endpointSlices() {
        return endpointSliceCache;
    }

    /** Tokens with this label. */
    public List<StoredToken> tokensOf(String label) {
        List<StoredToken> found = new ArrayList<>();
        for (ObjectKey key : tokensByLabel.getOrDefault(label, List.of())) {
            StoredToken token = tokenCache.get(key);
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
        Map<Resource, ApiFailure> troubles = new EnumMap<>(Resource.class);
        synchronized (lock) {
            for (List<ResourceWatch<?>> kinds : List.of(members, sliceMembers, accountMembers, grantMembers)) {
                for (ResourceWatch<?> kind : kinds) {
                    ApiFailure failure = kind.latestFailure();
                    if (failure != null) {
                        troubles.put(kind.resource(), failure);
                    }
                }
            }
        }
        return troubles.isEmpty() ? Map.of() : Map.copyOf(troubles);
    }

    /** Number of cached objects, by kind. */
    public Map<Resource, Integer> counts() {
        Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
        counts.put(Resource.MACHINE_DEPLOYMENTS, machineDeploymentCache.size());
        counts.put(Resource.SECRETS, secretCache.size() + tokenCache.size() + accountTokenCache.size());
        counts.put(Resource.CONFIG_MAPS, clusterInfoCache.size());
        counts.put(Resource.ENDPOINT_SLICES, endpointSliceCache.size());
        if (grantsKnown) {
            grants.forEach((kind, cache) -> counts.put(resource(kind), cache.size()));
        }
        return counts;
    }

    private void listed() {
        boolean first = false;
        synchronized (lock) {
            chooseSlices();
            boolean allGranted =
                    !grantMembers.isEmpty() && grantMembers.stream().allMatch(ResourceWatch::isListed);
            boolean news = allGranted && !grantsKnown;
            grantsKnown = allGranted;
            if (!synced) {
                first = members.stream().allMatch(ResourceWatch::isDone)
                        && sliceMembers.stream().allMatch(ResourceWatch::isDone)
                        && accountMembers.stream().allMatch(ResourceWatch::isDone)
                        && grantMembers.stream().allMatch(ResourceWatch::isDone);
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

    private final class ResourceWatchHandler implements ResourceWatch.ResourceWatchListener {
        @Override
        public void onInitialized() {
            listed();
        }

        @Override
        public void onFailureChanged(Resource resource, @Nullable ApiFailure failure) {
            events.onFailureChanged(resource, failure);
        }

        @Override
        public void onRestarted(Resource resource, ListWatchListener.RestartReason why) {
            events.onRestarted(resource, why);
        }
    }
}
