package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.certificate.SessionKeys.SessionKey;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionKeysTest {
    private static final Duration LIFE = Duration.ofHours(8);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);

    private SessionKeys unstarted() {
        return new SessionKeys(
                management.api(), "osm-hub", new SecureRandom(), new RuntimeContext(time, time, new Random(1)));
    }

    private SessionKeys replica() {
        SessionKeys keys = unstarted();
        keys.start();
        time.settle();
        return keys;
    }

    private JsonNode data() {
        JsonNode secret = management.object(Resource.SECRETS, "osm-hub", SessionKeys.SECRET);
        return secret == null ? SimulatedServer.JSON.createObjectNode() : secret.path("data");
    }

    private byte[] storedKey() {
        return Base64.getDecoder()
                .decode(new String(Base64.getDecoder().decode(data().path("key").asText()), StandardCharsets.UTF_8));
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
        assertThat(storedKey()).isEqualTo(one.sealing().key().getEncoded());
    }

    @Test
    void aKeyStaysUntilItsSecretIsDeleted() {
        SessionKeys one = replica();
        SessionKeys other = replica();
        String before = one.sealing().id();
        management.forgetRequests();

        time.pass(Duration.ofDays(100));
        assertThat(one.find(before)).isPresent();
        assertThat(management.writes()).isZero();
        management.remove(Resource.SECRETS, "osm-hub", SessionKeys.SECRET);
        time.pass(Duration.ofSeconds(10));

        assertThat(one.find(before)).isEmpty();
        assertThat(other.find(before)).isEmpty();
        assertThat(one.sealing().id()).isEqualTo(other.sealing().id());
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
                 "type":"Opaque","data":{"key":"bm9uZQ==","ended":"IQ==","other":"eA=="}}""", "kubectl");

        SessionKeys keys = replica();

        assertThat(storedKey()).isEqualTo(keys.sealing().key().getEncoded());
        assertThat(data()).hasSize(1);
    }

    @Test
    void aReplicaThatMayNotReadTheSecretUsesItsOwnKey() {
        management.forbid(request -> request.resource().equals(Resource.SECRETS));

        SessionKeys keys = replica();

        assertThat(keys.isLoading()).isFalse();
        assertThat(keys.find(keys.sealing().id())).isPresent();
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
        assertThat(storedKey()).isEqualTo(keys.sealing().key().getEncoded());
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
