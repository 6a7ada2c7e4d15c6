package io.osmhub.bench;

import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.PagedList;
import io.osmhub.bench.GeneratedFleet.GeneratedServer;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Times pages of a warm inventory, including their JSON, while its fleet changes. */
final class InventoryBench {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 400;
    private static final int CHANGES_PER_SECOND = 20;
    /** Search texts. */
    static final List<String> TEXTS =
            List.of("shop", "workers-42", "cluster-1f", "userdata", "gpu-workers-7", "nothing-has-this");

    private final StoredInventory inventory;
    private final GeneratedServer server;
    private final int tenants;
    private final int configs;
    private final int rounds;
    private final Random random = new Random(5);
    private @Nullable String cursor;

    /** @param rounds timed responses per query */
    InventoryBench(StoredInventory inventory, GeneratedServer server, int tenants, int configs, int rounds) {
        this.inventory = inventory;
        this.server = server;
        this.tenants = tenants;
        this.configs = configs;
        this.rounds = rounds;
    }

    /** Times of one query in milliseconds: wall-clock, and processor time, which other programs do not affect; null for several threads. */
    record Timing(
            String what,
            double p50,
            double p99,
            double max,
            @Nullable Double processor50,
            @Nullable Double processor99,
            int rounds) {}

    interface TimedQuery {
        /** Fails if there is no valid response. */
        void ask() throws ApiProblem, IOException, InterruptedException;
    }

    private interface InventoryQuery {
        Object ask() throws ApiProblem;
    }

    @FunctionalInterface
    interface TimedTask {
        List<Timing> run() throws InterruptedException, ApiProblem, IOException;
    }

    /** Runs the task while objects of the fleet change. */
    List<Timing> timeDuringChanges(TimedTask timed) throws InterruptedException, ApiProblem, IOException {
        AtomicBoolean over = new AtomicBoolean();
        Thread changing = Thread.ofPlatform().start(() -> change(over));
        try {
            return timed.run();
        } finally {
            over.set(true);
            changing.join();
        }
    }

    List<Timing> run() throws InterruptedException, ApiProblem, IOException {
        return timeDuringChanges(this::time);
    }

    private List<Timing> time() throws InterruptedException, ApiProblem, IOException {
        Map<String, TimedQuery> queries = new LinkedHashMap<>();
        questions()
                .forEach((what, question) -> queries.put(what, () -> {
                    if (ApiJson.server().writeValueAsBytes(question.ask()).length == 0) {
                        throw new IllegalStateException("empty response");
                    }
                }));
        return time(queries, rounds, true);
    }

    /** Times each query. {@code oneThread} is whether its work is on this thread, so that its processor time is known. */
    static List<Timing> time(Map<String, TimedQuery> queries, int rounds, boolean oneThread)
            throws InterruptedException, ApiProblem, IOException {
        // Warm up all queries before timing any, so that shared code is compiled for all of them.
        for (int i = 0; i < Math.min(WARM_UP, rounds); i++) {
            for (TimedQuery query : queries.values()) {
                query.ask();
            }
        }
        List<Timing> timings = new ArrayList<>();
        for (Map.Entry<String, TimedQuery> query : queries.entrySet()) {
            long[] wall = new long[rounds];
            long[] processor = new long[rounds];
            for (int i = 0; i < rounds; i++) {
                long used = THREADS.getCurrentThreadCpuTime();
                long begun = System.nanoTime();
                query.getValue().ask();
                wall[i] = System.nanoTime() - begun;
                processor[i] = THREADS.getCurrentThreadCpuTime() - used;
            }
            Arrays.sort(wall);
            Arrays.sort(processor);
            timings.add(new Timing(
                    query.getKey(),
                    millis(wall, 0.5),
                    millis(wall, 0.99),
                    millis(wall, 1),
                    oneThread ? millis(processor, 0.5) : null,
                    oneThread ? millis(processor, 0.99) : null,
                    rounds));
        }
        return timings;
    }

    private static double millis(long[] sorted, double share) {
        return sorted[Math.max(1, (int) Math.ceil(share * sorted.length)) - 1] / 1e6;
    }

    private void change(AtomicBoolean over) {
        Random which = new Random(11);
        int state = 1;
        while (!over.get()) {
            server.change(Resource.OPERATING_SYSTEM_CONFIGS, which.nextInt(tenants * configs), state++);
            if (state % CHANGES_PER_SECOND == 0) {
                server.change(Resource.WORKER_CLUSTERS, which.nextInt(tenants), state);
            }
            try {
                Thread.sleep(1000 / CHANGES_PER_SECOND);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Map<String, InventoryQuery> questions() {
        Map<String, InventoryQuery> questions = new LinkedHashMap<>();
        Visibility all = Visibility.EVERYTHING;
        questions.put("OSCs, first page", () -> inventory.configurations(ListQuery.ALL, all));
        questions.put("OSCs, filter + sort + search", () -> inventory.configurations(filtered(), all));
        questions.put(
                "OSCs, filter + sort + search, one of 10 tenants",
                () -> inventory.configurations(filtered(), ofTenants(10)));
        questions.put("OSCs, a page in the middle", this::middle);
        questions.put("MachineDeployments, worst first", () -> inventory.machineDeployments(ListQuery.ALL, all));
        questions.put(
                "MachineDeployments, filter + sort + search",
                () -> inventory.machineDeployments(
                        page("-createdAt,name", text())
                                .withAll("newNodes", List.of("Blocked", "AtRisk"))
                                .with("profile", random.nextBoolean() ? "osp-" + random.nextInt(60) : null),
                        all));
        questions.put("worker clusters, worst first", () -> inventory.workerClusters(ListQuery.ALL, all));
        questions.put(
                "worker clusters, filter + sort + search + labels",
                () -> inventory.workerClusters(
                        page("-machineDeployments,name", text())
                                .with("labelSelector", "env in (prod,stage),team")
                                .with("newNodes", "Blocked")
                                .with("kubernetesVersion", "1.3" + (1 + random.nextInt(5))),
                        all));
        questions.put(
                "problems, filter + sort + search",
                () -> inventory.problems(page("-affected,since", text()).with("severity", "Error"), all));
        questions.put("summary", () -> inventory.summary(all));
        questions.put("search", () -> inventory.search(text(), 20, all));
        return questions;
    }

    private ListQuery filtered() {
        return page(random.nextBoolean() ? "-renderedAt,name" : "newNodes,-bootstrapBytes", text())
                .with("profile", random.nextInt(3) == 0 ? "osm-profiles/osp-" + random.nextInt(60) : null)
                .with("ready", random.nextBoolean() ? "False" : "True")
                .with("cloudProvider", random.nextInt(3) == 0 ? "aws" : null);
    }

    private Object middle() throws ApiProblem {
        PagedList<Osc> page = inventory.configurations(
                ListQuery.ALL.with("sort", "name").with("continue", cursor), Visibility.EVERYTHING);
        cursor = page.next();
        return page;
    }

    private static ListQuery page(String sort, String search) {
        return ListQuery.ALL.with("sort", sort).with("search", search);
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private static Visibility ofTenants(int count) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < count; i++) {
            seen.add(GeneratedFleet.namespace(i * 7));
        }
        VisibleTenants visible = new VisibleTenants.SelectedTenants(seen, seen);
        return new Visibility(visible, visible, visible);
    }
}
