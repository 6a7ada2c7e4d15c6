package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.certificate.SessionKeys.SessionKey;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class SessionKeysTest {
    private static final Duration LIFE = Duration.ofHours(8);

    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer management = new FakeApiServer(time);

    private SessionKeys unstarted() {
        return new SessionKeys(
                management, "osm-hub", LIFE, new SecureRandom(), new RuntimeContext(time, time, new Random(1)));
    }

    private SessionKeys replica() {
        SessionKeys keys = unstarted();
        keys.start();
        time.settle();
        return keys;
    }

    private JsonNode data() {
        JsonNode secret = management.object(Resource.SECRETS, "osm-hub", SessionKeys.SECRET);
        return secret == null ? FakeApiServer.JSON.createObjectNode() : secret.path("data");
    }

    private List<String> storedKeys() {
        Iterable<String> names = data()::fieldNames;
        return StreamSupport.stream(names.spliterator(), false)
                .filter(name -> name.endsWith(".key"))
                .toList();
    }

    @Test
    void allReplicasUseTheKeyOfTheFirst() {
        SessionKeys first = unstarted();
        SessionKey beforeStart = first.sealing();
        first.start();
        time.settle();
        SessionKeys second = replica();

        assertThat(first.sealing()).isEqualTo(beforeStart);
        assertThat(second.sealing().id()).isEqualTo(first.sealing().id());
        assertThat(second.sealing().key().getEncoded())
                .hasSize(32)
                .isEqualTo(first.sealing().key().getEncoded());
        assertThat(first.isLoading()).isFalse();
    }

    @Test
    void twoReplicasThatStartAtOnceEndWithOneKey() {
        SessionKeys one = unstarted();
        SessionKeys other = unstarted();
        one.start();
        other.start();
        time.pass(Duration.ofSeconds(5));

        assertThat(one.sealing().id()).isEqualTo(other.sealing().id());
        assertThat(storedKeys()).containsExactly(one.sealing().id() + ".key");
    }

    @Test
    void aNewKeySealsOnlyWhenEveryReplicaHasIt() {
        SessionKeys one = replica();
        SessionKeys other = replica();
        String old = one.sealing().id();

        while (storedKeys().size() < 2) {
            time.pass(Duration.ofSeconds(10));
        }
        assertThat(one.sealing().id()).isEqualTo(old);
        String next = storedKeys().stream()
                .map(name -> name.replace(".key", ""))
                .filter(id -> !id.equals(old))
                .findFirst()
                .orElseThrow();
        assertThat(one.find(next)).isPresent();
        assertThat(other.find(next)).isPresent();
        time.pass(Duration.ofMinutes(1));

        assertThat(one.sealing().id()).isEqualTo(next);
        assertThat(other.sealing().id()).isEqualTo(next);
    }

    @Test
    void anOldKeyOpensUntilItsLastSessionHasEnded() {
        SessionKeys keys = replica();
        String old = keys.sealing().id();
        while (keys.sealing().id().equals(old)) {
            time.pass(Duration.ofSeconds(10));
        }

        time.pass(LIFE.minusMinutes(1));
        assertThat(keys.find(old)).isPresent();
        time.pass(Duration.ofDays(2));

        assertThat(keys.find(old)).isEmpty();
        assertThat(storedKeys()).hasSizeLessThanOrEqualTo(2).doesNotContain(old + ".key");
    }

    @Test
    void theSecretIsWrittenOnceADay() {
        replica();
        replica();
        management.forgetRequests();

        time.pass(Duration.ofDays(10));

        assertThat(management.writes()).isBetween(10L, 21L);
    }

    @Test
    void manySessionsThatEndAtOnceAreOneWrite() {
        SessionKeys one = replica();
        SessionKeys other = replica();
        management.forgetRequests();

        for (int i = 0; i < 500; i++) {
            one.end("session-" + i, time.now().plus(LIFE));
        }
        assertThat(one.isEnded("session-0")).isTrue();
        assertThat(other.isEnded("session-0")).isFalse();
        time.pass(Duration.ofSeconds(2));

        assertThat(management.writes()).isEqualTo(1);
        assertThat(other.isEnded("session-499")).isTrue();
        assertThat(replica().isEnded("session-0")).isTrue();
    }

    @Test
    void endedSessionsOfTwoReplicasAreMerged() {
        SessionKeys one = replica();
        SessionKeys other = replica();

        one.end("a", time.now().plus(LIFE));
        other.end("b", time.now().plus(LIFE));
        time.pass(Duration.ofSeconds(10));

        assertThat(one.isEnded("b")).isTrue();
        assertThat(other.isEnded("a")).isTrue();
    }

    @Test
    void endedSessionsAreForgottenWhenTheyWouldHaveEndedAndAreLimited() {
        SessionKeys keys = replica();
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 1_000; i++) {
                keys.end("session-" + round + "-" + i, time.now().plus(LIFE));
            }
            time.pass(Duration.ofSeconds(2));
        }
        assertThat(keys.isEnded("session-4-999")).isTrue();
        assertThat(data().path("ended").asText().length()).isBetween(1, 200_000);

        time.pass(Duration.ofDays(2));

        assertThat(keys.isEnded("session-4-999")).isFalse();
        assertThat(data().has("ended")).isFalse();
    }

    @Test
    void anUnusableSecretIsReplaced() {
        management.put(Resource.SECRETS, """
                {"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"osm-hub","name":"osm-hub-session-keys"},
                 "type":"Opaque","data":{"0a0a0a0a.key":"bm9uZQ==","ended":"!","other":"eA=="}}""", "kubectl");

        SessionKeys keys = replica();

        assertThat(storedKeys()).containsExactly(keys.sealing().id() + ".key");
        assertThat(keys.find("0a0a0a0a")).isEmpty();
    }

    @Test
    void aKeyWithANameThatCookiesCannotHoldIsIgnored() {
        String key = Base64.getEncoder()
                .encodeToString(("2020-01-01T00:00:00Z " + Base64.getEncoder().encodeToString(new byte[32]))
                        .getBytes(StandardCharsets.UTF_8));
        management.put(Resource.SECRETS, """
                {"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"osm-hub","name":"osm-hub-session-keys"},
                 "type":"Opaque","data":{"other.key":"%s"}}""".formatted(key), "kubectl");

        SessionKeys keys = replica();

        assertThat(keys.find("other")).isEmpty();
        assertThat(keys.sealing().id()).matches("[0-9a-f]{8}");
    }

    @Test
    void aReplicaThatMayNotReadTheSecretUsesItsOwnKey() {
        management.forbid(request -> request.resource().equals(Resource.SECRETS));

        SessionKeys keys = replica();

        assertThat(keys.isLoading()).isFalse();
        assertThat(keys.find(keys.sealing().id())).isPresent();
    }

    @Test
    void aKeyThatIsNotSharedIsRenewedDailyToo() {
        management.forbid(request -> request.resource().equals(Resource.SECRETS));
        SessionKeys keys = replica();
        String first = keys.sealing().id();

        time.pass(Duration.ofDays(1).plusMinutes(2));
        assertThat(keys.sealing().id()).isNotEqualTo(first);
        assertThat(keys.find(first)).as("its sessions last").isPresent();

        time.pass(Duration.ofDays(2));
        assertThat(keys.find(first)).isEmpty();
    }

    @Test
    void aSecretThatIsDeletedAndCannotBeCreatedAgainEndsAllSessions() {
        SessionKeys keys = replica();
        String before = keys.sealing().id();
        management.forbid(request -> request.verb() == Verb.CREATE);

        management.remove(Resource.SECRETS, "osm-hub", SessionKeys.SECRET);
        time.pass(Duration.ofSeconds(10));
        String after = keys.sealing().id();
        time.pass(Duration.ofMinutes(10));

        assertThat(keys.find(before)).isEmpty();
        assertThat(keys.isLoading()).isFalse();
        assertThat(keys.sealing().id()).as("new sessions last").isEqualTo(after);
        management.forbid(request -> false);
        time.pass(Duration.ofMinutes(2));
        assertThat(storedKeys()).containsExactly(after + ".key");
    }

    @Test
    void aSessionThatEndsJustBeforeTheHubStopsIsStored() {
        SessionKeys keys = replica();
        keys.end("session", time.now().plus(LIFE));

        keys.stop();

        assertThat(replica().isEnded("session")).isTrue();
    }

    @Test
    void anEndedSessionIsCountedBeforeAndAfterItIsStored() {
        SessionKeys keys = replica();
        keys.end("stored", time.now().plus(LIFE));
        time.pass(Duration.ofSeconds(5));
        keys.end("new", time.now().plus(LIFE));

        assertThat(keys.endedSessions()).isEqualTo(2);
        time.pass(Duration.ofSeconds(5));
        assertThat(keys.endedSessions()).isEqualTo(2);
    }

    @Test
    void theNumberOfEndedSessionsIsCountedUpToTheLimit() {
        SessionKeys keys = replica();
        for (int i = 0; i <= 2_000; i++) {
            keys.end("session-" + i, time.now().plus(LIFE));
        }
        assertThat(keys.endedSessions()).isEqualTo(2_000);

        time.pass(Duration.ofSeconds(2));
        assertThat(keys.endedSessions()).isEqualTo(2_000);
        time.pass(Duration.ofDays(2));
        assertThat(keys.endedSessions()).isZero();
    }

    @Test
    void noTextRevealsAKey() {
        SessionKeys keys = replica();

        assertThat(keys.sealing().toString())
                .doesNotContain(
                        Base64.getEncoder().encodeToString(keys.sealing().key().getEncoded()));
    }
}
