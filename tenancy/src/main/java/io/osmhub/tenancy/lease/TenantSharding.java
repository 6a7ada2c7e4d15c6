package io.osmhub.tenancy.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.ObservedRenewals;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distributes tenants over the replicas. Each replica has a member Lease; a tenant belongs to one of the live members by
 * {@link RendezvousHashing}. Members observe changes at different times, so each publishes in its Lease which members it acts
 * on (its view), after the tenants that it loses are stopped and their writes answered. A view claims the tenants that belong to
 * its publisher in it. A replica starts a tenant only after it has read its own view back and while no other live member claims
 * the tenant, so that no two replicas ever serve one tenant.
 *
 * <pre>
 *   members changed -> stop lost tenants, await their writes -> publish view
 *                   -> view read back -> start tenants that no other member claims
 * </pre>
 *
 * <p>A member counts once it has published a view, and no longer if the view stays outdated for the duration of its Lease, so
 * that tenants do not wait for a replica that is alive but does not act. What its view claims remains its own.
 */
public final class TenantSharding {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSharding.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration UNTIL_NEXT_CHECK_OF_WRITES = Duration.ofMillis(20);

    private final LeaseConfig leaseConfig;
    private final KubeApi api;
    private final LeaseRenewalLoop leaseRenewalLoop;
    private final ManagementStore<MemberLease> leaseStore;
    private final RuntimeContext runtimeContext;
    private final Runnable changed;
    private final InFlightWrites inFlight;
    private final RenewalLoop updateLoop;

    private final Object lock = new Object();
    private final ObservedRenewals observedRenewals = new ObservedRenewals();
    private final ObservedRenewals observedViews = new ObservedRenewals();
    /** The members that this replica acts on; empty if none. */
    private SortedSet<String> members = new TreeSet<>();
    /** All live members with a view, and since when. */
    private SortedSet<String> reporting = new TreeSet<>();

    private long reportingSince;
    /** Views of the other live members. Tenants are started only if the own view was read back. */
    private Map<String, SortedSet<String>> claims = Map.of();

    private boolean readBack;
    /** Namespaces of tenants that were started and have belonged to this replica since. */
    private final Set<String> started = new HashSet<>();

    private MembershipChange lastChange = MembershipChange.JOINED;
    /** Published with each view: the same members in another view are not the same view. */
    private long viewNumber;
    /** When the view changed, in nanoseconds; null once it is published. */
    private @Nullable Long unpublishedSince;
    /** Additional annotations of the Lease. */
    private final Map<String, String> published = new HashMap<>();

    private boolean running;
    private BooleanSupplier ready = () -> false;

    /** Cause of the last membership change. */
    public enum MembershipChange {
        /** A replica joined, this one or another. */
        JOINED,
        /** A replica released its Lease. */
        LEFT,
        /** A replica's Lease expired. */
        EXPIRED
    }

    /**
     * @param leaseConfig of this replica's own Lease
     * @param changed called when {@link #startServing} may return something else; must not block
     * @param inFlight the writes for tenants
     */
    public TenantSharding(
            KubeApi api,
            LeaseConfig leaseConfig,
            Runnable changed,
            InFlightWrites inFlight,
            RuntimeContext runtimeContext) {
        this.api = api;
        this.leaseConfig = leaseConfig;
        this.changed = changed;
        this.inFlight = inFlight;
        this.runtimeContext = runtimeContext;
        this.updateLoop = RenewalLoop.every(TICK, "Update of the replicas", this::updateMembers, runtimeContext);
        this.leaseRenewalLoop = new LeaseRenewalLoop(() -> api, leaseConfig, () -> onLeaseChanged(), runtimeContext);
        this.leaseStore = new ManagementStore<>(
                Selection.labelled(Resource.LEASES, leaseConfig.namespace(), "osmhub.io/member=true"),
                MemberLease::of,
                (key, before, after, origin) -> updateLoop.wake(),
                NoopListWatchListener.INSTANCE,
                runtimeContext);
    }

    /**
     * Acquires the Lease and starts to watch the others.
     *
     * @param canServe whether this replica can serve tenants; until then they remain with the others. Remains true
     */
    public void start(BooleanSupplier canServe) {
        synchronized (lock) {
            running = true;
            ready = canServe;
        }
        leaseStore.start(api);
        leaseRenewalLoop.start();
        updateLoop.wake();
    }

    /** Releases the Lease once all writes for tenants are answered. Blocks; call it on a virtual thread. */
    public void stop() {
        synchronized (lock) {
            running = false;
            forgetMembers();
        }
        updateLoop.stop();
        leaseStore.stop();
        inFlight.await(namespace -> !namespace.isEmpty());
        leaseRenewalLoop.stop();
    }

