package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.demo.FaultFixture;
import io.osmhub.demo.TenantFault;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./hub bench display}: measures the time from each fault until the API names its cause with the right fix, and then the first page of a fleet with all
 * these faults, signed in, cold and warm.
 */
@Command(
        name = "display",
        description = "Measure the time from a fault until the API names its cause, and the first page of the fleet.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // the fields are set by the run
final class DisplayBench extends HubBench<DisplayBench.DisplayResult> {
    private static final Duration BETWEEN_READS = Duration.ofMillis(20);
    private static final Duration BETWEEN_LOADS = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final int MOST = 100;
    private static final int STARTS = 3;
    private static final int WARM_PAGES = 300;
    /** Milliseconds; docs/performance.md, "Display of faults". */
    private static final double LONGEST_DISPLAY = 3_000;

    private static final double LONGEST_UNREACHABLE = 10_000;
    private static final double LONGEST_PAGE = 500;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "How often to cause each fault, each time in another tenant (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--fault", paramLabel = "NAME", description = "Cause only this fault; may be repeated.")
    private Set<TenantFault> faults = EnumSet.noneOf(TenantFault.class);

    @Option(names = "--check", description = "Exit with 1 if the p99 of a row exceeds its target.")
    private boolean check;

    private ConsoleClient console;

    /** The result. The fields are the keys of the JSON file. */
    record DisplayResult(String measuredAt, String machine, int tenants, List<Row> rows) {}

    /** Times of one fault or page, and the target of their p99 in milliseconds. */
    record Row(String what, Percentiles times, double target) {
        boolean isMet() {
            return times.p99() <= target;
        }

        String formatLine() {
            return String.format(
                    Locale.ROOT,
                    "%-28s %5d %9.0f ms %9.0f ms %9.0f ms   at most %6.0f ms  %s",
                    what,
                    times.count(),
                    times.p50(),
                    times.p99(),
                    times.max(),
                    target,
                    isMet() ? "met" : "MISSED");
        }
    }

    @Override
    void checkOptions() {
        requireRange("--rounds", rounds, 1, MOST);
    }

    @Override
    DisplayResult run() throws IOException, InterruptedException {
        // Fixes name the closest profile of the demo's.
        fleet.removeProfile();
        List<String> command = setup.command(programWithCache());
        console = ConsoleClient.of(setup, fleet);
        start(command, "", setup.log("hub.log")).awaitReady(setup.healthPort());
        // The hub has finished its start once it serves a tenant.
        FaultFixture healthy = new FaultFixture(fleet.stage(), fleet.stage().addTenant("t-healthy", "c-healthy"));
        healthy.register();
        awaitCurrent(healthy);
        List<Row> rows = new ArrayList<>();
        List<Duration> all = new ArrayList<>();
        for (TenantFault fault : faults.isEmpty() ? EnumSet.allOf(TenantFault.class) : faults) {
            List<Duration> times = measure(fault);
            double target = target(fault);
            if (target == LONGEST_DISPLAY) {
                all.addAll(times);
            }
            rows.add(new Row(fault.name(), Percentiles.of(times), target));
        }
        rows.add(new Row("all with this target", Percentiles.of(all), LONGEST_DISPLAY));
        rows.addAll(measurePages(command));
        return new DisplayResult(now(), machine, fleet.stage().tenants().size(), rows);
    }

    private static double target(TenantFault fault) {
        return Set.of(TenantFault.UNREACHABLE, TenantFault.NO_ANSWER).contains(fault)
                ? LONGEST_UNREACHABLE
                : LONGEST_DISPLAY;
    }

    /** A fault that exists before its tenant is registered counts from the registration. The faults stay. */
    private List<Duration> measure(TenantFault fault) throws IOException, InterruptedException {
        List<Duration> times = new ArrayList<>();
        progress.begin(fault.name());
        for (int i = 1; i <= rounds; i++) {
            String name = fault.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + i;
            FaultFixture tenant = new FaultFixture(fleet.stage(), fleet.stage().addTenant("t-" + name, "c-" + name));
            fault.prepare(tenant);
            if (fault.isInjectedLater()) {
                tenant.register();
                awaitCurrent(tenant);
            }
            long began = System.nanoTime();
            if (fault.isInjectedLater()) {
                fault.inject(tenant);
            } else {
                tenant.register();
            }
            if (fault == TenantFault.NO_ANSWER) {
                // Shown before the verdict, which takes 30 s.
                await(
                        "/namespaces/" + tenant.namespace() + "/worker-clusters/" + tenant.workerCluster(),
                        JsonNode.class,
                        cluster -> cluster.findValue("noAnswerSince") != null);
            } else {
                await(why(tenant), WhyReport.class, report -> fault.isNamedIn(report, fault.command(tenant)));
            }
            times.add(Duration.ofNanos(System.nanoTime() - began));
            progress.update(i, rounds);
        }
        progress.end(Percentiles.of(times).toString());
        return times;
    }

    private void awaitCurrent(FaultFixture tenant) throws IOException, InterruptedException {
        await(why(tenant), WhyReport.class, report -> report.newNodes() == NewNodes.CURRENT);
    }

    private static String why(FaultFixture tenant) {
        return "/namespaces/" + tenant.namespace() + "/machine-deployments/" + tenant.machineNamespace() + "/"
                + tenant.machineDeployment() + "/why";
    }

    private <T> void await(String path, Class<T> type, Predicate<T> condition)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (true) {
            HttpResponse<String> response = console.get(hub(), path);
            if (response.statusCode() == 200 && condition.test(ApiJson.client().readValue(response.body(), type))) {
                return;
            }
            if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
                throw new IOException("the expected response did not come within " + LONGEST_WAIT.toSeconds() + " s: "
                        + path + ": " + response.body() + "; the hub's log is in " + folder);
            }
            Thread.sleep(BETWEEN_READS);
        }
    }

    /** The page is cold in a hub that has started and has not served one yet. */
    private List<Row> measurePages(List<String> command) throws IOException, InterruptedException {
        List<Duration> signIns = new ArrayList<>();
        List<Duration> cold = new ArrayList<>();
        List<Duration> warm = new ArrayList<>();
        progress.begin("first page of the fleet");
        for (int i = 1; i <= STARTS; i++) {
            hub().stop();
            start(command, "", setup.log("hub-" + i + ".log")).awaitReady(setup.healthPort());
            awaitIdle();
            long began = System.nanoTime();
            String cookie = console.signIn(hub());
            signIns.add(Duration.ofNanos(System.nanoTime() - began));
            cold.add(readFleet(cookie));
            for (int page = 0; page < WARM_PAGES / STARTS; page++) {
                warm.add(readFleet(cookie));
            }
            progress.update(i, STARTS);
        }
        progress.end("");
        return List.of(
                new Row("sign-in, first", Percentiles.of(signIns), LONGEST_PAGE),
                new Row("first page, cold", Percentiles.of(cold), LONGEST_PAGE),
                new Row("first page, warm", Percentiles.of(warm), LONGEST_PAGE));
    }

    private Duration readFleet(String cookie) throws IOException, InterruptedException {
        long began = System.nanoTime();
        console.readFleet(hub(), cookie);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Returns when the hub uses less than a tenth of a processor, so that its start does not compete with the page. */
    private void awaitIdle() throws IOException, InterruptedException {
        Duration before = Duration.ZERO;
        Duration after = ProcessStats.of(hub().pid()).processor();
        while (after.minus(before).compareTo(BETWEEN_LOADS.dividedBy(10)) > 0) {
            if (hub().sinceStart().compareTo(LONGEST_WAIT) > 0) {
                throw new IOException("the hub does not become idle; its log is in " + folder);
            }
            Thread.sleep(BETWEEN_LOADS);
            before = after;
            after = ProcessStats.of(hub().pid()).processor();
        }
    }

    @Override
    void print(DisplayResult result) {
        System.out.println(result.machine());
        System.out.println(result.tenants() + " tenants");
        System.out.printf("%n%-28s %5s %12s %12s %12s%n", "", "times", "p50", "p99", "max");
        result.rows().forEach(row -> System.out.println(row.formatLine()));
    }

    @Override
    boolean isMissed(DisplayResult result) {
        return check && !result.rows().stream().allMatch(Row::isMet);
    }
}
