package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectRulesReviewStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantedRulesTest {
    private static final Permission SECRETS = new Permission("update", "", "secrets", "ns", "");
    private static final Permission LEASE = new Permission("get", "coordination.k8s.io", "leases", "ns", "one");

    private static GrantedRules rules(String rule) {
        return new GrantedRules(new KubernetesSerialization()
                .unmarshal("{\"resourceRules\":[" + rule + "]}", SubjectRulesReviewStatus.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"verbs\":[\"get\",\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"secrets\"]}",
                "{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}"
            })
    void aRuleThatNamesAllOfItAllowsIt(String rule) {
        assertThat(rules(rule).allows(SECRETS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"secrets\"]}",
                "{\"verbs\":[\"update\"],\"apiGroups\":[\"apps\"],\"resources\":[\"secrets\"]}",
                "{\"verbs\":[\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}",
                "{\"verbs\":[\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"resourceNames\":[\"one\"]}",
                "{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"secrets\"]},"
                        + "{\"verbs\":[\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}"
            })
    void aRuleThatMissesAPartDoesNot(String rule) {
        assertThat(rules(rule).allows(SECRETS)).isFalse();
    }

    @Test
    void aNameIsAllowedByItsOwnRuleOnly() {
        String leases = "\"apiGroups\":[\"coordination.k8s.io\"],\"resources\":[\"leases\"],\"verbs\":[\"get\"]";

        assertThat(rules("{" + leases + ",\"resourceNames\":[\"one\"]}").allows(LEASE))
                .isTrue();
        assertThat(rules("{" + leases + ",\"resourceNames\":[\"two\"]}").allows(LEASE))
                .isFalse();
        assertThat(rules("{" + leases + "}").allows(LEASE)).isTrue();
    }
}
