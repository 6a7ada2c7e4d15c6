package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.demo.stage.PackedManifests;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A fault that affects some tenants while the others are measured.
 *
 * @param name on the command line
 * @param affected affected share of tenants, from the end of the list; at least one tenant; 0 for the management cluster
 * @param phases duration in phases
 * @param isDetected whether the hub reports it for an affected tenant
 * @param detectionRequired whether the hub must report it for each affected tenant; some attacks do not affect a tenant's results
 */
record FaultScenario(
        String name,
        double affected,
        int phases,
        Consumer<FaultEnvironment> begin,
        Consumer<FaultEnvironment> end,
        BiPredicate<BenchFleet, SimulatedTenant> isDetected,
        boolean detectionRequired) {
    private static final String HOSTILE_SERVERS = "hostile-servers";

    /** The target of a fault. */
    record FaultEnvironment(BenchFleet fleet, List<SimulatedTenant> affected, Path cases) {
        void eachFault(Consumer<ClusterFaults> change) {
            affected.forEach(tenant -> change.accept(tenant.cluster().faults()));
        }
    }

    static final double THIRTY_PERCENT = 0.3;
    private static final double THREE_QUARTERS = 0.75;
    private static final double ONE_TENANT = 0.001;
    private static final double TWO_OF_33 = 0.06;
    private static final int MANAGEMENT_PHASES = 4;
    private static final int LOOPING_MACHINE_DEPLOYMENTS = 60;
    private static final int UNREADABLE_VALUES = 110_000;
    private static final String WORKER_CLUSTER_API = "osmhub.io/v1alpha1";

    /** All faults in order of measurement; the management cluster's is last because it takes longest. */
    static final List<FaultScenario> ALL = List.of(
            ofClusters("black-holes", THIRTY_PERCENT, faults -> faults.blackHole(true)),
            ofClusters("slow-drips", THIRTY_PERCENT, faults -> faults.slowDrip(1, Duration.ofMillis(100))),
            ofClusters("throttling", THIRTY_PERCENT, faults -> faults.throttle(0.9, Duration.ofSeconds(1))),
            ofProfile("looping-profiles", "hashes", LOOPING_MACHINE_DEPLOYMENTS),
            new FaultScenario(
                    "hostile-content",
                    TWO_OF_33,
                    1,
                    site -> loop(site, "hostilecontent", LOOPING_MACHINE_DEPLOYMENTS / 2),
                    site -> stopLooping(site, "hostilecontent"),
                    FaultScenario::hasFindings,
                    true),
            new FaultScenario(
                    "unreadable-object",
                    ONE_TENANT,
                    1,
                    FaultScenario::addUnreadable,
                    FaultScenario::removeUnreadable,
                    (fleet, tenant) -> hasCondition(
                            fleet,
                            tenant,
                            condition -> condition.path("reason").asText().equals(Reason.ObjectUnreadable.wireName())),
                    true),
            new FaultScenario(
                    HOSTILE_SERVERS,
                    THREE_QUARTERS,
                    1,
                    FaultScenario::attack,
                    site -> site.eachFault(ClusterFaults::clear),
                    FaultScenario::isReported,
                    false),
            ofClusters("worker-restart", ONE_TENANT, faults -> faults.refuseConnections(true)),
            new FaultScenario(
                    "management-outage",
                    0,
                    MANAGEMENT_PHASES,
                    site -> site.fleet().management().faults().refuseConnections(true),
                    site -> site.fleet().management().faults().clear(),
                    (_, _) -> true,
                    false));

    private static FaultScenario ofClusters(String name, double affected, Consumer<ClusterFaults> change) {
        return new FaultScenario(
                name,
                affected,
                1,
                site -> site.eachFault(change),
                site -> site.eachFault(ClusterFaults::clear),
                FaultScenario::isReported,
                true);
    }

    private static FaultScenario ofProfile(String name, String profile, int machineDeployments) {
        return new FaultScenario(
                name,
                ONE_TENANT,
                1,
                site -> loop(site, profile, machineDeployments),
                site -> stopLooping(site, profile),
                (_, tenant) -> hasWarning(tenant),
                true);
    }

    /** The affected tenants: the last ones. */
    List<SimulatedTenant> affectedOf(List<SimulatedTenant> tenants) {
        if (affected == 0) {
            return List.of();
        }
        int count = Math.max(1, (int) Math.round(tenants.size() * affected));
        return tenants.subList(tenants.size() - count, tenants.size());
    }

    /** Whether it attacks the hub's memory, which is measured before and after. */
    boolean measuresHeap() {
        return name.equals(HOSTILE_SERVERS);
    }

    /** Whether the tenant's WorkerCluster is ready. */
    static boolean isReady(BenchFleet fleet, SimulatedTenant tenant) {
        return hasCondition(
                fleet, tenant, condition -> condition.path("type").asText().equals("Ready") && isTrue(condition));
    }

    /** Whether the tenant's WorkerCluster reports a fault; a throttled one can still be served. */
    private static boolean isReported(BenchFleet fleet, SimulatedTenant tenant) {
        return !isReady(fleet, tenant) || hasCondition(fleet, tenant, FaultScenario::isFault);
    }

    static boolean isFault(JsonNode condition) {
        return !isTrue(condition) || condition.path("reason").asText().equals(Reason.WorkerClusterThrottled.wireName());
    }

    private static boolean isTrue(JsonNode condition) {
        return condition.path("status").asText().equals("True");
    }

    static boolean isRegistered(BenchFleet fleet, SimulatedTenant tenant) {
        return workerCluster(fleet, tenant).isPresent();
    }

    private static boolean hasCondition(BenchFleet fleet, SimulatedTenant tenant, Predicate<JsonNode> predicate) {
        return workerCluster(fleet, tenant).stream()
                .flatMap(found -> found.path("status").path("conditions").valueStream())
                .anyMatch(predicate);
    }

    private static Optional<ObjectNode> workerCluster(BenchFleet fleet, SimulatedTenant tenant) {
        return fleet.management()
                .objects()
                .get(WORKER_CLUSTER_API, "WorkerCluster", tenant.namespace(), tenant.workerCluster());
    }

    private static boolean hasWarning(SimulatedTenant tenant) {
        return tenant.objects().list("v1", "Event", BenchFleet.NAMESPACE).stream()
                .anyMatch(event -> event.path("type").asText().equals("Warning")
                        && event.path("involvedObject").path("name").asText().startsWith("looping-"));
    }

    /** Whether the status of the hostile profile names its files. */
    private static boolean hasFindings(BenchFleet fleet, SimulatedTenant tenant) {
        return fleet
                .management()
                .objects()
                .get(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        tenant.namespace(),
                        "hostile-content")
                .stream()
                .anyMatch(found -> !found.path("status").path("findings").isEmpty());
    }

    /** Every kind of attack; every list is requested again. */
    private static void attack(FaultEnvironment site) {
        List<MemoryAttack> attacks = Arrays.stream(MemoryAttack.values())
                .filter(attack -> attack != MemoryAttack.NONE)
                .toList();
        for (int i = 0; i < site.affected().size(); i++) {
            ClusterFaults faults = site.affected().get(i).cluster().faults();
            faults.attack(attacks.get(i % attacks.size()));
            faults.watchesAreGone(true);
            faults.closeConnections();
        }
    }

    private static void loop(FaultEnvironment site, String profile, int count) {
        for (SimulatedTenant tenant : site.affected()) {
            ObjectNode osp = read(site.cases().resolve("faults/" + profile + ".yaml"));
            osp.withObject("/metadata").put("namespace", tenant.namespace());
            site.fleet().management().objects().create(osp);
            int index = site.fleet().tenants().indexOf(tenant);
            for (int i = 0; i < count; i++) {
                site.fleet()
                        .create(
                                index,
                                name(profile, i),
                                osp.path("metadata").path("name").asText());
            }
        }
    }

    private static void stopLooping(FaultEnvironment site, String profile) {
        for (SimulatedTenant tenant : site.affected()) {
            tenant.objects().list("cluster.k8s.io/v1alpha1", "MachineDeployment", BenchFleet.NAMESPACE).stream()
                    .map(each -> each.path("metadata").path("name").asText())
                    .filter(each -> each.startsWith("looping-"))
                    .forEach(each -> tenant.objects()
                            .delete("cluster.k8s.io/v1alpha1", "MachineDeployment", BenchFleet.NAMESPACE, each));
            ObjectNode osp = read(site.cases().resolve("faults/" + profile + ".yaml"));
            site.fleet()
                    .management()
                    .objects()
                    .delete(
                            osp.path("apiVersion").asText(),
                            osp.path("kind").asText(),
                            tenant.namespace(),
                            osp.path("metadata").path("name").asText());
        }
    }

    /** A profile with more values than the hub reads. */
    private static void addUnreadable(FaultEnvironment site) {
        for (SimulatedTenant tenant : site.affected()) {
            ObjectNode osp = unreadable(site, tenant);
            ArrayNode values = osp.withArray("/spec/supportedCloudProviders")
                    .addObject()
                    .put("name", "aws")
                    .putObject("spec")
                    .putArray("x");
            for (int i = 0; i < UNREADABLE_VALUES; i++) {
                values.add(1);
            }
            site.fleet().management().objects().create(osp);
        }
    }

    private static void removeUnreadable(FaultEnvironment site) {
        for (SimulatedTenant tenant : site.affected()) {
            ObjectNode osp = unreadable(site, tenant);
            site.fleet()
                    .management()
                    .objects()
                    .delete(
                            osp.path("apiVersion").asText(),
                            osp.path("kind").asText(),
                            tenant.namespace(),
                            osp.path("metadata").path("name").asText());
        }
    }

    private static ObjectNode unreadable(FaultEnvironment site, SimulatedTenant tenant) {
        ObjectNode osp = read(site.cases().resolve("faults/hashes.yaml"));
        osp.withObject("/metadata").put("namespace", tenant.namespace()).put("name", "osp-unreadable");
        return osp;
    }

    private static String name(String profile, int number) {
        return String.format(Locale.ROOT, "looping-%s-%d", profile, number);
    }

    private static ObjectNode read(Path file) {
        try {
            return PackedManifests.read(Files.readString(file)).getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
