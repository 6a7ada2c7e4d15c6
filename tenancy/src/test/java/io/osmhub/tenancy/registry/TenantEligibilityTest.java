package io.osmhub.tenancy.registry;

import static io.osmhub.tenancy.registry.RegisteredObjects.aWorkerCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TenantEligibilityTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATE = Instant.parse("2026-01-01T00:00:09Z");
    private static final TenantEligibility ALL_NAMESPACES =
            new TenantEligibility(LabelSelector.EVERYTHING, "osm-hub", false);
    private static final NamespaceRecord NAMESPACE = new NamespaceRecord("t1", "n1", new TreeMap<>(), false);

    @Test
    void aLoneWorkerClusterIsServed() {
        var cluster = aWorkerCluster("t1", "a").read();

        assertThat(ALL_NAMESPACES.decide(cluster, NAMESPACE, List.of(cluster)))
                .isEqualTo(new RegistrationState.Served());
    }

    @Test
    void theOldestOfANamespaceIsItsTenant() {
        var older = aWorkerCluster("t1", "z").created(EARLY).read();
        var younger = aWorkerCluster("t1", "a").created(LATE).read();
        var both = List.of(younger, older);

        assertThat(ALL_NAMESPACES.decide(older, NAMESPACE, both)).isEqualTo(new RegistrationState.Served());
        assertThat(ALL_NAMESPACES.decide(younger, NAMESPACE, both))
                .isInstanceOfSatisfying(RegistrationState.Refused.class, refused -> {
                    assertThat(refused.why().reason()).isEqualTo(Reason.TenantNamespaceTaken);
                    assertThat(refused.why().message()).contains("already belongs to WorkerCluster z");
                });
    }

    @Test
    void ofTwoMadeAtOneMomentTheNameDecides() {
        var a = aWorkerCluster("t1", "a").created(EARLY).read();
        var b = aWorkerCluster("t1", "b").created(EARLY).read();

        assertThat(ALL_NAMESPACES.decide(a, NAMESPACE, List.of(b, a))).isEqualTo(new RegistrationState.Served());
        assertThat(ALL_NAMESPACES.decide(b, NAMESPACE, List.of(b, a))).isInstanceOf(RegistrationState.Refused.class);
    }

    @Test
    void theNextOneWaitsUntilTheOlderIsGone() {
        var leaving = aWorkerCluster("t1", "a")
                .created(EARLY)
                .finalizer()
                .beingDeleted()
                .read();
        var next = aWorkerCluster("t1", "b").created(LATE).read();

        assertThat(ALL_NAMESPACES.decide(leaving, NAMESPACE, List.of(leaving, next)))
                .isEqualTo(new RegistrationState.Deleting());
        assertThat(ALL_NAMESPACES.decide(next, NAMESPACE, List.of(leaving, next)))
                .isInstanceOf(RegistrationState.Refused.class);
        assertThat(ALL_NAMESPACES.decide(next, NAMESPACE, List.of(next))).isEqualTo(new RegistrationState.Served());
    }

    @Test
    void theManagementClusterAsWorkerIsRefusedOutsideOfSingleMode() {
        var local = aWorkerCluster("osm-hub", "local").managementCluster().read();

        assertThat(ALL_NAMESPACES.decide(local, NAMESPACE, List.of(local)))
                .isInstanceOfSatisfying(
                        RegistrationState.Refused.class,
                        refused -> assertThat(refused.why().reason()).isEqualTo(Reason.LocalTargetRefused));
    }

    @Test
    void inSingleModeOnlyTheHubsOwnNamespaceIsServed() {
        var single = new TenantEligibility(LabelSelector.EVERYTHING, "osm-hub", true);
        var local = aWorkerCluster("osm-hub", "local").managementCluster().read();
        var stranger = aWorkerCluster("t1", "local").managementCluster().read();

        assertThat(single.decide(local, NAMESPACE, List.of(local))).isEqualTo(new RegistrationState.Served());
        assertThat(single.decide(stranger, NAMESPACE, List.of(stranger))).isEqualTo(new RegistrationState.Unmanaged());
    }

    @Test
    void onlySelectedNamespacesHoldTenants() {
        var rules = new TenantEligibility(Objects.requireNonNull(LabelSelector.parse("tier=prod")), "osm-hub", false);
        var cluster = aWorkerCluster("t1", "a").read();
        var labels = new TreeMap<String, String>();
        labels.put("tier", "prod");

        assertThat(rules.decide(cluster, NAMESPACE, List.of(cluster))).isEqualTo(new RegistrationState.Unmanaged());
        assertThat(rules.decide(cluster, null, List.of(cluster))).isEqualTo(new RegistrationState.Unmanaged());
        assertThat(rules.decide(cluster, new NamespaceRecord("t1", "n1", labels, false), List.of(cluster)))
                .isEqualTo(new RegistrationState.Served());
    }

    @Test
    void whatHoldsTheHubsFinalizerIsLetGoAlsoWhenItsNamespaceIsNoLongerSelected() {
        var rules = new TenantEligibility(Objects.requireNonNull(LabelSelector.parse("tier=prod")), "osm-hub", false);
        var leaving = aWorkerCluster("t1", "a").finalizer().beingDeleted().read();

        assertThat(rules.decide(leaving, NAMESPACE, List.of(leaving))).isEqualTo(new RegistrationState.Deleting());
    }

    @Test
    void aWorkerClusterBelongsToWhoHadItFirstHoweverOldTheOtherRegistrationIs() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).clusterId("c").read();
        var holders = List.of(younger);
        var claimants = List.of(older, younger);

        assertThat(TenantEligibility.duplicate(younger, "c", null, holders, claimants))
                .isNull();
        assertThat(Objects.requireNonNull(TenantEligibility.duplicate(older, "c", null, holders, claimants))
                        .reason())
                .isEqualTo(Reason.WorkerClusterDuplicate);
    }

    @Test
    void theOlderRegistrationHasItWhereNobodyOrBothHadIt() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();
        var both = List.of(younger, older);

        assertThat(TenantEligibility.duplicate(older, "c", null, List.of(), both))
                .isNull();
        assertThat(TenantEligibility.duplicate(younger, "c", null, List.of(), both))
                .isNotNull();
        assertThat(TenantEligibility.duplicate(older, "c", null, both, List.of()))
                .isNull();
        assertThat(TenantEligibility.duplicate(younger, "c", null, both, List.of()))
                .isNotNull();
        assertThat(TenantEligibility.duplicate(younger, "other", null, List.of(), List.of(younger)))
                .isNull();
    }

    @Test
    void anOperatorDecidesWhoseAWorkerClusterIsWhoeverHadItFirst() {
        var holder = aWorkerCluster("t1", "a").created(EARLY).clusterId("c").read();
        var other = aWorkerCluster("t2", "b").created(LATE).read();
        var holders = List.of(holder);
        var claimants = List.of(holder, other);

        assertThat(TenantEligibility.duplicate(other, "c", "t2", holders, claimants))
                .isNull();
        assertThat(TenantEligibility.duplicate(holder, "c", "t2", holders, claimants))
                .isNotNull();
        assertThat(TenantEligibility.duplicate(holder, "c", "t1", holders, claimants))
                .isNull();
        assertThat(TenantEligibility.duplicate(other, "c", "t1", holders, claimants))
                .isNotNull();
    }

    @Test
    void aTenantIsNotToldWhichOtherHasItsCluster() {
        var older = aWorkerCluster("secret-customer", "a")
                .created(EARLY)
                .clusterId("c")
                .read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();

        assertThat(Objects.requireNonNull(TenantEligibility.duplicate(younger, "c", null, List.of(older), List.of()))
                        .message())
                .doesNotContain("secret-customer");
    }

    @Test
    void clustersThatWereNeverReachedAreNoDuplicates() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();

        assertThat(TenantEligibility.duplicate(younger, "", null, List.of(), List.of(older, younger)))
                .isNull();
    }
}
