package io.osmhub.tenancy.registry;

import static io.osmhub.tenancy.registry.RegisteredObjects.aWorkerCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.namespace.NamespaceRecord;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TenantRulesTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATE = Instant.parse("2026-01-01T00:00:09Z");
    private static final TenantRules EVERYBODY = new TenantRules(LabelSelector.EVERYTHING, "osm-hub", false);
    private static final NamespaceRecord NAMESPACE = new NamespaceRecord("t1", "n1", new TreeMap<>(), false);

    @Test
    void aLoneWorkerClusterIsServed() {
        var cluster = aWorkerCluster("t1", "a").read();

        assertThat(EVERYBODY.decide(cluster, NAMESPACE, List.of(cluster))).isEqualTo(new Standing.Served());
    }

    @Test
    void theOldestOfANamespaceIsItsTenant() {
        var older = aWorkerCluster("t1", "z").created(EARLY).read();
        var younger = aWorkerCluster("t1", "a").created(LATE).read();
        var both = List.of(younger, older);

        assertThat(EVERYBODY.decide(older, NAMESPACE, both)).isEqualTo(new Standing.Served());
        assertThat(EVERYBODY.decide(younger, NAMESPACE, both))
                .isInstanceOfSatisfying(Standing.Refused.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(Reason.TenantNamespaceTaken);
                    assertThat(refused.message()).contains("already belongs to WorkerCluster z");
                });
    }

    @Test
    void ofTwoMadeAtOneMomentTheNameDecides() {
        var a = aWorkerCluster("t1", "a").created(EARLY).read();
        var b = aWorkerCluster("t1", "b").created(EARLY).read();

        assertThat(EVERYBODY.decide(a, NAMESPACE, List.of(b, a))).isEqualTo(new Standing.Served());
        assertThat(EVERYBODY.decide(b, NAMESPACE, List.of(b, a))).isInstanceOf(Standing.Refused.class);
    }

    @Test
    void theNextOneWaitsUntilTheOlderIsGone() {
        var leaving = aWorkerCluster("t1", "a")
                .created(EARLY)
                .finalizer()
                .beingDeleted()
                .read();
        var next = aWorkerCluster("t1", "b").created(LATE).read();

        assertThat(EVERYBODY.decide(leaving, NAMESPACE, List.of(leaving, next))).isEqualTo(new Standing.Leaving());
        assertThat(EVERYBODY.decide(next, NAMESPACE, List.of(leaving, next))).isInstanceOf(Standing.Refused.class);
        assertThat(EVERYBODY.decide(next, NAMESPACE, List.of(next))).isEqualTo(new Standing.Served());
    }

    @Test
    void theManagementClusterAsWorkerIsRefusedOutsideOfSingleMode() {
        var local = aWorkerCluster("osm-hub", "local").managementCluster().read();

        assertThat(EVERYBODY.decide(local, NAMESPACE, List.of(local)))
                .isInstanceOfSatisfying(Standing.Refused.class, refused -> assertThat(refused.reason())
                        .isEqualTo(Reason.LocalTargetRefused));
    }

    @Test
    void inSingleModeOnlyTheHubsOwnNamespaceIsServed() {
        var single = new TenantRules(LabelSelector.EVERYTHING, "osm-hub", true);
        var local = aWorkerCluster("osm-hub", "local").managementCluster().read();
        var stranger = aWorkerCluster("t1", "local").managementCluster().read();

        assertThat(single.decide(local, NAMESPACE, List.of(local))).isEqualTo(new Standing.Served());
        assertThat(single.decide(stranger, NAMESPACE, List.of(stranger))).isEqualTo(new Standing.NotOurs());
    }

    @Test
    void onlySelectedNamespacesHoldTenants() {
        var rules = new TenantRules(Objects.requireNonNull(LabelSelector.parse("tier=prod")), "osm-hub", false);
        var cluster = aWorkerCluster("t1", "a").read();
        var labels = new TreeMap<String, String>();
        labels.put("tier", "prod");

        assertThat(rules.decide(cluster, NAMESPACE, List.of(cluster))).isEqualTo(new Standing.NotOurs());
        assertThat(rules.decide(cluster, null, List.of(cluster))).isEqualTo(new Standing.NotOurs());
        assertThat(rules.decide(cluster, new NamespaceRecord("t1", "n1", labels, false), List.of(cluster)))
                .isEqualTo(new Standing.Served());
    }

    @Test
    void whatHoldsTheHubsFinalizerIsLetGoAlsoWhenItsNamespaceIsNoLongerSelected() {
        var rules = new TenantRules(Objects.requireNonNull(LabelSelector.parse("tier=prod")), "osm-hub", false);
        var leaving = aWorkerCluster("t1", "a").finalizer().beingDeleted().read();

        assertThat(rules.decide(leaving, NAMESPACE, List.of(leaving))).isEqualTo(new Standing.Leaving());
    }

    @Test
    void aWorkerClusterBelongsToWhoHadItFirstHoweverOldTheOtherRegistrationIs() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).clusterId("c").read();
        var holders = List.of(younger);
        var claimants = List.of(older, younger);

        assertThat(TenantRules.duplicate(younger, "c", null, holders, claimants))
                .isNull();
        assertThat(Objects.requireNonNull(TenantRules.duplicate(older, "c", null, holders, claimants))
                        .reason())
                .isEqualTo(Reason.WorkerClusterDuplicate);
    }

    @Test
    void theOlderRegistrationHasItWhereNobodyOrBothHadIt() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();
        var both = List.of(younger, older);

        assertThat(TenantRules.duplicate(older, "c", null, List.of(), both)).isNull();
        assertThat(TenantRules.duplicate(younger, "c", null, List.of(), both)).isNotNull();
        assertThat(TenantRules.duplicate(older, "c", null, both, List.of())).isNull();
        assertThat(TenantRules.duplicate(younger, "c", null, both, List.of())).isNotNull();
        assertThat(TenantRules.duplicate(younger, "other", null, List.of(), List.of(younger)))
                .isNull();
    }

    @Test
    void anOperatorDecidesWhoseAWorkerClusterIsWhoeverHadItFirst() {
        var holder = aWorkerCluster("t1", "a").created(EARLY).clusterId("c").read();
        var other = aWorkerCluster("t2", "b").created(LATE).read();
        var holders = List.of(holder);
        var claimants = List.of(holder, other);

        assertThat(TenantRules.duplicate(other, "c", "t2", holders, claimants)).isNull();
        assertThat(TenantRules.duplicate(holder, "c", "t2", holders, claimants)).isNotNull();
        assertThat(TenantRules.duplicate(holder, "c", "t1", holders, claimants)).isNull();
        assertThat(TenantRules.duplicate(other, "c", "t1", holders, claimants)).isNotNull();
    }

    @Test
    void aTenantIsNotToldWhichOtherHasItsCluster() {
        var older = aWorkerCluster("secret-customer", "a")
                .created(EARLY)
                .clusterId("c")
                .read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();

        assertThat(Objects.requireNonNull(TenantRules.duplicate(younger, "c", null, List.of(older), List.of()))
                        .message())
                .doesNotContain("secret-customer");
    }

    @Test
    void clustersThatWereNeverReachedAreNoDuplicates() {
        var older = aWorkerCluster("t1", "a").created(EARLY).read();
        var younger = aWorkerCluster("t2", "b").created(LATE).read();

        assertThat(TenantRules.duplicate(younger, "", null, List.of(), List.of(older, younger)))
                .isNull();
    }
}