    /** Whether this replica may write: its Lease was renewed in time. */
    public boolean canWrite() {
        return leaseRenewalLoop.canWrite();
    }

    /** Whether this replica serves the tenant of a namespace, or may start to. */
    public boolean serves(String namespace) {
        synchronized (lock) {
            return leaseRenewalLoop.canWrite()
                    && belongsTo(leaseConfig.name(), namespace, members)
                    && (started.contains(namespace)
                            || readBack
                                    && claims.entrySet().stream()
                                            .noneMatch(
                                                    other -> belongsTo(other.getKey(), namespace, other.getValue())));
        }
    }

    /**
     * Starts to serve the tenant of a namespace if this replica may: what another claims later does not take it away.
     *
     * @return whether this replica serves it
     */
    public boolean startServing(String namespace) {
        synchronized (lock) {
            if (members.isEmpty() && running && ready.getAsBoolean()) {
                // Just became ready.
                updateLoop.wake();
            }
            boolean serves = serves(namespace);
            if (serves) {
                started.add(namespace);
            }
            return serves;
        }
    }

    /** The replica to which the tenant of a namespace belongs, in this replica's view; empty while unknown. */
    public String servedBy(String namespace) {
        return replica(RendezvousHashing.owner(namespace, members()));
    }

    private static String replica(String lease) {
        return lease.substring(Math.min(LeaseConfig.MEMBER.length(), lease.length()));
    }

    private static boolean belongsTo(String member, String namespace, SortedSet<String> view) {
        return RendezvousHashing.owner(namespace, view).equals(member);
    }

    /** Live members, in this replica's view. */
    public SortedSet<String> members() {
        synchronized (lock) {
            return new TreeSet<>(members);
        }
    }

    /** Cause of the last membership change; for a starting replica, that it joined. */
    public MembershipChange lastChange() {
        synchronized (lock) {
            return lastChange;
        }
    }

    /** Time since the renewal of this replica's Lease; before the first one, since the start. */
    public Duration leaseAge() {
        return leaseRenewalLoop.sinceRenewal();
    }

    private void updateMembers() {
        boolean isChanged;
        synchronized (lock) {
            if (!running) {
                return;
            }
            SortedMap<String, MemberLease> live = live();
            // Its own renewals show that the watch delivers.
            boolean acts = ready.getAsBoolean() && live.containsKey(leaseConfig.name()) && leaseRenewalLoop.canWrite();
            SortedSet<String> current = acts ? participants(live) : new TreeSet<>();
            isChanged = !current.equals(members);
            if (isChanged) {
                if (acts) {
                    lastChange = change(members.isEmpty() ? current : members, current);
                }
                members = current;
                started.removeIf(namespace -> !belongsTo(leaseConfig.name(), namespace, members));
                replaceView();
                LOG.atInfo()
                        .addKeyValue("replica", leaseConfig.name())
                        .addKeyValue("members", text(members))
                        .log("Replicas changed");
            } else {
                isChanged = acts && readViews(live);
            }
        }
        if (isChanged) {
            changed.run();
        }
        publishView();
    }

    /**
     * The members that this replica should act on. Every change of a view is given the duration of a Lease, so replicas never
     * exclude each other for long.
     */
    private SortedSet<String> participants(SortedMap<String, MemberLease> live) {
        long now = runtimeContext.scheduler().nanoTime();
        SortedSet<String> reported = new TreeSet<>();
        live.forEach((member, lease) -> {
            if (!lease.view().isEmpty() || member.equals(leaseConfig.name())) {
                reported.add(member);
            }
        });
        observedViews.retainAll(live.keySet());
        if (!reported.equals(reporting)) {
            reporting = reported;
            reportingSince = now;
        }
        SortedSet<String> participants = new TreeSet<>(reported);
        live.forEach((member, lease) -> {
            if (!member.equals(leaseConfig.name()) && isOutdated(lease, now)) {
                participants.remove(member);
            }
        });
        return participants;
    }

    private boolean isOutdated(MemberLease member, long now) {
        Duration unchanged = observedViews.unchangedFor(member.name(), member.view(), now);
        Duration stable = Duration.ofNanos(now - reportingSince);
        return !member.view().equals(text(reporting))
                && !member.view().equals(text(members))
                && (unchanged.compareTo(stable) < 0 ? unchanged : stable).compareTo(member.duration()) >= 0;
    }

