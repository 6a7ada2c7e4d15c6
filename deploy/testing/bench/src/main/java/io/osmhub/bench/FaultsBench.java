package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.bench.BenchHubProcess.DistributionLayout;
import io.osmhub.bench.FaultScenario.FaultEnvironment;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long healthy tenants wait for their secrets while others are faulty: before and during each fault, and until the
 * affected tenants are served again.
 */
final class FaultsBench extends HubBench<FaultsResult> {
    private static final int MACHINE_DEPLOYMENTS = 3;
    private static final Duration BETWEEN_CREATIONS = Duration.ofMillis(250);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    /** Longer than the 5 min between two attempts to connect to a server that failed often. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(6);

    private static final Duration HEAP_SETTLES = Duration.ofMinutes(1);
    /** The memory limit of the shipped manifests. */
    private static final String CONTAINER_LIMIT = "-XX:MaxRAM=768m";

    private static final Pattern ENCODED_FILE = Pattern.compile("[A-Za-z0-9+/]{64,}=*");

    private static final String MACHINE_API = "cluster.k8s.io/v1alpha1";
    private static final String MACHINE_DEPLOYMENT = "MachineDeployment";

    /** docs/performance.md, "Faults". */
    private static final double LARGEST_RATIO = 1.5;

    private int created;

    FaultsBench(FleetBench options) {
        super("faults", options);
    }

    @Override
    FaultsResult run() throws IOException, InterruptedException {
        addTenants(fleet, options.clusters(), MACHINE_DEPLOYMENTS);
        Path program = DistributionLayout.copyTo(home(), checkout);
        progress.begin("first start");
        start(setup.command(program), CONTAINER_LIMIT, setup.log("hub.log")).awaitReady(setup.healthPort());
        require("every tenant is served", () -> allReady(fleet.tenants()) && fleet.pending() == 0);
        progress.end("");
        List<FaultsResult.Row> rows = new ArrayList<>();
        for (FaultScenario scenario : options.faults()) {
            rows.add(measure(scenario));
        }
        return new FaultsResult(now(), machine, options.clusters(), healthy().size(), rows);
    }

    /** Tenants unaffected by all faults, so that the rows are comparable. */
    private List<SimulatedTenant> healthy() {
        int affected = FaultScenario.ALL.stream()
                .mapToInt(scenario -> scenario.affectedOf(fleet.tenants()).size())
                .max()
                .orElse(0);
        return fleet.tenants().subList(0, options.clusters() - affected);
    }

    private FaultsResult.Row measure(FaultScenario scenario) throws IOException, InterruptedException {
        List<SimulatedTenant> affected = scenario.affectedOf(fleet.tenants());
        FaultEnvironment site = new FaultEnvironment(fleet, affected, checkout.resolve("deploy/testing/bench/cases"));
        Long heapBefore = scenario.measuresHeap() ? liveHeap() : null;
        Percentiles without = load("without " + scenario.name(), 1, null);
        scenario.begin().accept(site);
        long began = System.nanoTime();
        for (SimulatedTenant tenant : affected) {
            // Requested during the fault, expected after it.
            fleet.create(fleet.tenants().indexOf(tenant), "during-" + scenario.name());
        }
        Detection detection = new Detection(began, () -> affected.stream()
                .allMatch(tenant -> scenario.isDetected().test(fleet, tenant)));
        Percentiles with = load("with " + scenario.name(), scenario.phases(), detection);
        if (!affected.isEmpty()) {
            until(detection::observe);
        }
        scenario.end().accept(site);
        long ended = System.nanoTime();
        Double recovered =
                secondsUntil("recovered", ended, () -> allReady(fleet.tenants()) && count(SecretState.MISSING) == 0);
        long missing = count(SecretState.MISSING);
        long wrong = count(SecretState.WRONG);
        removeLoad();
        return new FaultsResult.Row(
                scenario.name(),
                affected.size(),
                without,
                with,
                affected.isEmpty() ? null : detection.seconds,
                scenario.detectionRequired(),
                recovered,
                missing,
                wrong,
                heapBefore,
                heapBefore == null ? null : heapWithout(affected));
    }

    private long liveHeap() throws IOException, InterruptedException {
        return LiveHeap.of(hub().pid()).bytes();
    }

    /** The live heap a minute after tenants were removed, which are registered again then. */
    private long heapWithout(List<SimulatedTenant> removed) throws IOException, InterruptedException {
        removed.forEach(fleet.stage()::unregister);
        require("the tenants are removed", () -> removed.stream()
                .noneMatch(tenant -> FaultScenario.isRegistered(fleet, tenant)));
        progress.begin("heap settles");
        for (long second = 1; second <= HEAP_SETTLES.toSeconds(); second++) {
            hub().requireAlive();
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(second, HEAP_SETTLES.toSeconds());
        }
        progress.end("");
        long heap = liveHeap();
        removed.forEach(fleet.stage()::register);
        require("the tenants are served again", () -> allReady(fleet.tenants()) && count(SecretState.MISSING) == 0);
        return heap;
    }

