package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.node.Relay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Replicas as processes that are killed, suspended, replaced and cut off, with clocks that differ by 30 s. After each test, the
 * audit logs and the Leases show that every write to a tenant's object was by its owner at that moment, and that everything was
 * published. Times are printed, not limited: a loaded machine may take longer.
 */
@Tag(RealClusters.ONE_VERSION)
final class ReplicasE2E {

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(3);

    private static final Duration LIMIT = Duration.ofMinutes(3);
    /** The default: a loaded machine would lose shorter ones. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Five changes per second; later fewer, so that a slow machine is not overloaded by what it waits for. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int CHANGES = 100;
    private static final Duration LATER = Duration.ofSeconds(2);

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /**
     * The first belongs to hub-1, the second to hub-2, or to hub-3 if that is a member. The third is registered by the test that needs
     * it only.
     */
    private static final List<String> NAMESPACES = List.of("cluster-amber", "cluster-birch", "cluster-fern");

    private static String managementKubeconfig;
    private static List<RealTenant> tenants;
    private static int count;

    private final Map<String, InstalledHub> running = new LinkedHashMap<>();
    private final Queue<CreatedMachineDeployment> created = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean loadEnds = new AtomicBoolean();
    private @Nullable Thread load;
    private OwnershipAudit audit;
    private String test;