    /** Whether what tenants may be started has changed. */
    private boolean readViews(SortedMap<String, MemberLease> live) {
        MemberLease own = Objects.requireNonNull(live.get(leaseConfig.name()));
        boolean found = own.view().equals(text(members))
                && own.viewNumber().equals(Long.toString(viewNumber))
                && own.holder().equals(leaseConfig.holder());
        Map<String, SortedSet<String>> others = new HashMap<>();
        live.forEach((member, lease) -> {
            if (!member.equals(leaseConfig.name())) {
                others.put(member, new TreeSet<>(List.of(lease.view().split(","))));
            }
        });
        boolean news = found != readBack || !others.equals(claims);
        readBack = found;
        claims = others;
        return news;
    }

    private void onLeaseChanged() {
        boolean left;
        synchronized (lock) {
            // Without a renewal, others may serve the tenants: nothing is started before a new view was read back.
            left = !leaseRenewalLoop.canWrite() && !members.isEmpty();
            if (left) {
                forgetMembers();
                replaceView();
            }
        }
        if (left) {
            changed.run();
        }
        updateLoop.wake();
    }

    private void forgetMembers() {
        members = new TreeSet<>();
        started.clear();
    }

    /** Under the lock, in which the members were replaced: what was read back is no longer the view. */
    private void replaceView() {
        readBack = false;
        viewNumber++;
        unpublishedSince = runtimeContext.scheduler().nanoTime();
    }

    /** Publishes a changed view once the writes for tenants that this replica no longer serves are answered. */
    private void publishView() {
        synchronized (lock) {
            if (unpublishedSince == null) {
                return;
            }
            Duration unpublished = Duration.ofNanos(runtimeContext.scheduler().nanoTime() - unpublishedSince);
            if (unpublished.compareTo(InFlightWrites.LIMIT) < 0
                    && inFlight.namespaces().stream()
                            .anyMatch(namespace -> !namespace.isEmpty() && !started.contains(namespace))) {
                updateLoop.wakeAfter(UNTIL_NEXT_CHECK_OF_WRITES);
                return;
            }
            unpublishedSince = null;
            published.put(MemberLease.VIEW_NUMBER, Long.toString(viewNumber));
            annotate(MemberLease.VIEW, text(members));
        }
        leaseRenewalLoop.renewNow();
    }

    /** Published with the next renewal. Under the lock, or an earlier view could replace a later one. */
    private void annotate(String annotation, String text) {
        published.put(annotation, text);
        Map<String, String> annotations = new HashMap<>(leaseConfig.annotations());
        annotations.putAll(published);
        leaseRenewalLoop.annotate(leaseConfig.with(annotations));
    }

    /** Publishes where other replicas reach the API of this one, at once. */
    public void publishUrl(String url) {
        synchronized (lock) {
            annotate(MemberLease.URL, url);
        }
        leaseRenewalLoop.renewNow();
    }

    /** Publishes this replica's problems with the next renewal of its Lease; empty if there are none. */
    public void publishProblems(String problems) {
        synchronized (lock) {
            annotate(MemberLease.PROBLEMS, problems);
        }
    }

    /**
     * Another replica.
     *
     * @param isLive whether it counts as a member; if not, it neither released nor renewed its Lease
     */
    public record OtherReplica(MemberLease lease, boolean isLive) {}

    /** The other replicas except for cleanly stopped ones, by name. */
    public List<OtherReplica> otherReplicas() {
        synchronized (lock) {
            SortedMap<String, MemberLease> live = live();
            return leaseStore.in(leaseConfig.namespace()).values().stream()
                    .filter(lease -> observedRenewals.contains(lease.name()))
                    .filter(lease -> !lease.name().equals(leaseConfig.name()))
                    .filter(lease -> !lease.holder().isEmpty())
                    .sorted(Comparator.comparing(MemberLease::name))
                    .map(lease -> new OtherReplica(lease, live.containsKey(lease.name())))
                    .toList();
        }
    }

    /** How many of these tenants, by namespace, a replica would serve if it were live. */
    public int countTenants(String lease, Collection<String> namespaces) {
        SortedSet<String> with = members();
        with.add(lease);
        return (int) namespaces.stream()
                .filter(namespace -> RendezvousHashing.owner(namespace, with).equals(lease))
                .count();
    }

    /** Name of this replica's own Lease. */
    public String lease() {
        return leaseConfig.name();
    }

    /** Error of the last attempt to acquire or renew this replica's Lease; empty if it succeeded. */
    public String lastFailure() {
        return leaseRenewalLoop.lastFailure();
    }

