package io.osmhub.workersync.watch;

import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredGrant;
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
 * All that the hub watches in one worker cluster: four small lists, one more without a usable cluster-info, two more when nodes
 * join with a service account's token, and three more where the hub may make accounts for single MachineDeployments. They share
 * one connection, and rest and go on together.
 */
public final class WorkerObjects {
    private final Events events;
    private final Surroundings around;
    private final MemoryBudget.Share memory;
    private final ObjectCache<WatchedMachineDeployment> machineDeployments;
    private final ObjectCache<SecretReader.SettingsSecret> secrets;
    private final ObjectCache<StoredToken> tokens;
    private final Map<String, List<ObjectKey>> tokensByLabel = new ConcurrentHashMap<>();
    private final ObjectCache<String> clusterInfo;
    private final ObjectCache<EndpointSlice> endpointSlices;
    private final ObjectCache<List<String>> serviceAccount;
    private final ObjectCache<SecretReader.AccountToken> accountTokens;

    private final Map<GrantKind, ObjectCache<StoredGrant>> grants = new EnumMap<>(GrantKind.class);

    private final Object lock = new Object();
    private final List<WatchedKind<?>> members = new ArrayList<>();
    private final WatchedKind<String> clusterInfoMember;
    private final List<WatchedKind<?>> sliceMembers = new ArrayList<>();
    private final List<WatchedKind<?>> accountMembers = new ArrayList<>();
    private final List<WatchedKind<?>> grantMembers = new ArrayList<>();
    private @Nullable KubeApi api;
    private @Nullable ServiceAccountName account;
    /** Read under the locks of caches, so it has none. */
    private volatile boolean synced;

    private volatile boolean grantsKnown;

    /** Hears what happens. Called on event loops: hands over and returns. */
    public interface Events {
        void machineDeployment(
                ObjectKey key,
                @Nullable WatchedMachineDeployment before,
                @Nullable WatchedMachineDeployment after,
                ObjectCache.Origin origin);

        void secret(
                ObjectKey key,
                SecretReader.@Nullable SettingsSecret before,
                SecretReader.@Nullable SettingsSecret after,
                ObjectCache.Origin origin);

        void token(ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, ObjectCache.Origin origin);

        /** An account, role or binding of a MachineDeployment came, changed or went. */
        void grant(
                GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, ObjectCache.Origin origin);

        /** What nodes join and fetch with may be another now: address, authority, fetch token, service account. */
        void access();

        /** All first lists are complete. Comes once. */
        void synced();

        /** A list or watch failed, was refused, or works again; {@link #troubles} has changed. */
        void trouble(Resource resource, @Nullable ApiFailure failure);

        void restarted(Resource resource, WatchListener.Restart why);
    }

    public WorkerObjects(Events events, Surroundings around) {
        this.events = events;
        this.around = around;
        this.memory = around.memory().share();
        machineDeployments = new ObjectCache<>((key, before, after, origin) -> {
            if (origin == ObjectCache.Origin.WRITTEN
                    || before == null
                    || after == null
                    || !before.saysTheSameAs(after)) {
                events.machineDeployment(key, before, after, origin);
            }
        });
        secrets = new ObjectCache<>((key, before, after, origin) -> {
            if (key.name().equals(SecretReader.FETCH_TOKEN)) {
                events.access();
            } else {
                events.secret(key, before, after, origin);
            }
        });
        tokens = new ObjectCache<>((key, before, after, origin) -> {
            index(key, before, after);
            events.token(key, before, after, origin);
        });
        clusterInfo = new ObjectCache<>((key, before, after, origin) -> {
            if (before == null || !before.equals(after)) {
                events.access();
                around.waiting().execute(this::listed);
            }
        });
        endpointSlices = new ObjectCache<>((key, before, after, origin) -> {
            if (before == null || !before.equals(after)) {
                events.access();
            }
        });
        serviceAccount = new ObjectCache<>((key, before, after, origin) -> events.access());
        accountTokens = new ObjectCache<>((key, before, after, origin) -> events.access());
        for (GrantKind kind : GrantKind.values()) {
            grants.put(
                    kind, new ObjectCache<>((key, before, after, origin) -> events.grant(kind, before, after, origin)));
        }
        need(
                Selection.all(Resource.MACHINE_DEPLOYMENTS, ""),
                WatchedMachineDeployment::decode,
                machineDeployments,
                Bounds.OF_MACHINES);
        need(
                Selection.all(Resource.SECRETS, ObjectNames.SETTINGS_NAMESPACE),
                SecretReader::settings,
                secrets,
                Bounds.OF_SECRETS);
        need(
                Selection.labelled(Resource.SECRETS, ObjectNames.TOKEN_NAMESPACE, BootstrapToken.LABEL),
                SecretReader::bootstrapToken,
                tokens,
                Bounds.OF_SECRETS);
        clusterInfoMember = want(
                members,
                Selection.where(Resource.CONFIG_MAPS, "kube-public", "metadata.name=cluster-info"),
                SmallObjects::clusterInfo,
                clusterInfo);
    }

