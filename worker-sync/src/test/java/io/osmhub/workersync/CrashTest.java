package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer.Fault;
import io.osmhub.workersync.fake.SyncWorld;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kills the hub after every write, and fails every request, one at a time: it always reaches the desired state. */
final class CrashTest {
    private static final String BOOTSTRAP = "workers-kube-system-bootstrap-config";
    private static final int MOST_REQUESTS = 40;

    /** Work in progress at the crash. */
    enum Work {
        CREATE,
        ROTATE,
        REVISION,
        TOKEN,
        IMMUTABLE,
        DELETE;

        void begin(SyncWorld world) {
            switch (this) {
                case CREATE -> world.machineDeployment("kube-system", "workers");
                case ROTATE -> world.profile("v1.1.0", "another line");
                case REVISION ->
                    world.annotate("kube-system", "workers", "machinedeployment.clusters.k8s.io/revision", "2");
                case TOKEN ->
                    world.worker.all(Resource.SECRETS).stream()
                            .map(secret -> secret.at("/metadata/name").asText())
                            .filter(name -> name.startsWith("bootstrap-token-"))
                            .toList()
                            .forEach(name -> world.worker.remove(Resource.SECRETS, "kube-system", name));
                case IMMUTABLE -> {
                    makeImmutable(world);
                    world.profile("v1.1.0", "another line");
                }
                case DELETE -> world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
            }
        }

        private static void makeImmutable(SyncWorld world) {
            for (String part : List.of("bootstrap", "provisioning")) {
                ObjectNode secret = world.worker.object(
                        Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-" + part + "-config");
                if (secret != null) {
                    world.worker.put(
                            Resource.SECRETS,
                            secret.deepCopy().put("immutable", true).toString(),
                            "osm-controller");
                }
            }
        }
    }

    /** A world in which only this work remains. */
    private static SyncWorld ready(Work work) {
        SyncWorld world = new SyncWorld();
        if (work != Work.CREATE) {
            world.machineDeployment("kube-system", "workers");
        }
        world.start();
        world.pass(Duration.ofSeconds(20));
        if (work != Work.CREATE) {
            assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        }
        return world;
    }

    private static void assertDone(Work work, SyncWorld world, String when) {
        if (work == Work.DELETE) {
            assertThat(world.worker.all(Resource.MACHINE_DEPLOYMENTS)).as(when).isEmpty();
            assertThat(world.worker.all(Resource.SECRETS)).as(when).hasSize(1);
            assertThat(world.configs.all()).as(when).isEmpty();
            return;
        }
        assertThat(world.hub().status().machineDeployments())
                .as(when)
                .singleElement()
                .satisfies(state -> assertThat(state.newNodes()).isEqualTo(NewNodes.CURRENT))
                .satisfies(state -> assertThat(state.problems()).isEmpty());
        assertThat(world.worker.all(Resource.SECRETS).stream()
                        .map(secret -> secret.at("/metadata/name").asText())
                        .filter(name -> !name.startsWith("bootstrap-token-")))
                .as(when)
                .containsExactlyInAnyOrder(
                        "cloud-init-getter-token",
                        "kube-system-workers-kubelet-bootstrap-config",
                        "workers-kube-system-provisioning-config",
                        BOOTSTRAP);
        assertThat(world.configs.all()).as(when).hasSize(1);
        String text = world.bootstrap("kube-system", "workers");
        assertThat(text).as(when).isNotNull();
        if (work == Work.ROTATE || work == Work.IMMUTABLE) {
            assertThat(world.annotation(BOOTSTRAP, "k8c.io/osp-version"))
                    .as(when)
                    .isEqualTo("v1.1.0");
        }
        world.forgetRequests();
        world.pass(Duration.ofSeconds(30));
        assertThat(world.worker.writes()).as(when + ", later").isZero();
    }

    /** Fails if a bootstrap secret disappears, except between delete and create of an immutable one. */
    private static void watchBootstrap(Work work, SyncWorld world) {
        if (work == Work.ROTATE || work == Work.REVISION || work == Work.TOKEN) {
            world.time.afterEachTask(
                    () -> assertThat(world.bootstrap("kube-system", "workers")).isNotNull());
        }
    }

    @ParameterizedTest
    @EnumSource(Work.class)
    void comesThroughADeathAfterEachWrite(Work work) {
        int deaths = 0;
        for (int k = 1; k <= MOST_REQUESTS; k++) {
            SyncWorld world = ready(work);
            watchBootstrap(work, world);
            Death death = new Death(k);
            world.worker.faults((request, number) -> death.next(request.verb().writes()));
            world.management.faults(
                    (request, number) -> death.next(request.verb().writes()));
            work.begin(world);
            while (!death.isOver() && !world.time.isIdle()) {
                world.time.step();
            }
            if (!death.isOver()) {
                break;
            }
            deaths++;
            world.kill();
            world.worker.faults((request, number) -> null);
            world.management.faults((request, number) -> null);

            world.start();
            world.pass(Duration.ofMinutes(3));

            assertDone(work, world, work + " after a death at write " + k);
        }
        assertThat(deaths).isGreaterThanOrEqualTo(work == Work.REVISION ? 1 : 3);
    }

