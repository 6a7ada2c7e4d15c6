package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.FetchToken;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens with which machines fetch, over days: at least twenty minutes are always left. */
class FetchLifeTest {
    private static final String MD = "kube-system/workers";
    private static final Duration SAMPLE = Duration.ofMinutes(1);
    private static final Duration OUTAGE = Duration.ofMinutes(40);
    private static final Duration RETRY = Duration.ofMinutes(1);
    private static final Duration REFUSING = Duration.ofMinutes(8);

    private final World world =
            new World(11).machineDeployment("kube-system", "workers").scoped();
    private final Random random = new Random(72);
    private @Nullable Instant alarm;
    private Instant backAt = Instant.MIN;
    private Instant tokensAgainAt = Instant.MIN;

    private void run() {
        Decision decision = world.decide(MD);
        for (PlannedChange change : decision.changes()) {
            if (change instanceof PlannedChange.RequestFetchToken && world.now.isBefore(tokensAgainAt)) {
                alarm = world.now.plus(RETRY);
                return;
            }
            world.apply(change);
        }
        if (decision.changes().stream().anyMatch(PlannedChange.RequestFetchToken.class::isInstance)) {
            decision = world.decide(MD);
            decision.changes().forEach(world::apply);
        }
        alarm = decision.requeueAt();
    }

    private void tick() {
        world.now = world.now.plus(SAMPLE);
        boolean due = alarm != null && !alarm.isAfter(world.now);
        if (!world.now.isBefore(backAt) && due) {
            run();
        }
    }

    private Duration left() {
        FetchToken token = Objects.requireNonNull(world.publishedFetchToken(MD));
        return Duration.between(world.now, token.expiration());
    }

    @ParameterizedTest
    @CsvSource({"false, PT4H", "true, PT4H", "true, PT3H", "true, PT24H", "true, PT8760H"})
    void threeDaysWithOutagesAlwaysLeaveTwentyMinutes(boolean busy, Duration granted) {
        world.fetchTokenLife = granted;
        run();
        for (int minute = 0; minute < 72 * 60; minute++) {
            if (busy && random.nextInt(30) == 0) {
                world.profileText = random.nextInt(4) == 0 ? "{{ fail `x` }}" : "text " + random.nextInt(3);
                if (!world.now.isBefore(backAt)) {
                    run();
                }
            }
            boolean beforeRenewal = alarm != null && world.now.plus(SAMPLE).equals(alarm);
            if (beforeRenewal && !world.now.isBefore(tokensAgainAt) && random.nextBoolean()) {
                // As late as can be: the hub is away when the next token is due, and then none is given for a while.
                backAt = world.now.plus(OUTAGE);
                tokensAgainAt = backAt.plus(REFUSING);
                world.fresh.clear();
            }
            tick();
            assertThat(left()).as("at minute %s", minute).isGreaterThanOrEqualTo(Duration.ofMinutes(20));
            assertThat(world.fetches(MD)).isTrue();
        }
        assertThat(world.grants).hasSize(3);
        long most = Duration.ofDays(3)
                        .dividedBy(granted.minus(FetchTokenPlanner.RENEW_BEFORE).minus(FetchTokenPlanner.SPREAD))
                + 2;
        assertThat(world.tokenRequests).isLessThanOrEqualTo((int) most);
    }

    @Test
    void thousandsDoNotRenewAtOnce() {
        int count = 300;
        // So that it is not bootstrap tokens that want something first.
        world.bootstrap(null, Duration.ofDays(1));
        List<Instant> renewals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            world.machineDeployment("kube-system", "md" + i);
            Decision decision = world.run("kube-system/md" + i);
            renewals.add(Objects.requireNonNull(decision.requeueAt()));
        }

        TreeSet<Instant> minutes = new TreeSet<>();
        renewals.replaceAll(moment -> moment.truncatedTo(ChronoUnit.MINUTES));
        minutes.addAll(renewals);
        assertThat(minutes).hasSizeGreaterThan(9);
        for (Instant minute : minutes) {
            assertThat(renewals).filteredOn(minute::equals).hasSizeLessThan(count / 3);
        }
        assertThat(Duration.between(minutes.first(), minutes.last())).isLessThanOrEqualTo(FetchTokenPlanner.SPREAD);
    }
}