    /** Creates MachineDeployments in the healthy tenants one at a time, and returns their latencies. */
    private Percentiles load(String step, int phases, @Nullable Detection detection)
            throws IOException, InterruptedException {
        List<SimulatedTenant> healthy = healthy();
        healthy.forEach(tenant -> tenant.cluster().publishTimes().reset());
        progress.begin(step);
        long count = Duration.ofSeconds(options.seconds()).multipliedBy(phases).dividedBy(BETWEEN_CREATIONS);
        for (int i = 0; i < count; i++) {
            hub().requireAlive();
            fleet.create(i % healthy.size(), "load-" + created++);
            Thread.sleep(BETWEEN_CREATIONS);
            if (detection != null) {
                detection.observe();
            }
            progress.update(i + 1L, count);
        }
        boolean all = until(() -> healthy.stream()
                .allMatch(tenant -> tenant.cluster().publishTimes().pending() == 0));
        List<Duration> latencies = new ArrayList<>(healthy.stream()
                .flatMap(tenant -> tenant.cluster().publishTimes().millis().stream())
                .map(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toList());
        while (!all && latencies.size() < count) {
            latencies.add(LONGEST_WAIT); // not published at all
        }
        Percentiles percentiles = Percentiles.of(latencies);
        progress.end(percentiles.toString());
        return percentiles;
    }

    private void removeLoad() throws IOException, InterruptedException {
        for (SimulatedTenant tenant : fleet.tenants()) {
            machineDeployments(tenant).stream()
                    .filter(name -> !name.startsWith("workers-"))
                    .forEach(name ->
                            tenant.objects().delete(MACHINE_API, MACHINE_DEPLOYMENT, BenchFleet.NAMESPACE, name));
        }
        require("the load is removed", () -> fleet.tenants().stream()
                .allMatch(tenant -> machineDeployments(tenant).size() == MACHINE_DEPLOYMENTS));
    }

    /** Records when a condition was first met. */
    private static final class Detection {
        private final long began;
        private final BooleanSupplier condition;
        private @Nullable Double seconds;

        Detection(long began, BooleanSupplier condition) {
            this.began = began;
            this.condition = condition;
        }

        boolean observe() {
            if (seconds == null && condition.getAsBoolean()) {
                seconds = (System.nanoTime() - began) / 1e9;
            }
            return seconds != null;
        }
    }

    private enum SecretState {
        RIGHT,
        MISSING,
        WRONG
    }

    private long count(SecretState state) {
        return fleet.tenants().stream()
                .mapToLong(tenant -> machineDeployments(tenant).stream()
                        .filter(name -> stateOf(tenant, name) == state)
                        .count())
                .sum();
    }

    private SecretState stateOf(SimulatedTenant tenant, String machineDeployment) {
        MachineDeploymentName name = new MachineDeploymentName(BenchFleet.NAMESPACE, machineDeployment);
        String bootstrap = content(tenant, name.bootstrapSecret());
        String provisioning = content(tenant, name.provisioningSecret());
        if (bootstrap.isEmpty() || provisioning.isEmpty()) {
            return SecretState.MISSING;
        }
        boolean own = bootstrap.contains(name.provisioningSecret())
                && bootstrap.contains(tenant.cluster().url());
        boolean foreign = fleet.tenants().stream()
                .filter(other -> other != tenant)
                .map(other -> other.cluster().url())
                .anyMatch(url -> bootstrap.contains(url + "/") || provisioning.contains(url + "/"));
        return own && !foreign ? SecretState.RIGHT : SecretState.WRONG;
    }

    private static String content(SimulatedTenant tenant, String secret) {
        StringBuilder content = new StringBuilder();
        tenant.objects()
                .get("v1", "Secret", MachineDeploymentName.SECRETS_NAMESPACE, secret)
                .ifPresent(found -> {
                    for (JsonNode value : found.path("data")) {
                        content.append(new String(Base64.getDecoder().decode(value.asText()), StandardCharsets.UTF_8));
                    }
                });
        // Files of the profile are encoded again within the user-data.
        ENCODED_FILE
                .matcher(content.toString())
                .results()
                .forEach(file -> content.append(
                        new String(Base64.getMimeDecoder().decode(file.group()), StandardCharsets.UTF_8)));
        return content.toString();
    }

    private static Collection<String> machineDeployments(SimulatedTenant tenant) {
        return tenant.objects().list(MACHINE_API, MACHINE_DEPLOYMENT, BenchFleet.NAMESPACE).stream()
                .map(FaultsBench::nameOf)
                .filter(name -> !name.startsWith("looping-"))
                .toList();
    }

    private static String nameOf(ObjectNode object) {
        return object.path("metadata").path("name").asText();
    }

    private boolean allReady(List<SimulatedTenant> tenants) {
        return tenants.stream().allMatch(tenant -> FaultScenario.isReady(fleet, tenant));
    }

    private @Nullable Double secondsUntil(String step, long since, BooleanSupplier condition)
            throws IOException, InterruptedException {
        progress.begin(step);
        boolean met = until(condition);
        Double seconds = met ? (System.nanoTime() - since) / 1e9 : null;
        progress.end(met ? String.format(Locale.ROOT, "after %.1f s", seconds) : "not within the limit");
        return seconds;
    }

    private void require(String what, BooleanSupplier condition) throws IOException, InterruptedException {
        if (!until(condition)) {
            throw new IOException(
                    "not within " + LONGEST_WAIT.toSeconds() + " s: " + what + "; the hub's log is in " + folder);
        }
    }

    private boolean until(BooleanSupplier condition) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            hub().requireAlive();
            if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
                return false;
            }
            Thread.sleep(BETWEEN_LOOKS);
        }
        return true;
    }

    @Override
    void print(FaultsResult result) {
        System.out.println(result.machine());
        System.out.println();
        result.table().forEach(System.out::println);
    }

    @Override
    boolean isMissed(FaultsResult result) {
        return options.check && !result.rows().stream().allMatch(row -> row.isKept(LARGEST_RATIO));
    }
}
