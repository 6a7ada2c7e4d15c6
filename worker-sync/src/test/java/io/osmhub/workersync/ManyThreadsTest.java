package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.ServerThread;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.reconcile.TenantContext;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With real threads: nothing is lost, done twice, or blocked forever. */
final class ManyThreadsTest {
    private static final int MACHINE_DEPLOYMENTS = 150;

    private final SyncWorld world = new SyncWorld();
    private final AtomicInteger runs = new AtomicInteger();

    /** The simulated server's clock with real timers; it stands still otherwise. */
    private record RealTimers(ScheduledExecutorService threads, Instant start) implements Scheduler {
        @Override
        public Instant now() {
            return start;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public ScheduledTask schedule(Duration delay, Runnable task) {
            ScheduledFuture<?> future = threads.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        }
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().pollInSameThread().atMost(Duration.ofMinutes(2)).until(condition::getAsBoolean);
    }

    @Test
    @Timeout(120)
    void publishesManyAtOnceWithSixRequestsEachAndRepairsWhatIsDeletedMeanwhile() throws InterruptedException {
        Random random = new Random(1);
        ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1);
        alarms.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        try (alarms;
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                ServerThread server = new ServerThread(world.worker, world.time)) {
            Scheduler timers = new RealTimers(alarms, world.time.now());
            TenantContext.RunDependencies tools = new TenantContext.RunDependencies(
                    new WorkQueue(threads, timers, random, 32),
                    new Decider(RenderLimits.DEFAULT, System::nanoTime, random),
                    RenderExecutor.start(2),
                    new SyncObserver() {
                        @Override
                        public void onRunCompleted(Result result, Duration look, Duration decide, Duration write) {
                            runs.incrementAndGet();
                        }
                    },
                    RunTracer.OFF,
                    threads);
            WorkerSync hub =
                    world.create(new RuntimeContext(timers, threads, random), tools, server.configs(world.configs));
            hub.start(server.api());
            await(() -> hub.status().phase() == SyncStatus.Phase.WORKING);
            server.on(() -> {
                world.forgetRequests();
                return "";
            });

            for (int i = 0; i < MACHINE_DEPLOYMENTS; i++) {
                String name = "workers-" + i;
                server.on(() -> {
                    world.machineDeployment("kube-system", name);
                    return "";
                });
            }
            await(() -> Integer.valueOf(MACHINE_DEPLOYMENTS)
                    .equals(hub.status().newNodes().get(NewNodes.CURRENT)));
            await(() -> runs.get() == MACHINE_DEPLOYMENTS);

            assertThat(server.on(() -> world.requests() - world.worker.count(Verb.WATCH)))
                    .isEqualTo(6L * MACHINE_DEPLOYMENTS);
            assertThat(server.on(() -> world.worker.count(Verb.GET))).isZero();
            assertThat(runs.get()).isEqualTo(MACHINE_DEPLOYMENTS);

            for (int i = 0; i < MACHINE_DEPLOYMENTS; i += 3) {
                String secret = "workers-" + i + "-kube-system-bootstrap-config";
                server.on(() -> {
                    world.worker.remove(Resource.SECRETS, SyncWorld.SETTINGS, secret);
                    return "";
                });
            }
            world.profile("v1.1.0", "another line");

            await(() -> server.on(() -> allHave("v1.1.0")));
            hub.stop();
        }
    }

    private boolean allHave(String version) {
        for (int i = 0; i < MACHINE_DEPLOYMENTS; i++) {
            String secret = "workers-" + i + "-kube-system-bootstrap-config";
            if (!world.annotation(secret, "k8c.io/osp-version").equals(version)) {
                return false;
            }
        }
        return true;
    }
}
