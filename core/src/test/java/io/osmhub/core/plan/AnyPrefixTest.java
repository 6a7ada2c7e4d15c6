package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The hub may die after any write, and writes of one stage may come in any order. Random worlds, random changes of what they are
 * made from: after any part of a decision was applied, deciding again leads to the same result as applying all of it.
 */
class AnyPrefixTest {
    private static final int WORLDS = Integer.getInteger("osmhub.worlds", 10);
    private static final int STEPS = 12;
    private static final String MD = "kube-system/workers";
    private static final ObjectNames NAMES = new ObjectNames("kube-system", "workers");

    private record Step(String name, Act act) {}

    @FunctionalInterface
    private interface Act {
        void on(World world, Random random);
    }

    private static final List<Step> STEPS_OF_USERS = List.of(
            new Step("new profile text", (world, random) -> world.profileText = "text " + random.nextInt(4) + "\n"),
            new Step("random profile text", (world, random) -> world.profileText = "{{ randAlphaNum 9 }}\n"),
            new Step("broken profile", (world, random) -> world.profileText = "{{ fail `no` }}"),
            new Step(
                    "large profile",
                    (world, random) ->
                            world.profileText = UserDataSize.standIn(24_000).reveal()),
            new Step("new version", (world, random) -> world.profileVersion = "v1.0." + random.nextInt(3)),
            new Step("new fetch token", (world, random) -> world.fetchToken = "fetch-" + random.nextInt(3)),
            new Step(
                    "new endpoint",
                    (world, random) -> world.endpoint = "https://" + random.nextInt(2) + ".example:6443"),
            new Step("new DNS", (world, random) -> world.clusterDns("10.0.0." + random.nextInt(3))),
            new Step(
                    "other provider",
                    (world, random) -> world.machinesOf(
                            MD, World.providerSpec(random.nextBoolean() ? "edge" : "aws", "A" + random.nextInt(2)))),
            new Step(
                    "new revision",
                    (world, random) ->
                            world.annotate(MD, MachineDeployment.REVISION, String.valueOf(random.nextInt(4)))),
            new Step("note", (world, random) -> world.annotate(MD, "note", String.valueOf(random.nextInt()))),
            new Step("secret edited", (world, random) -> {
                if (!world.secrets.isEmpty()) {
                    world.edit(any(world.secrets.keySet(), random), "kubectl-edit");
                }
            }),
            new Step("secret deleted", (world, random) -> {
                if (!world.secrets.isEmpty()) {
                    world.secrets.remove(any(world.secrets.keySet(), random));
                }
            }),
            new Step("config deleted", (world, random) -> world.configs.clear()),
            new Step("token deleted", (world, random) -> {
                if (!world.tokens.isEmpty()) {
                    world.tokens.remove(any(world.tokens.keySet(), random));
                }
            }),
            new Step("token unreadable", (world, random) -> {
                if (!world.tokens.isEmpty()) {
                    world.token(any(world.tokens.values(), random), null, new TreeMap<>());
                }
            }),
            new Step("peer was here", (world, random) -> world.asPeer()),
            new Step("finalizer removed", (world, random) -> {
                MachineDeployment old = world.get(MD);
                world.put(new MachineDeployment(
                        old.namespace(),
                        old.name(),
                        old.uid(),
                        "",
                        old.creationTimestamp(),
                        null,
                        List.of(),
                        old.annotations(),
                        old.kubeletVersion(),
                        old.providerSpec(),
                        new TreeMap<>()));
            }),
            new Step("recreated", (world, random) -> {
                world.machineDeployments.clear();
                world.machineDeployment("kube-system", "workers");
            }),
            new Step("service account", (world, random) -> {
                boolean account = random.nextBoolean();
                world.serviceAccountToken = "sa-" + random.nextInt(2);
                world.bootstrap(account ? new ServiceAccountName("a", "b") : null, Duration.ofHours(2));
            }),
            new Step(
                    "shorter life",
                    (world, random) -> world.bootstrap(null, Duration.ofMinutes(90 + random.nextInt(40)))),
            new Step("rights", (world, random) -> world.mayGrant = random.nextInt(3) > 0),
            new Step(
                    "profile that can",
                    (world, random) -> world.supportedNodeFetch =
                            List.of(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.values()[random.nextInt(2)])),
            new Step("way to fetch", (world, random) -> world.nodeFetch(any(List.of(NodeFetch.values()), random))),
            new Step("grant deleted", (world, random) -> {
                if (!world.grants.isEmpty()) {
                    world.grants.remove(any(world.grants.keySet(), random));
                }
            }),
            new Step(
                    "account recreated",
                    (world, random) -> world.grants.replaceAll((key, old) -> new StoredGrant(
                            old.kind(),
                            old.name(),
                            old.uid() + "x",
                            old.resourceVersion() + "9",
                            old.annotations(),
                            old.fields(),
                            "kubectl-edit"))),
            new Step(
                    "grant edited",
                    (world, random) -> world.grants.replaceAll((key, old) -> new StoredGrant(
                            old.kind(),
                            old.name(),
                            old.uid(),
                            old.resourceVersion() + "9",
                            old.annotations(),
                            JsonNodeFactory.instance.objectNode(),
                            "kubectl-edit"))),
            new Step("time", (world, random) -> world.now = world.now.plus(Duration.ofMinutes(random.nextInt(90)))),
            new Step("days", (world, random) -> world.now = world.now.plus(Duration.ofDays(1 + random.nextInt(5)))));