    /** EndpointSlices matter only while cluster-info names no API server. Called under the lock. */
    private void chooseSlices() {
        boolean wanted =
                clusterInfoMember.isDone() && clusterInfo.all().stream().noneMatch(ApiServerDiscovery::isUsable);
        if (wanted == !sliceMembers.isEmpty()) {
            return;
        }
        if (!wanted) {
            sliceMembers.forEach(WatchedKind::end);
            sliceMembers.clear();
            endpointSlices.clear();
            return;
        }
        WatchedKind<EndpointSlice> slices = want(
                sliceMembers,
                Selection.labelled(Resource.ENDPOINT_SLICES, "default", "kubernetes.io/service-name=kubernetes"),
                SmallObjects::endpointSlice,
                endpointSlices);
        KubeApi current = api;
        if (current != null) {
            slices.resume(current);
        }
    }

    private <T> void need(Selection selection, Decoder<T> decoder, ObjectCache<T> cache, Bounds bounds) {
        members.add(new WatchedKind<>(selection, decoder, cache, false, new Heard(), around, bounds, memory));
    }

    private <T> WatchedKind<T> want(
            List<WatchedKind<?>> to, Selection selection, Decoder<T> decoder, ObjectCache<T> cache) {
        WatchedKind<T> kind =
                new WatchedKind<>(selection, decoder, cache, true, new Heard(), around, Bounds.OF_OTHERS, memory);
        to.add(kind);
        return kind;
    }

    /** Begins, goes on after a rest, or goes on with another connection to the same cluster. */
    public void resume(KubeApi with) {
        synchronized (lock) {
            api = with;
            members.forEach(member -> member.resume(with));
            sliceMembers.forEach(member -> member.resume(with));
            accountMembers.forEach(member -> member.resume(with));
            grantMembers.forEach(member -> member.resume(with));
        }
    }

    /** Rests; the caches stay as they are. */
    public void suspend() {
        synchronized (lock) {
            api = null;
            members.forEach(WatchedKind::suspend);
            sliceMembers.forEach(WatchedKind::suspend);
            accountMembers.forEach(WatchedKind::suspend);
            grantMembers.forEach(WatchedKind::suspend);
        }
    }

    /** Rests for good, and gives its memory back. */
    public void end() {
        synchronized (lock) {
            api = null;
            members.forEach(WatchedKind::end);
            sliceMembers.forEach(WatchedKind::end);
            accountMembers.forEach(WatchedKind::end);
            grantMembers.forEach(WatchedKind::end);
        }
    }

    /** Watches the accounts, roles and bindings of single MachineDeployments, where the hub may make them. */
    public void watchGrants(boolean wanted) {
        synchronized (lock) {
            if (wanted == !grantMembers.isEmpty()) {
                return;
            }
            grantMembers.forEach(WatchedKind::end);
            grantMembers.clear();
            grantsKnown = false;
            lookWithoutThem();
            if (!wanted) {
                grants.values().forEach(ObjectCache::clear);
                return;
            }
            grants.forEach((kind, cache) -> want(
                    grantMembers,
                    Selection.labelled(resource(kind), ObjectNames.SETTINGS_NAMESPACE, Marks.SELECTOR),
                    SmallObjects.grant(kind),
                    cache));
            KubeApi current = api;
            if (current != null) {
                grantMembers.forEach(member -> member.resume(current));
            }
        }
    }

    /** Nothing waits for lists that nobody wants any more: perhaps all others are complete. */
    private void lookWithoutThem() {
        around.waiting().execute(this::listed);
    }

