package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.machine.MachineDeployment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenLifeTest {
    private static final String MD = "kube-system/workers";
    private static final Duration SAMPLE = Duration.ofMinutes(1);
    private static final Duration OUTAGE = Duration.ofMinutes(40);

    private final World world = new World(7).machineDeployment("kube-system", "workers");

    private StoredToken only() {
        assertThat(world.tokens).hasSize(1);
        return world.tokens.values().iterator().next();
    }

    private Duration left() {
        StoredToken token = world.tokenOf(world.embeddedToken(MD));
        assertThat(token).as("the token that is published").isNotNull();
        return Duration.between(world.now, Objects.requireNonNull(token).expiration());
    }

    /** A timer that goes off at the moment that a decision asks for, and a hub that is away now and then. */
    private final class Hub {
        private @Nullable Instant alarm;
        private Instant backAt = Instant.MIN;
        private int extensions;

        void run() {
            Decision decision = world.run(MD);
            alarm = decision.requeueAt();
            extensions += (int) decision.changes().stream()
                    .filter(PlannedChange.ExtendToken.class::isInstance)
                    .count();
        }

        /** One minute later. */
        void tick() {
            world.now = world.now.plus(SAMPLE);
            boolean due = alarm != null && !alarm.isAfter(world.now);
            if (!world.now.isBefore(backAt) && due) {
                run();
            }
        }

        void away() {
            backAt = world.now.plus(OUTAGE);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, PT2H", "true, PT2H", "false, PT90M", "true, PT24H"})
    void threeDaysWithOutagesAlwaysLeaveTwentyMinutes(boolean busy, Duration life) {
        Random random = new Random(72);
        world.bootstrap(null, life);
        Hub hub = new Hub();
        hub.run();
        for (int minute = 0; minute < 72 * 60; minute++) {
            if (busy && random.nextInt(30) == 0) {
                world.profileText = random.nextInt(5) == 0 ? "{{ fail `x` }}" : "text " + random.nextInt(3);
                if (!world.now.isBefore(hub.backAt)) {
                    hub.run();
                }
            }
            // As late as can be: the hub goes away in the minute before it would extend.
            if (hub.alarm != null && world.now.plus(SAMPLE).equals(hub.alarm) && random.nextBoolean()) {
                hub.away();
            }
            hub.tick();
            assertThat(left()).as("at minute %s", minute).isGreaterThanOrEqualTo(Duration.ofMinutes(20));
        }
        assertThat(world.tokens).hasSize(1);
        assertThat(hub.extensions).isLessThan((int) (Duration.ofDays(3).dividedBy(life.minusMinutes(71)) + 3));
    }

    @Test
    void afterAWeekANewTokenTakesOverAndTheOldOneLivesOn() {
        Hub hub = new Hub();
        hub.run();
        String first = world.embeddedToken(MD);
        while (world.embeddedToken(MD).equals(first)) {
            hub.tick();
        }

        assertThat(Duration.between(World.START, world.now))
                .isGreaterThan(Duration.ofDays(7))
                .isLessThan(Duration.ofDays(8));
        assertThat(Objects.requireNonNull(world.tokenOf(first)).expiration())
                .isAfter(world.now.plus(Duration.ofMinutes(59)));

        Instant replaced = world.now;
        while (world.tokens.size() > 1) {
            hub.tick();
        }

        assertThat(Duration.between(replaced, world.now)).isLessThanOrEqualTo(Duration.ofMinutes(121));
        assertThat(left()).isGreaterThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void anExtensionIsOneWriteAndLeavesTheTextAlone() {
        world.run(MD);
        String text = world.embeddedToken(MD);
        world.done.clear();
        world.now = World.START.plus(Duration.ofMinutes(50));

        world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
        assertThat(world.embeddedToken(MD)).isEqualTo(text);
        assertThat(only().expiration()).isEqualTo(world.now.plus(Duration.ofHours(2)));
        assertThat(((PlannedChange.ExtendToken) world.done.getFirst()).patch())
                .contains("\"data\":{\"expiration\":\"")
                .contains("\"resourceVersion\":");
    }

    @Test
    void asksToBeWokenSeventyMinutesBeforeTheEnd() {
        assertThat(world.run(MD).requeueAt()).isEqualTo(World.START.plus(Duration.ofMinutes(50)));
        assertThat(world.decide(MD).requeueAt()).isEqualTo(World.START.plus(Duration.ofMinutes(50)));
    }

    @Test
    void aTokenOfThePeerIsExtendedAndKeepsItsText() {
        world.run(MD);
        world.asPeer();
        world.token(only(), World.START.plus(Duration.ofMinutes(21)), new TreeMap<>());
        world.done.clear();

        Instant again = world.run(MD).requeueAt();

        assertThat(world.kinds()).isEmpty();
        assertThat(again).isEqualTo(World.START.plus(Duration.ofMinutes(1)));

        world.now = world.now.plus(Duration.ofMinutes(1));
        world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
        assertThat(only().annotations()).containsEntry(OwnershipAnnotations.OWNER, MD);
    }

    @Test
    void anOldTokenOfThePeerIsReplacedOnlyShortlyBeforeItsEnd() {
        world.run(MD);
        world.asPeer();
        world.now = World.START.plus(Duration.ofDays(30));
        world.token(only(), world.now.plus(Duration.ofMinutes(21)), new TreeMap<>());
        world.run(MD);
        world.done.clear();

        world.run(MD);

        assertThat(world.kinds()).isEmpty();

        world.now = world.now.plus(Duration.ofMinutes(2));
        world.run(MD);

        assertThat(world.kinds()).contains("CreateToken");
    }

    @Test
    void oneThatEndedIsRevivedBecauseMachinesHoldIt() {
        world.run(MD);
        world.now = World.START.plus(Duration.ofHours(5));
        world.done.clear();

        world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "unreadable", "useless"})
    void oneThatCannotBeUsedIsReplacedAndWhatEmbedsItFollows(String what) {
        world.run(MD);
        StoredToken old = only();
        switch (what) {
            case "missing" -> world.tokens.clear();
            case "unreadable" -> world.token(old, null, new TreeMap<>());
            default ->
                world.tokens.put(
                        old.name(),
                        new StoredToken(
                                old.name(),
                                old.uid(),
                                old.resourceVersion(),
                                old.id(),
                                old.secret(),
                                old.expiration(),
                                false,
                                old.label(),
                                old.creationTimestamp(),
                                old.annotations(),
                                "kubectl-edit"));
        }
        world.done.clear();

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("CreateToken", "UpdateSecret", "UpdateSecret");
        assertThat(decision.changes().getFirst().reason().cause()).isEqualTo(ChangeReason.Cause.NEW_TOKEN);
        assertThat(left()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void ofSeveralTheNewestIsKeptAndTheOthersGoWhenTheyEnd() {
        world.run(MD);
        StoredToken old = only();
        world.tokens.clear();
        world.now = World.START.plusSeconds(60);
        world.run(MD);
        StoredToken newer = only();
        world.tokens.put(old.name(), old);

        assertThat(world.decide(MD).changes()).isEmpty();
        assertThat(world.decide(MD).token())
                .isEqualTo(new Decision.TokenInUse(
                        newer.name(), World.START.plusSeconds(60).plus(Duration.ofHours(2))));

        world.now = World.START.plus(Duration.ofHours(2));
        world.done.clear();
        world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken", "DeleteToken");
        assertThat(only().name()).isEqualTo(newer.name());
    }

    @Test
    void aTokenOfAnotherMachineDeploymentIsNotTouched() {
        world.run(MD);
        StoredToken foreign = only();
        world.tokens.clear();
        TreeMap<String, String> mark = new TreeMap<>();
        mark.put(OwnershipAnnotations.OWNER, "other/one");
        world.token(foreign, World.START, mark);
        world.done.clear();

        world.run(MD);

        assertThat(world.tokens).hasSize(2);
        assertThat(world.kinds()).doesNotContain("ExtendToken", "DeleteToken");
    }

    @Test
    void aShorterLifeInTheSettingsShortensTheToken() {
        world.bootstrap(null, Duration.ofHours(24));
        world.run(MD);
        world.bootstrap(null, Duration.ofHours(2));
        world.done.clear();

        world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
        assertThat(only().expiration()).isEqualTo(World.START.plus(Duration.ofHours(2)));
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void whileAPublishedSecretMayHoldTheOldTokenBothAreExtended() {
        world.run(MD);
        StoredToken old = only();
        world.now = World.START.plus(Duration.ofDays(8));
        world.token(old, world.now.plus(Duration.ofMinutes(30)), new TreeMap<>());
        Decision decision = world.decide(MD);
        // Only the first write came through; all secrets still hold the old token.
        decision.changes().stream().filter(PlannedChange::createsToken).forEach(world::apply);

        assertThat(world.decide(MD).changes())
                .filteredOn(PlannedChange.ExtendToken.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        PlannedChange.ExtendToken.class,
                        change -> assertThat(change.found().name()).isEqualTo(old.name()));
    }

    @Test
    void readsWhatThePeerWrites() {
        TreeMap<String, String> data = new TreeMap<>();
        data.put(BootstrapToken.ID, "abcdef");
        data.put(BootstrapToken.SECRET, "0123456789abcdef");
        data.put(BootstrapToken.EXPIRATION, "2026-03-01T10:00:00+02:00");
        data.put(BootstrapToken.AUTHENTICATION, "true");
        data.put(BootstrapToken.GROUPS, "system:bootstrappers:a," + BootstrapToken.NODE_GROUP);
        StoredSecret secret = new StoredSecret(
                "kube-system",
                "bootstrap-token-abcdef",
                "u",
                "1",
                BootstrapToken.SECRET_TYPE,
                false,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                0,
                null);

        StoredToken token = StoredToken.of(secret, World.START, data);

        assertThat(token.expiration()).isEqualTo(World.START);
        assertThat(token.canJoin()).isTrue();
        assertThat(token.text().reveal()).isEqualTo("abcdef.0123456789abcdef");

        data.put(BootstrapToken.EXPIRATION, "tomorrow");
        data.put(BootstrapToken.GROUPS, "system:bootstrappers:another");

        assertThat(StoredToken.of(secret, World.START, data).expiration()).isNull();
        assertThat(StoredToken.of(secret, World.START, data).canJoin()).isFalse();
    }

    @Test
    void aMachineDeploymentThatGoesTakesItsTokens() {
        world.run(MD);
        world.annotate(MD, MachineDeployment.REVISION, "2").delete(MD).run(MD);

        assertThat(world.tokens).isEmpty();
    }
}