    @BeforeAll
    static void prepare() throws IOException {
        RealCluster management = CLUSTERS.management();
        managementKubeconfig = Files.readString(RealTenant.prepareManagement(management, CLUSTERS.folder()));
        tenants = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            RealTenant tenant = RealTenant.prepare(namespace, management, CLUSTERS.worker(tenants.size() + 1));
            tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
            tenant.storeProfile(ExampleObjects.profile());
            tenants.add(tenant);
        }
        tenants.getFirst().register();
        tenants.get(1).register();
    }

    @BeforeEach
    void begin(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName();
        audit = OwnershipAudit.begin(tenants);
    }

    @AfterEach
    void stop() {
        loadEnds.set(true);
        running.values().forEach(InstalledHub::close);
    }

    @Test
    void aClusterThatAllDiscoverAtOnceHasOneOwner() {
        RealTenant discovered = tenants.getLast();
        startTogether("hub-1", "hub-2", "hub-3");

        long mark = discovered.management().audit().position();
        discovered.register();

        tenants.forEach(RealTenant::awaitSynced);
        assertThat(discovered
                        .management()
                        .audit()
                        .since(
                                mark,
                                entry -> entry.verb().equals("create")
                                        && entry.resource().equals("workerclusters")
                                        && entry.namespace().equals(discovered.namespace())))
                .hasSize(1);
        verify();
    }

    @Test
    void theTenantsOfAKilledReplicaAreTakenOver() {
        startTogether("hub-1", "hub-2");
        startLoad();
        awaitServed(0, "hub-1");

        remove("hub-1").kill();

        awaitServed(0, "hub-2");
        verify();
    }

    @Test
    void aReplicaThatWasSuspendedDoesNotWriteForOthers() {
        startTogether("hub-1", "hub-2");
        startLoad();
        awaitServed(0, "hub-1");

        InstalledHub suspended = Objects.requireNonNull(running.get("hub-1"));
        suspended.suspend();
        awaitServed(0, "hub-2");
        suspended.resume();

        awaitServed(0, "hub-1");
        verify();
    }

    @Test
    void aReplicaThatIsCutOffFromTheManagementClusterStopsWriting() {
        try (Relay relay = Relay.onLoopback(CLUSTERS.management().port())) {
            running.put("hub-1", start("hub-1", managementPort(relay.port()), HubConfigurationText.FOR_TESTS));
            startTogether("hub-2");
            startLoad();
            awaitServed(0, "hub-1");

            relay.cut();
            awaitServed(0, "hub-2");
            relay.restore();

            awaitServed(0, "hub-1");
            verify();
        }
    }

    @Test
    void noPublishIsLostInARollingUpdateAndTransfersAreShort() {
        startTogether("hub-1", "hub-2");
        startLoad();
        awaitServed(0, "hub-1");
        awaitServed(1, "hub-2");

        for (int replaced = 1; replaced <= 2; replaced++) {
            startTogether("hub-" + (replaced + 2));
            assertThat(remove("hub-" + replaced).terminate()).isZero();
        }
        awaitServed(0, "hub-4");
        awaitServed(1, "hub-3");
        verify();
    }

    @Test
    void aMemberThatNeverReportsDoesNotKeepOthersFromTenants() {
        startTogether("hub-1", "hub-2");
        AtomicBoolean over = new AtomicBoolean();
        Thread silent = Thread.ofVirtual().start(() -> keepLease("hub-3", over));
        startLoad();
        awaitServed(0, "hub-1");

        remove("hub-2").kill();

        awaitServed(1, "hub-1");
        over.set(true);
        join(silent);
        verify();
    }

    @Test
    void everyReplicaGivesTheSameAnswersAlsoWhileOneIsKilled() {
        // All fast: otherwise times differ by the 30 s between their clocks.
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (String replica : List.of("hub-1", "hub-3", "hub-5")) {
            int port = FreePort.find();
            ports.put(replica, port);
            running.put(
                    replica,
                    start(
                            replica,
                            managementKubeconfig,
                            HubConfigurationText.withApi(port),
                            "--set=api.rateLimit.burst=100000",
                            "--set=api.rateLimit.requestsPerMinute=100000"));
        }
        running.values().forEach(InstalledHub::awaitReady);
        for (RealTenant tenant : tenants.subList(0, 2)) {
            MachineDeploymentObjectNames names = new MachineDeploymentObjectNames("kube-system", "workers-" + count++);
            tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
            tenant.worker().admin().create(ManifestObjects.object("""
                    apiVersion: cluster.k8s.io/v1alpha1
                    kind: Machine
                    metadata:
                      namespace: kube-system
                      name: %1$s
                      ownerReferences:
                      - {apiVersion: cluster.k8s.io/v1alpha1, kind: MachineDeployment, name: %1$s, uid: "1"}
                    """.formatted(names.name())));
            created.add(new CreatedMachineDeployment(tenant, names));
        }
        for (CreatedMachineDeployment each : created) {
            Await.until(each + " is published", LIMIT, each::isPublished);
        }
        int remaining = Objects.requireNonNull(ports.get("hub-3"));
        ReplicaAnswers answers = new ReplicaAnswers(CLUSTERS.management(), remaining, created, changedProfile());

        answers.awaitComplete(remaining);
        answers.assertSame(ports.values());
        remove("hub-1").kill();
        ports.remove("hub-1");
        // Its Lease is valid for another 15 s.
        assertThat(InstalledHub.command(CLUSTERS.management(), remaining, "get", "md", "-A")
                        .output())
                .contains("replica hub-1 of the hub did not answer");
        answers.assertSame(ports.values());

        answers.awaitComplete(remaining);
        answers.assertSame(ports.values());
        verify();
    }

    private static ObjectNode changedProfile() {
        ObjectNode profile = ExampleObjects.marked("changed");
        ((ObjectNode) profile.path("metadata"))
                .put("namespace", tenants.getFirst().namespace());
        return profile;
    }

    private void startTogether(String... replicas) {
        for (String replica : replicas) {
            running.put(replica, start(replica, managementKubeconfig, HubConfigurationText.FOR_TESTS));
        }
        running.values().forEach(InstalledHub::awaitReady);
    }

    private InstalledHub remove(String replica) {
        return Objects.requireNonNull(running.remove(replica));
    }

    private static InstalledHub start(String replica, String kubeconfig, String configuration, String... arguments) {
        try {
            Path folder = Files.createDirectories(CLUSTERS.folder().resolve(replica));
            Path file = InstalledHub.write(folder.resolve("kubeconfig"), kubeconfig);
            return InstalledHub.replica(
                    replica, Distribution.program(), folder, file, configuration, clock(replica), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of every two replicas that follow each other, one is 15 s fast and the other 15 s slow. */
    private static Map<String, String> clock(String replica) {
        return Map.of(
                "LD_PRELOAD",
                "/usr/$LIB/faketime/libfaketime.so.1",
                "FAKETIME",
                isFast(replica) ? "+15s" : "-15s",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Otherwise timed waits of the JVM return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    private static boolean isFast(String replica) {
        return replica.charAt(replica.length() - 1) % 2 == 1;
    }

    private static String managementPort(int port) {
        String url = CLUSTERS.management().url();
        return managementKubeconfig.replace(url, url.replaceAll(":[0-9]+$", ":" + port));
    }

    private void startLoad() {
        load = Thread.ofVirtual().start(() -> {
            while (!loadEnds.get()) {
                RealTenant tenant = tenants.get(count % 2);
                MachineDeploymentObjectNames names =
                        new MachineDeploymentObjectNames("kube-system", "workers-" + count++);
                tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
                created.add(new CreatedMachineDeployment(tenant, names));
                sleep(created.size() < CHANGES ? PAUSE : LATER);
            }
        });
    }

    private void awaitServed(int tenant, String replica) {
        Await.until(tenants.get(tenant).namespace() + " is served by " + replica, LIMIT, () -> {
            // Reads all logs again.
            sleep(PAUSE);
            return audit.isServedBy(tenants.get(tenant), replica);
        });
    }

    /** A replica that renews its Lease but never reports which members it acts on. */
    private static void keepLease(String replica, AtomicBoolean over) {
        ObjectNode lease = ManifestObjects.object("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata:
                  namespace: osm-hub
                  name: osm-hub-member-%s
                  labels: {osmhub.io/member: "true"}
                spec: {holderIdentity: silent, leaseDurationSeconds: %d}
                """.formatted(replica, LEASE.toSeconds()));
        CLUSTERS.management().admin().delete(lease);
        while (!over.get()) {
            ((ObjectNode) lease.path("spec")).put("renewTime", MICROS.format(Instant.now()));
            CLUSTERS.management().admin().apply(lease);
            sleep(LEASE.dividedBy(3));
        }
        CLUSTERS.management().admin().delete(lease);
    }

    private void verify() {
        loadEnds.set(true);
        if (load != null) {
            join(load);
        }
        for (CreatedMachineDeployment each : created) {
            Await.until(each + " is published", LIMIT, each::isPublished);
        }
        for (CreatedMachineDeployment each : created) {
            assertThat(each.tenant().bootstrapTokens(each.names()))
                    .as("bootstrap tokens of " + each)
                    .hasSize(1);
        }
        OwnershipAudit.Writes writes = audit.writes();
        report(writes);
        assertThat(writes.byOthers()).isEmpty();
        audit.clockErrors().forEach((replica, error) -> assertThat(error.isPositive())
                .as("clock of %s is wrong by %s", replica, error)
                .isEqualTo(isFast(replica)));
        assertThat(writes.byReplica()).isNotEmpty();
    }

    private void report(OwnershipAudit.Writes writes) {
        List<Duration> times = tenants.stream()
                .flatMap(tenant -> audit
                        .publishTimes(
                                tenant,
                                created.stream()
                                        .filter(each -> each.tenant().equals(tenant))
                                        .map(CreatedMachineDeployment::names)
                                        .toList())
                        .stream())
                .sorted()
                .toList();
        System.out.printf(
                Locale.ROOT,
                "replicas: %s: writes %s, by others than the owner %d; %d MachineDeployments, 0 publishes lost%s%n",
                test,
                writes.byReplica(),
                writes.byOthers().size(),
                times.size(),
                times.isEmpty()
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", published after %.2f s (median), %.2f s (longest)",
                                times.get(times.size() / 2).toMillis() / 1e3,
                                Collections.max(times).toMillis() / 1e3));
        audit.transfers().forEach(transfer -> System.out.println("replicas:   " + transfer));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