    /** As which kind of the API a grant is stored. */
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
            accountMembers.forEach(WatchedKind::end);
            accountMembers.clear();
            lookWithoutThem();
            serviceAccount.clear();
            accountTokens.clear();
            account = wanted;
            if (wanted != null) {
                want(
                        accountMembers,
                        Selection.where(
                                Resource.SERVICE_ACCOUNTS, wanted.namespace(), "metadata.name=" + wanted.name()),
                        SmallObjects::serviceAccount,
                        serviceAccount);
                want(
                        accountMembers,
                        Selection.where(
                                Resource.SECRETS, wanted.namespace(), "type=" + SecretReader.SERVICE_ACCOUNT_TOKEN),
                        SecretReader::accountToken,
                        accountTokens);
                KubeApi current = api;
                if (current != null) {
                    accountMembers.forEach(member -> member.resume(current));
                }
            }
        }
    }

    public ObjectCache<WatchedMachineDeployment> machineDeployments() {
        return machineDeployments;
    }

    public ObjectCache<SecretReader.SettingsSecret> secrets() {
        return secrets;
    }

    public ObjectCache<StoredToken> tokens() {
        return tokens;
    }

    public ObjectCache<StoredGrant> grants(GrantKind kind) {
        return Objects.requireNonNull(grants.get(kind), "there is one for each kind");
    }

    /** Whether any is known. */
    public boolean holdsGrants() {
        return grants.values().stream().anyMatch(cache -> cache.size() > 0);
    }

    /** Whether they are watched and all were listed. */
    public boolean areGrantsKnown() {
        return grantsKnown;
    }

    public ObjectCache<String> clusterInfo() {
        return clusterInfo;
    }

    public ObjectCache<EndpointSlice> endpointSlices() {
        return endpointSlices;
    }

    /** Tokens with that label. */
    public List<StoredToken> tokensOf(String label) {
        List<StoredToken> found = new ArrayList<>();
        for (ObjectKey key : tokensByLabel.getOrDefault(label, List.of())) {
            StoredToken token = tokens.get(key);
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
        return serviceAccount;
    }

    /** Tokens in the namespace of the watched service account. */
    public ObjectCache<SecretReader.AccountToken> accountTokens() {
        return accountTokens;
    }

    /** All first lists are complete. */
    public boolean isSynced() {
        return synced;
    }

    /** A failure of each kind that does not work now. */
    public Map<Resource, ApiFailure> troubles() {
        Map<Resource, ApiFailure> troubles = new EnumMap<>(Resource.class);
        synchronized (lock) {
            for (List<WatchedKind<?>> kinds : List.of(members, sliceMembers, accountMembers, grantMembers)) {
                for (WatchedKind<?> kind : kinds) {
                    ApiFailure failure = kind.trouble();
                    if (failure != null) {
                        troubles.put(kind.resource(), failure);
                    }
                }
            }
        }
        return troubles.isEmpty() ? Map.of() : Map.copyOf(troubles);
    }

    /** Objects held, by kind. */
    public Map<Resource, Integer> counts() {
        Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
        counts.put(Resource.MACHINE_DEPLOYMENTS, machineDeployments.size());
        counts.put(Resource.SECRETS, secrets.size() + tokens.size() + accountTokens.size());
        counts.put(Resource.CONFIG_MAPS, clusterInfo.size());
        counts.put(Resource.ENDPOINT_SLICES, endpointSlices.size());
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
                    !grantMembers.isEmpty() && grantMembers.stream().allMatch(WatchedKind::isListed);
            boolean news = allGranted && !grantsKnown;
            grantsKnown = allGranted;
            if (!synced) {
                first = members.stream().allMatch(WatchedKind::isDone)
                        && sliceMembers.stream().allMatch(WatchedKind::isDone)
                        && accountMembers.stream().allMatch(WatchedKind::isDone)
                        && grantMembers.stream().allMatch(WatchedKind::isDone);
                synced = first;
            }
            if (!first && !(synced && news)) {
                return;
            }
        }
        if (first) {
            events.synced();
        } else {
            events.access();
        }
    }

    /** What the lists have to say. */
    private final class Heard implements WatchedKind.Owner {
        @Override
        public void done() {
            listed();
        }

        @Override
        public void trouble(Resource resource, @Nullable ApiFailure failure) {
            events.trouble(resource, failure);
        }

        @Override
        public void restarted(Resource resource, WatchListener.Restart why) {
            events.restarted(resource, why);
        }
    }
}
