package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.AuditLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Who owned a tenant when, and who wrote its objects, as the API servers logged it. The owner of a tenant is the replica whose
 * Lease has not ended and whose published view has claimed the tenant for the longest time.
 */
final class OwnershipAudit {
    private static final String MEMBER = "osm-hub-member-";
    private static final String AGENT = "osm-hub/";

    private final List<RealTenant> tenants;
    private final Map<RealTenant, Long> marks = new HashMap<>();
    private final long managementMark;

    /** @param replica of the Lease */
    private record LeaseWrite(
            Instant at, String replica, String holder, Set<String> members, Instant renewed, Duration duration) {
        boolean claims(String namespace) {
            return !holder.isEmpty() && owner(namespace, members).equals(MEMBER + replica);
        }

        Instant end() {
            return at.plus(duration);
        }
    }

    /**
     * One replica's ownership of one tenant.
     *
     * @param since its claim
     * @param until when it gave up the claim, released its Lease, or its Lease expired; {@link Instant#MAX} if it did not
     */
    private record Claim(String replica, Instant since, Instant until, boolean expired) {
        boolean covers(Instant at) {
            return !at.isBefore(since) && !at.isAfter(until);
        }
    }

    /**
     * A tenant that went from one replica to another.
     *
     * @param after from the end of the previous ownership until the next owner watched MachineDeployments
     */
    record Transfer(String tenant, String from, String to, boolean expired, Duration after) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s %s -> %s %.2f s after %s",
                    tenant,
                    from,
                    to,
                    after.toMillis() / 1e3,
                    expired ? "the Lease expired" : "the old owner let go");
        }
    }

    /** Writes of all replicas: their number, and those by a replica that was not the owner. */
    record Writes(SortedMap<String, Integer> byReplica, List<String> byOthers) {}

    private OwnershipAudit(List<RealTenant> tenants) {
        this.tenants = tenants;
        this.managementMark = tenants.getFirst().management().audit().position();
        tenants.forEach(tenant -> marks.put(tenant, tenant.worker().audit().position()));
    }

    /** From now on; no replica runs. */
    static OwnershipAudit begin(List<RealTenant> tenants) {
        return new OwnershipAudit(tenants);
    }

    /** Every write to an object in the worker cluster or the namespace of a tenant. */
    Writes writes() {
        SortedMap<String, Integer> count = new TreeMap<>();
        List<String> byOthers = new ArrayList<>();
        for (RealTenant tenant : tenants) {
            List<Claim> claims = claims(tenant.namespace());
            Stream.concat(entries(tenant).stream(), managementEntries().stream().filter(entry -> entry.namespace()
                            .equals(tenant.namespace())))
                    .filter(AuditLog.Entry::writes)
                    .forEach(entry -> {
                        String replica = replica(entry);
                        count.merge(replica, 1, Integer::sum);
                        String owner = owner(claims, entry.at());
                        if (!owner.equals(replica)) {
                            byOthers.add(entry.at() + " " + tenant.namespace() + " owned by " + owner + ", written by "
                                    + replica + ": " + entry);
                        }
                    });
        }
        return new Writes(count, byOthers);
    }

    /** All transfers between replicas, in the order of time for each tenant. */
    List<Transfer> transfers() {
        List<Transfer> transfers = new ArrayList<>();
        for (RealTenant tenant : tenants) {
            List<Claim> claims = claims(tenant.namespace());
            String previous = "";
            for (AuditLog.Entry entry : entries(tenant)) {
                String replica = replica(entry);
                if (!entry.verb().equals("watch")
                        || !entry.resource().equals("machinedeployments")
                        || replica.equals(previous)) {
                    continue;
                }
                String from = previous;
                claims.stream()
                        .filter(claim ->
                                claim.replica().equals(from) && !claim.until().isAfter(entry.at()))
                        .max(Comparator.comparing(Claim::since))
                        .ifPresent(claim -> transfers.add(new Transfer(
                                tenant.namespace(),
                                from,
                                replica,
                                claim.expired(),
                                Duration.between(claim.until(), entry.at()))));
                previous = replica;
            }
        }
        return transfers;
    }

    /** How much the clock of each replica differs from those of the API servers, at the latest renewal of its Lease. */
    Map<String, Duration> clockErrors() {
        Map<String, Duration> errors = new HashMap<>();
        leaseWrites().forEach(write -> errors.put(write.replica(), Duration.between(write.at(), write.renewed())));
        return errors;
    }

    /** The replica that owns a tenant now; empty if none. */
    String owner(RealTenant tenant) {
        return owner(claims(tenant.namespace()), Instant.now());
    }

    /** Whether a replica watches the worker cluster of a tenant as its owner. */
    boolean isServedBy(RealTenant tenant, String replica) {
        return owner(tenant).equals(replica)
                && entries(tenant).stream()
                        .filter(entry ->
                                entry.verb().equals("watch") && entry.resource().equals("machinedeployments"))
                        .reduce((earlier, later) -> later)
                        .map(entry -> replica(entry).equals(replica))
                        .orElse(false);
    }

    /** Time from the creation of each of these MachineDeployments by the test to that of its bootstrap Secret. */
    List<Duration> publishTimes(RealTenant tenant, Collection<MachineDeploymentObjectNames> created) {
        Map<String, Instant> begun = new HashMap<>();
        Map<String, Instant> published = new HashMap<>();
        for (AuditLog.Entry entry : tenant.worker().audit().since(mark(tenant), AuditLog.Entry::writes)) {
            if (entry.verb().equals("create") && entry.code() < 300) {
                (entry.resource().equals("machinedeployments") ? begun : published)
                        .putIfAbsent(entry.name(), entry.at());
            }
        }
        return created.stream()
                .map(names -> Duration.between(
                        Objects.requireNonNull(begun.get(names.name())),
                        Objects.requireNonNull(published.get(names.bootstrap()))))
                .toList();
    }

    private List<Claim> claims(String namespace) {
        Map<String, LeaseWrite> latest = new HashMap<>();
        Map<String, Instant> since = new HashMap<>();
        List<Claim> claims = new ArrayList<>();
        for (LeaseWrite write : leaseWrites()) {
            LeaseWrite before = latest.put(write.replica(), write);
            Instant begun = since.get(write.replica());
            if (begun != null && before != null) {
                boolean expired = write.at().isAfter(before.end());
                if (expired || !write.claims(namespace) || !write.holder().equals(before.holder())) {
                    claims.add(new Claim(write.replica(), begun, expired ? before.end() : write.at(), expired));
                    since.remove(write.replica());
                }
            }
            if (write.claims(namespace)) {
                since.putIfAbsent(write.replica(), write.at());
            }
        }
        Instant now = Instant.now();
        since.forEach((replica, begun) -> {
            Instant end = Objects.requireNonNull(latest.get(replica)).end();
            claims.add(new Claim(replica, begun, end.isBefore(now) ? end : Instant.MAX, true));
        });
        return claims;
    }

    private static String owner(List<Claim> claims, Instant at) {
        return claims.stream()
                .filter(claim -> claim.covers(at))
                .min(Comparator.comparing(Claim::since))
                .map(Claim::replica)
                .orElse("");
    }

    private List<LeaseWrite> leaseWrites() {
        return managementEntries().stream()
                .filter(entry -> entry.resource().equals("leases")
                        && entry.name().startsWith(MEMBER)
                        && entry.sent().isObject()
                        && entry.code() / 100 == 2)
                .map(entry -> {
                    JsonNode spec = entry.sent().path("spec");
                    String view = entry.sent()
                            .path("metadata")
                            .path("annotations")
                            .path("osmhub.io/member-view")
                            .asText();
                    return new LeaseWrite(
                            entry.at(),
                            entry.name().substring(MEMBER.length()),
                            spec.path("holderIdentity").asText(),
                            new HashSet<>(List.of(view.split(","))),
                            Instant.parse(spec.path("renewTime").asText()),
                            Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()));
                })
                .sorted(Comparator.comparing(LeaseWrite::at))
                .toList();
    }

    private List<AuditLog.Entry> managementEntries() {
        return tenants.getFirst().management().audit().since(managementMark, entry -> entry.agent()
                .startsWith(AGENT));
    }

    private List<AuditLog.Entry> entries(RealTenant tenant) {
        return tenant.worker().audit().since(mark(tenant), entry -> entry.agent()
                .startsWith(AGENT));
    }

    private long mark(RealTenant tenant) {
        return Objects.requireNonNull(marks.get(tenant));
    }

    private static String replica(AuditLog.Entry entry) {
        return entry.agent().substring(AGENT.length());
    }

    /** The owner by rendezvous hashing, computed independently of the hub. */
    private static String owner(String namespace, Collection<String> members) {
        return members.stream()
                .filter(member -> !member.isEmpty())
                .max((one, other) -> Long.compareUnsigned(weight(one, namespace), weight(other, namespace)))
                .orElse("");
    }

    private static long weight(String member, String namespace) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : (member + "\n" + namespace).getBytes(UTF_8)) {
            hash = (hash ^ Byte.toUnsignedInt(each)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}