    private MembershipChange change(SortedSet<String> before, SortedSet<String> now) {
        MembershipChange change = MembershipChange.JOINED;
        for (String member : before) {
            if (!now.contains(member)) {
                MemberLease lease = leaseStore.find(leaseConfig.namespace(), member);
                if (lease != null && !lease.holder().isEmpty()) {
                    return MembershipChange.EXPIRED;
                }
                change = MembershipChange.LEFT;
            }
        }
        return change;
    }

    private static String text(SortedSet<String> members) {
        return String.join(",", members);
    }

    /** A snapshot: the cache may change at any time. */
    private SortedMap<String, MemberLease> live() {
        SortedMap<String, MemberLease> live = new TreeMap<>();
        long now = runtimeContext.scheduler().nanoTime();
        Map<String, MemberLease> all = leaseStore.in(leaseConfig.namespace());
        observedRenewals.retainAll(all.keySet());
        for (MemberLease lease : all.values()) {
            boolean fresh = observedRenewals
                            .unchangedFor(lease.name(), lease.renewal(), now)
                            .compareTo(lease.duration())
                    < 0;
            if (fresh && !lease.holder().isEmpty()) {
                live.put(lease.name(), lease);
            }
        }
        return live;
    }

    /**
     * What is cached of a replica's Lease.
     *
     * @param holder empty if released
     * @param duration how long it is valid without a renewal
     * @param renewedAt when it was last renewed, by the replica's own clock; the epoch if unknown
     * @param renewal changes with each renewal
     * @param view members that the replica acts on; empty if it acts on none, or has not published any
     * @param viewNumber different for each view of a process
     * @param url of the replica's API, as passed to {@link TenantSharding#publishUrl}; empty if it has not published one
     * @param problems of the replica, as passed to {@link TenantSharding#publishProblems}; empty if there are none
     * @param podUid empty if unknown
     */
    public record MemberLease(
            String name,
            String holder,
            Duration duration,
            Instant renewedAt,
            String renewal,
            String view,
            String viewNumber,
            String url,
            String problems,
            String podUid) {
        /** Annotation with the members that a replica acts on. */
        static final String VIEW = "osmhub.io/member-view";

        /** Annotation with the number of that view. */
        static final String VIEW_NUMBER = "osmhub.io/member-view-number";

        /** Annotation with the URL of a replica's API. */
        static final String URL = "osmhub.io/member-url";

        /** Annotation with a replica's problems. */
        static final String PROBLEMS = "osmhub.io/member-problems";

        private static Instant instant(String time) {
            try {
                return Instant.parse(time);
            } catch (DateTimeException e) {
                return Instant.EPOCH;
            }
        }

        /** Name of the replica. */
        public String replica() {
            return TenantSharding.replica(name);
        }

        static MemberLease of(JsonNode object) {
            ObjectMetadata head = ObjectMetadata.of(object);
            JsonNode spec = object.path("spec");
            String renewTime = spec.path("renewTime").asText();
            return new MemberLease(
                    head.name(),
                    spec.path("holderIdentity").asText(),
                    Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
                    instant(renewTime),
                    renewTime + " " + head.resourceVersion(),
                    head.annotations().getOrDefault(VIEW, ""),
                    head.annotations().getOrDefault(VIEW_NUMBER, ""),
                    head.annotations().getOrDefault(URL, ""),
                    head.annotations().getOrDefault(PROBLEMS, ""),
                    object.at("/metadata/ownerReferences")
                            .valueStream()
                            .filter(owner -> owner.path("kind").asText().equals("Pod"))
                            .map(owner -> owner.path("uid").asText())
                            .findFirst()
                            .orElse(""));
        }
    }

    /**
     * Rendezvous hashing: assigns each key to the member with the highest combined hash, so that all observers of the same members
     * agree, and a joining or leaving member moves only its own keys.
     */
    static final class RendezvousHashing {
        private static final long OFFSET = 0xcbf29ce484222325L;
        private static final long PRIME = 0x100000001b3L;

        private RendezvousHashing() {}

        /** Empty if there are no members. */
        static String owner(String key, Collection<String> members) {
            String best = "";
            long most = 0;
            for (String member : members) {
                long weight = weight(member, key);
                int order = best.isEmpty() ? 1 : Long.compareUnsigned(weight, most);
                if (order > 0 || order == 0 && member.compareTo(best) > 0) {
                    best = member;
                    most = weight;
                }
            }
            return best;
        }

        /** FNV-1a with the MurmurHash3 finalizer, since FNV alone gives similar names similar hashes. */
        private static long weight(String member, String key) {
            long hash = OFFSET;
            for (byte b : (member + "\n" + key).getBytes(UTF_8)) {
                hash = (hash ^ (b & 0xff)) * PRIME;
            }
            hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
            hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
            return hash ^ (hash >>> 33);
        }
    }
}
