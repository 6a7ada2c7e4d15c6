package io.osmhub.tenancy.lease;

import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spreads tenants over the replicas. Each has a member Lease; a tenant belongs to one of the live members by {@link Rendezvous}.
 * Members hear of each other at different moments, so each writes into its Lease which members it acts on, after it has stopped
 * whatever is not its own by that. It begins with what is newly its own only when all of them act on the same members. So no two
 * ever serve one tenant: what somebody may begin with, the other has stopped.
 *
 * <pre>
 *   members changed -> stop what is lost -> say so -> all say the same? -> begin with what is gained
 * </pre>
 */
public final class Shares {
    private static final Logger LOG = LoggerFactory.getLogger(Shares.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final LeaseTerms terms;
    private final KubeApi api;
    private final LeaseKeeper keeper;
    private final ManagementWatch<MemberLease> leases;
    private final Surroundings around;
    private final Runnable changed;

    private final Object lock = new Object();
    private final Map<String, Observed> observed = new HashMap<>();
    /** The members acted on, and those acted on since all last agreed: what was this replica's in all of them goes on. */
    private List<SortedSet<String>> views = List.of();

    private Change lastChange = Change.JOINED;
    private boolean agreed;
    /** Annotations beside those that the Lease always has. */
    private final Map<String, String> said = new HashMap<>();

    private Timers.@Nullable Timer tick;
    private boolean running;

    /** What changed the members last. */
    public enum Change {
        /** A replica came, this one or another. */
        JOINED,
        /** A replica let its Lease go. */
        LEFT,
        /** A replica's Lease ran out. */
        EXPIRED
    }

    /** Clocks are not compared: a member lives as long as its Lease is seen to change. */
    private record Observed(String renewal, long at) {}

    /**
     * A share that is nothing yet.
     *
     * @param terms of this replica's own Lease
     * @param changed what {@link #serves} says may be another; hands over and returns
     */
    public Shares(KubeApi api, LeaseTerms terms, Runnable changed, Surroundings around) {
        this.api = api;
        this.terms = terms;
        this.changed = changed;
        this.around = around;
        this.keeper = new LeaseKeeper(
                api,
                terms,
                new LeaseKeeper.Changes() {
                    @Override
                    public void taken() {
                        look();
                    }

                    @Override
                    public void lost(String cause) {
                        look();
                    }
                },
                around);
        this.leases = new ManagementWatch<>(
                Selection.labelled(Resource.LEASES, terms.namespace(), "osmhub.io/member=true"),
                MemberLease::of,
                (key, before, after, origin) -> around.waiting().execute(this::look),
                QuietListener.INSTANCE,
                around);
    }

    /** Takes the Lease and begins to look at the others. */
    public void start() {
        synchronized (lock) {
            running = true;
        }
        leases.start(api);
        keeper.start();
        ticking();
    }

    /** Lets the Lease go, so that others take over at once. Waits for the answer: for a virtual thread. */
    public void stop() {
        synchronized (lock) {
            running = false;
            views = List.of();
            agreed = false;
            if (tick != null) {
                tick.cancel();
            }
        }
        leases.stop();
        keeper.stop();
    }

    private void ticking() {
        synchronized (lock) {
            if (running) {
                tick = around.timers().after(TICK, () -> around.waiting().execute(() -> {
                    try {
                        look();
                    } finally {
                        ticking();
                    }
                }));
            }
        }
    }

    /** Whether this replica may write at all: its Lease was renewed in time. */
    public boolean mayWrite() {
        return keeper.mayWrite();
    }

    /** Whether the tenant of a namespace is this replica's to serve, at this moment. */
    public boolean serves(String namespace) {
        synchronized (lock) {
            if (views.isEmpty() || !keeper.mayWrite()) {
                return false;
            }
            if (agreed) {
                return isOwn(namespace, views.getLast());
            }
            // The first of them is what all agreed on last; an empty one when they never did.
            return views.stream().allMatch(view -> isOwn(namespace, view));
        }
    }

    /** The replica whose share the tenant of a namespace is, as this one sees it now; empty while none is known. */
    public String servedBy(String namespace) {
        String member = Rendezvous.owner(namespace, members());
        return member.substring(Math.min(LeaseTerms.MEMBER.length(), member.length()));
    }

    private boolean isOwn(String namespace, SortedSet<String> view) {
        return Rendezvous.owner(namespace, view).equals(terms.name());
    }

    /** Members that live, as this replica sees it. */
    public SortedSet<String> members() {
        synchronized (lock) {
            return views.isEmpty() ? new TreeSet<>() : new TreeSet<>(views.getLast());
        }
    }

    /** What changed them last; a share that this replica begins with is one of a replica that came. */
    public Change lastChange() {
        synchronized (lock) {
            return lastChange;
        }
    }

    /** How long ago this replica's own Lease was renewed; since it began to ask while it never held it. */
    public Duration leaseAge() {
        return keeper.sinceRenewal();
    }

    private void look() {
        String announce = null;
        synchronized (lock) {
            if (!running) {
                return;
            }
            SortedSet<String> live = live();
            boolean own = live.contains(terms.name()) && keeper.mayWrite();
            if (!own) {
                if (views.isEmpty()) {
                    return;
                }
                views = List.of();
                agreed = false;
            } else if (views.isEmpty() || !views.getLast().equals(live)) {
                // Nobody agreed on anything with a replica that begins: its first view counts for nothing yet.
                List<SortedSet<String>> next = new ArrayList<>(
                        views.isEmpty() ? List.of(new TreeSet<String>()) : agreed ? List.of(views.getLast()) : views);
                next.add(live);
                lastChange = change(views.isEmpty() ? live : views.getLast(), live);
                views = List.copyOf(next);
                agreed = false;
                announce = text(live);
                LOG.atInfo()
                        .addKeyValue("replica", terms.name())
                        .addKeyValue("members", announce)
                        .log("The replicas are others");
            } else if (!agreed && live.stream().allMatch(member -> says(member, text(live)))) {
                views = List.of(live);
                agreed = true;
            } else {
                return;
            }
        }
        changed.run();
        if (announce != null) {
            keeper.annotate(saying(MemberLease.VIEW, announce));
        }
    }

    private LeaseTerms saying(String annotation, String text) {
        synchronized (lock) {
            said.put(annotation, text);
            Map<String, String> annotations = new HashMap<>(terms.annotations());
            annotations.putAll(said);
            return terms.with(annotations);
        }
    }

    /** Tells the other replicas what is wrong with this one, with the next renewal of its Lease; empty when nothing is. */
    public void say(String problems) {
        keeper.annotateLater(saying(MemberLease.PROBLEMS, problems));
    }

    /**
     * Another replica, as its Lease shows it.
     *
     * @param lease name of its Lease
     * @param podUid empty when it is not known
     * @param problems what it says is wrong with itself; empty when it says nothing
     * @param silent for how long its Lease was not seen to change
     * @param isLive whether it counts as a member; if not, it did not let its Lease go, but did not renew it either
     */
    public record Other(
            String lease, String replica, String podUid, String problems, Duration silent, boolean isLive) {}

    /** The other replicas but for those that ended by themselves, by name. */
    public List<Other> others() {
        List<Other> others = new ArrayList<>();
        synchronized (lock) {
            SortedSet<String> live = live();
            long now = around.timers().nanoTime();
            new TreeMap<>(leases.in(terms.namespace())).forEach((name, lease) -> {
                Observed seen = observed.get(name);
                if (seen != null
                        && !name.equals(terms.name())
                        && !lease.holder().isEmpty()) {
                    others.add(new Other(
                            name,
                            name.substring(Math.min(LeaseTerms.MEMBER.length(), name.length())),
                            lease.podUid(),
                            lease.problems(),
                            Duration.ofNanos(now - seen.at()),
                            live.contains(name)));
                }
            });
        }
        return List.copyOf(others);
    }

    /** How many of these tenants would be served by a replica if it lived; by namespace, which may be of any number. */
    public int shareOf(String lease, Collection<String> namespaces) {
        SortedSet<String> with = members();
        with.add(lease);
        return (int) namespaces.stream()
                .filter(namespace -> Rendezvous.owner(namespace, with).equals(lease))
                .count();
    }

    /** Name of this replica's own Lease. */
    public String lease() {
        return terms.name();
    }

    /** Why this replica's Lease could not be taken or renewed at the last try; empty when it could. */
    public String lastFailure() {
        return keeper.lastFailure();
    }

    private Change change(SortedSet<String> before, SortedSet<String> now) {
        Change change = Change.JOINED;
        for (String member : before) {
            if (!now.contains(member)) {
                MemberLease lease = leases.find(terms.namespace(), member);
                if (lease != null && !lease.holder().isEmpty()) {
                    return Change.EXPIRED;
                }
                change = Change.LEFT;
            }
        }
        return change;
    }

    private boolean says(String member, String view) {
        MemberLease lease = leases.find(terms.namespace(), member);
        return lease != null && lease.view().equals(view);
    }

    private static String text(SortedSet<String> members) {
        return String.join(",", members);
    }

    private SortedSet<String> live() {
        SortedSet<String> live = new TreeSet<>();
        long now = around.timers().nanoTime();
        Map<String, MemberLease> all = leases.in(terms.namespace());
        observed.keySet().retainAll(all.keySet());
        for (MemberLease lease : all.values()) {
            Observed known = observed.get(lease.name());
            if (known == null || !known.renewal().equals(lease.renewal())) {
                known = new Observed(lease.renewal(), now);
                observed.put(lease.name(), known);
            }
            boolean fresh = Duration.ofNanos(now - known.at()).compareTo(lease.duration()) < 0;
            if (fresh && !lease.holder().isEmpty()) {
                live.add(lease.name());
            }
        }
        return live;
    }
}