    @ParameterizedTest
    @EnumSource(Work.class)
    void comesThroughEachRequestThatFails(Work work) {
        int failures = 0;
        for (Fault fault : List.of(Fault.REFUSED, Fault.ANSWER_LOST)) {
            for (int k = 1; k <= MOST_REQUESTS; k++) {
                SyncWorld world = ready(work);
                watchBootstrap(work, world);
                Once once = new Once(k, fault);
                world.worker.faults((request, number) -> once.next());
                world.management.faults((request, number) -> once.next());

                work.begin(world);
                world.pass(Duration.ofMinutes(3));

                if (!once.happened) {
                    break;
                }
                failures++;
                assertDone(work, world, work + " with " + fault + " at request " + k);
            }
        }
        assertThat(failures).isGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Work.class,
            names = {"CREATE", "ROTATE", "TOKEN", "IMMUTABLE"})
    void missesNoDeletionThatIsToldBeforeTheAnswerToTheWrite(Work work) {
        int deletions = 0;
        for (int k = 1; k <= MOST_REQUESTS; k++) {
            SyncWorld world = ready(work);
            Once once = new Once(k, Fault.DELETED_BEFORE_THE_ANSWER);
            world.worker.faults((request, number) -> request.resource() == Resource.SECRETS
                            && (request.verb() == Verb.CREATE || request.verb() == Verb.PATCH)
                    ? once.next()
                    : null);

            work.begin(world);
            world.pass(Duration.ofMinutes(3));

            if (!once.happened) {
                break;
            }
            deletions++;
            assertDone(work, world, work + " with a deletion after write " + k);
        }
        assertThat(deletions).isPositive();
    }

    @Test
    void missesNoDeletionThatIsToldBeforeTheAnswerToTheReadThatSettlesADoubt() {
        int deletions = 0;
        for (int k = 1; k <= MOST_REQUESTS; k++) {
            SyncWorld world = ready(Work.CREATE);
            Once lost = new Once(k, Fault.ANSWER_LOST);
            Once deleted = new Once(1, Fault.DELETED_BEFORE_THE_ANSWER);
            world.worker.faults((request, number) -> request.resource() != Resource.SECRETS
                    ? null
                    : request.verb() == Verb.CREATE
                            ? lost.next()
                            : request.verb() == Verb.GET && lost.happened ? deleted.next() : null);

            Work.CREATE.begin(world);
            world.pass(Duration.ofMinutes(3));

            if (!lost.happened) {
                break;
            }
            deletions += deleted.happened ? 1 : 0;
            assertDone(Work.CREATE, world, "the answer to write " + k + " is lost, and what was written is deleted");
        }
        assertThat(deletions).isPositive();
    }

    @Test
    void comesThroughRequestsThatFailAgainAndAgain() {
        for (int every = 2; every <= 5; every++) {
            SyncWorld world = ready(Work.CREATE);
            Every some = new Every(every);
            world.worker.faults((request, number) -> some.next());
            world.management.faults((request, number) -> some.next());

            for (int i = 0; i < 5; i++) {
                world.machineDeployment("kube-system", "workers-" + i);
            }
            world.pass(Duration.ofMinutes(3));
            world.profile("v1.1.0", "another line");
            world.pass(Duration.ofMinutes(10));

            assertThat(world.hub().status().newNodes().get(NewNodes.CURRENT))
                    .as("every %d. request fails", every)
                    .isEqualTo(5);
        }
    }

    /** The process dies while the response to a write is pending. */
    private static final class Death {
        private final int at;
        private int writes;
        private boolean over;

        Death(int at) {
            this.at = at;
        }

        private @Nullable Fault next(boolean write) {
            if (over) {
                return Fault.REFUSED;
            }
            if (write && ++writes == at) {
                over = true;
                return Fault.ANSWER_LOST;
            }
            return null;
        }

        boolean isOver() {
            return over;
        }
    }

    /** One request fails. */
    private static final class Once {
        private final int at;
        private final Fault fault;
        private int requests;
        private boolean happened;

        Once(int at, Fault fault) {
            this.at = at;
            this.fault = fault;
        }

        private @Nullable Fault next() {
            if (++requests == at) {
                happened = true;
                return fault;
            }
            return null;
        }
    }

    /** Every nth request fails, before or after it took effect. */
    private static final class Every {
        private final int every;
        private int requests;

        Every(int every) {
            this.every = every;
        }

        private @Nullable Fault next() {
            requests++;
            if (requests % every != 0) {
                return null;
            }
            return requests % (2 * every) == 0 ? Fault.REFUSED : Fault.ANSWER_LOST;
        }
    }
}
