package io.osmhub.bench;

import io.osmhub.bench.BenchHubProcess.HubSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Measures a hub with simulated clusters, then with as many kube-apiservers. */
final class RealBench extends HubBench<RealBench.RealResult> {
    RealBench(FleetBench options) {
        super("real", options);
    }

    /**
     * Results of one run. The fields are the keys of the JSON file.
     *
     * @param rejectedRequests by the kube-apiservers during {@code real}, with the API server's own limits
     */
    record RealResult(FleetResult simulated, FleetResult real, long rejectedRequests, LimitedBurst limited) {}

    /**
     * A burst in one tenant while its kube-apiserver accepts few requests of the hub at once.
     *
     * @param seats how many
     * @param rejectedRequests how many were answered with 429
     * @param unlimited the same burst immediately before, with the API server's own limits
     */
    record LimitedBurst(int seats, long rejectedRequests, FleetResult.Burst burst, FleetResult.Burst unlimited) {
        boolean isMet() {
            return burst.allSeconds() <= PerformanceTarget.BURST_SECONDS;
        }

        String formatLine() {
            return String.format(
                    Locale.ROOT,
                    "burst in one tenant with %d seats: %s, all after %.2f s, at most %.0f s: %s; %,d requests rejected with 429;"
                            + " immediately before, without this limit: all after %.2f s",
                    seats,
                    burst.latency(),
                    burst.allSeconds(),
                    PerformanceTarget.BURST_SECONDS,
                    isMet() ? "met" : "MISSED",
                    rejectedRequests,
                    unlimited.allSeconds());
        }
    }

    @Override
    RealResult run() throws IOException, InterruptedException {
        Path program = programWithCache();
        addTenants(fleet, options.clusters(), options.machineDeployments());
        FleetResult simulated = new FleetMeasurement(this, fleet, setup, program).run();
        hub().stop();
        Path files = Files.createDirectory(folder.resolve("real"));
        try (RealFleet real = RealFleet.start(checkout, files.resolve("clusters"), options.clusters())) {
            addTenants(real, options.clusters(), options.machineDeployments());
            FleetMeasurement measurement = new FleetMeasurement(this, real, HubSetup.of(real, files), program);
            FleetResult measured = measurement.run();
            // Also warms up the restarted hub.
            FleetResult.Burst unlimited = measurement.burst("burst again", options.burst(), _ -> 0);
            long rejectedBefore = real.rejectedRequests();
            int seats = real.leaveFewSeats();
            FleetResult.Burst burst = measurement.burst("burst with few seats", options.burst(), _ -> 0);
            long rejected = real.rejectedRequests() - rejectedBefore;
            hub().stop();
            return new RealResult(
                    simulated, measured, rejectedBefore, new LimitedBurst(seats, rejected, burst, unlimited));
        }
    }

    @Override
    boolean isMissed(RealResult result) {
        return options.check
                && !(PerformanceTarget.areMet(result.real()) && result.limited().isMet());
    }

    @Override
    void print(RealResult result) {
        System.out.println(result.real().machine());
        System.out.println();
        System.out.println(String.format(Locale.ROOT, "%-38s %10s %10s", "", "simulated", "real"));
        for (PerformanceTarget target : PerformanceTarget.targetsFor(result.real())) {
            System.out.println(target.formatLine(result.simulated(), result.real()));
        }
        System.out.println();
        System.out.println(result.limited().formatLine());
        System.out.println("requests rejected with 429 without that limit: " + result.rejectedRequests());
        System.out.println("\nwith simulated clusters");
        SimulatedBench.printDetails(result.simulated());
        System.out.println("\nwith kube-apiservers");
        SimulatedBench.printDetails(result.real());
    }
}
