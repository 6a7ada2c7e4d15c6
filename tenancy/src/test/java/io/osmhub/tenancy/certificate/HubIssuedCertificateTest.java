package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.certificate.SharedSecret.SecretContent;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HubIssuedCertificateTest {
    private static final String NAMESPACE = "osm-hub";
    private static final Duration VALIDITY = Duration.ofDays(90);

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);

    private HubIssuedCertificate replica() {
        return replica(VALIDITY);
    }

    private HubIssuedCertificate replica(Duration validity) {
        return replica(management.api(), validity);
    }

    private HubIssuedCertificate replica(KubeApi by, Duration validity) {
        HubIssuedCertificate replica = new HubIssuedCertificate(
                by,
                NAMESPACE,
                new CertificateOptions(new TreeSet<>(List.of("hub.svc")), validity, 0.7),
                () -> true,
                new SecureRandom(),
                new RuntimeContext(time, time, new Random(1)));
        replica.start();
        time.settle();
        return replica;
    }

    private ObjectNode secret() {
        return Objects.requireNonNull(management.object(Resource.SECRETS, NAMESPACE, HubIssuedCertificate.SECRET));
    }

    private X509Certificate stored() throws GeneralSecurityException {
        return SecretContent.of(secret()).leaf().certificate();
    }

    @Test
    void theFirstReplicaMakesThemAndTheOthersTakeThemOver() {
        HubIssuedCertificate first = replica();
        String authorities = first.authorities();

        HubIssuedCertificate second = replica();

        assertThat(first.isLoaded()).isTrue();
        assertThat(second.isLoaded()).isTrue();
        assertThat(second.authorities()).isEqualTo(authorities);
        assertThat(second.expiryTimes()).isEqualTo(first.expiryTimes()).containsOnlyKeys("ca", "leaf");
        assertThat(secret().path("type").asText()).isEqualTo("kubernetes.io/tls");
    }

    @Test
    void twoReplicasThatBeginAtOnceEndWithOneAuthority() {
        HubIssuedCertificate one = new HubIssuedCertificate(
                management.api(),
                NAMESPACE,
                new CertificateOptions(new TreeSet<>(List.of("hub.svc")), VALIDITY, 0.7),
                () -> true,
                new SecureRandom(),
                new RuntimeContext(time, time, new Random(1)));
        one.start();
        HubIssuedCertificate other = replica();
        time.pass(Duration.ofSeconds(5));

        assertThat(one.authorities()).isNotNull().isEqualTo(other.authorities());
        assertThat(one.problem()).isNull();
        assertThat(other.problem()).isNull();
    }

    @Test
    void aReplicaThatMayNotWriteShowsWhatOthersStore() {
        HubIssuedCertificate idle = new HubIssuedCertificate(
                management.api(),
                NAMESPACE,
                new CertificateOptions(new TreeSet<>(List.of("hub.svc")), VALIDITY, 0.7),
                () -> false,
                new SecureRandom(),
                new RuntimeContext(time, time, new Random(1)));
        idle.start();
        time.settle();
        assertThat(idle.isLoaded()).isFalse();
        assertThat(management.writes()).isZero();

        replica();
        time.settle();

        assertThat(idle.isLoaded()).isTrue();
    }

    /** An API server may hear of a change as late as 18 hours after it, a twelfth of a validity, and still trusts whatever is shown. */
    @Test
    void overTwoAuthoritiesNothingIsShownThatALateApiServerWouldRefuse() throws GeneralSecurityException {
        Duration validity = Duration.ofDays(9);
        HubIssuedCertificate replica = replica(validity);
        Deque<String> bundles = new ArrayDeque<>();
        int leaves = 0;
        X509Certificate before = stored();

        for (int quarter = 0; quarter < 4 * 16 * validity.toDays(); quarter++) {
            bundles.addLast(Objects.requireNonNull(replica.authorities()));
            if (bundles.size() > 3) {
                bundles.removeFirst();
            }
            time.pass(Duration.ofHours(6));
            X509Certificate shown = stored();
            leaves += shown.equals(before) ? 0 : 1;
            before = shown;
            assertThat(replica.isLoaded()).as("quarter %d", quarter).isTrue();
            for (String bundle : bundles) {
                assertThat(CertificatePem.readCertificates(bundle))
                        .as("quarter %d", quarter)
                        .anyMatch(authority -> CertificateIssuer.hasSigned(authority, shown));
            }
        }

        assertThat(leaves).isBetween(22, 27);
        assertThat(replica.problem()).isNull();
    }

    @Test
    void aDeletedSecretIsStoredAgainWithTheSameAuthorityAndAnotherCertificate() throws GeneralSecurityException {
        HubIssuedCertificate replica = replica();
        String authorities = replica.authorities();
        X509Certificate before = stored();

        management.remove(Resource.SECRETS, NAMESPACE, HubIssuedCertificate.SECRET);
        time.pass(Duration.ofSeconds(1));

        assertThat(stored()).isNotEqualTo(before);
        assertThat(replica.authorities()).isEqualTo(authorities);
    }

    /** As a hub stored it that kept its authority in another Secret. */
    @Test
    void aCertificateWhoseAuthorityIsLostIsServedUntilItsRenewal() throws GeneralSecurityException {
        replica().stop();
        X509Certificate before = stored();
        ObjectNode withoutKey = secret().deepCopy();
        ((ObjectNode) withoutKey.path("data")).remove("ca.key");
        management.put(Resource.SECRETS, withoutKey.toString(), "somebody");

        HubIssuedCertificate replica = replica();

        assertThat(stored()).isEqualTo(before);
        List<X509Certificate> trusted = CertificatePem.readCertificates(Objects.requireNonNull(replica.authorities()));
        assertThat(trusted).hasSize(2);
        assertThat(CertificateIssuer.hasSigned(trusted.getLast(), before)).isTrue();
        time.pass(Duration.ofDays(65));
        assertThat(CertificateIssuer.hasSigned(trusted.getFirst(), stored())).isTrue();
    }

    @Test
    void aCertificateThatIsDeletedBeforeTheAnswerToItsCreationComesIsStoredAgain() {
        AtomicBoolean deletes = new AtomicBoolean(true);
        KubeApi hasty = new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                byte[] answer = management.send(request);
                if (management.object(Resource.SECRETS, NAMESPACE, HubIssuedCertificate.SECRET) != null
                        && deletes.compareAndSet(true, false)) {
                    management.remove(Resource.SECRETS, NAMESPACE, HubIssuedCertificate.SECRET);
                    time.settle();
                }
                return answer;
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return management.watch(request, lines);
            }
        }.api();

        HubIssuedCertificate replica = replica(hasty, VALIDITY);
        time.pass(Duration.ofSeconds(1));

        assertThat(deletes).isFalse();
        assertThat(secret()).isNotNull();
        assertThat(replica.isLoaded()).isTrue();
    }

    @Test
    void aSecretThatCannotBeReadIsReplaced() throws GeneralSecurityException {
        management.put(Resource.SECRETS, """
                {"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"osm-hub","name":"osm-hub-webhook-tls"},
                 "type":"kubernetes.io/tls","data":{"tls.crt":"bm9uZQ==","tls.key":"IQ=="}}""", "somebody");

        HubIssuedCertificate replica = replica();

        assertThat(replica.isLoaded()).isTrue();
        assertThat(stored()).isNotNull();
    }

    @Test
    void peopleAreToldWhenACertificateIsNotRenewed() {
        HubIssuedCertificate replica = replica();
        management.failWrites(SimulatedServer.status(403, "Forbidden", "secrets are forbidden"));

        time.pass(Duration.ofDays(70));
        assertThat(replica.problem()).isNull();
        time.pass(Duration.ofDays(13));

        assertThat(replica.problem())
                .contains("Secret osm-hub/osm-hub-webhook-tls", "secrets are forbidden")
                .doesNotContain("PRIVATE");
        management.failWrites(null);
        time.pass(Duration.ofHours(3));
        assertThat(replica.problem()).isNull();
    }
}