    private static <T> T any(Collection<T> items, Random random) {
        return List.copyOf(items).get(random.nextInt(items.size()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void convergesFromAnyPrefix(int batch) {
        for (int i = 0; i < WORLDS; i++) {
            long seed = 1000L * batch + i;
            Random random = new Random(seed);
            World world = new World(seed).machineDeployment("kube-system", "workers");
            if (i % 2 == 0) {
                world.scoped();
            }
            List<String> history = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                Step next = any(STEPS_OF_USERS, random);
                history.add(next.name());
                next.act().on(world, random);
                World whole = world.copy(seed + step);
                settle(whole, history);
                part(world, random, history);
                World resumed = world.copy(seed + step + 1);
                settle(resumed, history);
                assertThat(state(resumed)).as("seed %s: %s", seed, history).isEqualTo(state(whole));
            }
            world.profileText = "";
            world.bootstrap(null, Duration.ofHours(2));
            world.mayGrant = true;
            boolean cleansUp = world.get(MD).hasFinalizer();
            world.delete(MD);
            if (!world.machineDeployments.isEmpty()) {
                part(world, random, history);
            }
            if (!world.machineDeployments.isEmpty()) {
                settle(world, history);
            }
            world.leftovers().forEach(world::apply);
            if (!cleansUp) {
                // Deleted at once, after its finalizer was removed: unmarked objects can no longer be identified.
                world.secrets.values().removeIf(secret -> !secret.annotations()
                        .containsKey(OwnershipAnnotations.OWNER));
                world.tokens.values().removeIf(token -> !token.annotations().containsKey(OwnershipAnnotations.OWNER));
                world.configs.values().removeIf(config -> !config.annotations()
                        .containsKey(OwnershipAnnotations.OWNER));
            }
            assertThat(world.secrets).as("seed %s: %s", seed, history).isEmpty();
            assertThat(world.tokens).as("seed %s: %s", seed, history).isEmpty();
            assertThat(world.grants).as("seed %s: %s", seed, history).isEmpty();
            assertThat(world.configs).as("seed %s: %s", seed, history).isEmpty();
        }
    }

    /** Does everything until nothing is left to do, which has to be after the first time. */
    private static void settle(World world, List<String> history) {
        int before = world.done.size();
        inOrder(world, world.decide(MD).changes());
        if (world.done.subList(before, world.done.size()).stream()
                .anyMatch(PlannedChange.RequestFetchToken.class::isInstance)) {
            inOrder(world, world.decide(MD).changes());
        }
        if (world.machineDeployments.isEmpty()) {
            return;
        }
        assertThat(world.decide(MD).changes())
                .as(() -> "a second run after %s, which did %s"
                        .formatted(history, world.done.subList(before, world.done.size())))
                .isEmpty();
    }

    private static void inOrder(World world, List<PlannedChange> changes) {
        for (PlannedChange change : changes) {
            Holdings held = Holdings.of(world);
            world.apply(change);
            held.requireKept(world, change);
        }
    }

    /** Does a random part of a decision, the changes of one stage in a random order. */
    private static void part(World world, Random random, List<String> history) {
        List<PlannedChange> changes = new ArrayList<>(world.decide(MD).changes());
        Collections.shuffle(changes, random);
        changes.sort((a, b) -> Integer.compare(a.stage(), b.stage()));
        int count = random.nextInt(changes.size() + 1);
        inOrder(world, changes.subList(0, count));
        if (count < changes.size() && random.nextBoolean()) {
            half(world, changes.get(count));
        }
        if (random.nextBoolean()) {
            // A token that was requested and not published is unknown elsewhere.
            world.fresh.clear();
        }
        history.add("did " + count + " of " + changes.size());
    }

    /** A replacement is two requests. */
    private static void half(World world, PlannedChange change) {
        switch (World.kind(change)) {
            case "ReplaceSecret" -> world.secrets.remove(change.target().name());
            case "ReplaceConfig" -> world.configs.remove(change.target().name());
            default -> {
                // One request.
            }
        }
    }

    /** What a machine needs, and must not lose by anything that the hub does. */
    private record Holdings(boolean bootstrap, boolean provisioning, boolean token, boolean fetches) {
        static Holdings of(World world) {
            boolean kubelet = world.secrets.containsKey(NAMES.kubeletBootstrapSecret());
            return new Holdings(
                    world.secrets.containsKey(NAMES.bootstrapSecret()),
                    world.secrets.containsKey(NAMES.provisioningSecret()),
                    kubelet && world.machineDeployments.containsKey(MD) && joins(world),
                    world.machineDeployments.containsKey(MD) && world.fetches(MD));
        }

        private static boolean joins(World world) {
            StoredToken token = world.tokenOf(world.embeddedToken(MD));
            return token != null
                    && token.expiration() != null
                    && token.expiration().isAfter(world.now);
        }

        void requireKept(World world, PlannedChange change) {
            MachineDeployment machineDeployment = world.machineDeployments.get(MD);
            if (machineDeployment == null || machineDeployment.deletionTimestamp() != null) {
                return;
            }
            Holdings now = of(world);
            assertThat(now.bootstrap() || !bootstrap)
                    .as(() -> "bootstrap after " + change)
                    .isTrue();
            assertThat(now.provisioning() || !provisioning)
                    .as(() -> "provisioning after " + change)
                    .isTrue();
            boolean account = world.settings.bootstrap().serviceAccount() != null;
            assertThat(now.token() || !token || account)
                    .as(() -> "token after " + change)
                    .isTrue();
            assertThat(now.fetches() || !fetches)
                    .as(() -> "fetch token after " + change)
                    .isTrue();
            if (!bootstrap && now.bootstrap()) {
                assertThat(now.provisioning())
                        .as("provisioning before bootstrap")
                        .isTrue();
            }
        }
    }

    /** Everything but the tokens, each of which is random. */
    private static Map<String, String> state(World world) {
        Map<String, String> state = new TreeMap<>();
        boolean kubelet = world.secrets.containsKey(NAMES.kubeletBootstrapSecret());
        String token = kubelet && world.machineDeployments.containsKey(MD) ? world.embeddedToken(MD) : "none";
        boolean randomText = world.profileText.contains("rand");
        world.secrets.forEach((name, secret) -> {
            String value = randomText
                    ? ""
                    : String.valueOf(world.values.get(name))
                            .replace(token, "TOKEN")
                            .replaceAll("eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+", "FETCH");
            state.put(name, secret.annotations() + " " + hideEncoded(value));
        });
        world.grants.forEach((name, grant) -> {
            Map<String, String> annotations = new TreeMap<>(grant.annotations());
            annotations.computeIfPresent(FetchTokenPlanner.UNTIL, (key, time) -> "...");
            state.put(name, annotations + " " + grant.fields());
        });
        world.configs.forEach(
                (name, config) -> state.put(name, config.annotations() + (randomText ? "" : config.contentHash())));
        world.machineDeployments.forEach(
                (name, found) -> state.put(name, found.finalizers().toString()));
        return state;
    }

    /** Files are in base64, and so are the tokens in them. */
    private static String hideEncoded(String value) {
        return value.replaceAll("[A-Za-z0-9+/=]{60,}", "...");
    }
}
