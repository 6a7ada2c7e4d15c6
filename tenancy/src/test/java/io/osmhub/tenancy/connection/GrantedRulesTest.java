package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.wire.WireJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrantedRulesTest {
    private static final Permission SECRETS = new Permission("update", "", "secrets", "ns", "");
    private static final Permission LEASE = new Permission("get", "coordination.k8s.io", "leases", "ns", "one");

    private static GrantedRules rules(String rule) throws IOException {
        return new GrantedRules(WireJson.read(("{\"resourceRules\":[" + rule + "]}").getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"verbs\":[\"get\",\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"secrets\"]}",
                "{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}"
            })
    void aRuleThatNamesAllOfItAllowsIt(String rule) throws IOException {
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
    void aRuleThatMissesAPartDoesNot(String rule) throws IOException {
        assertThat(rules(rule).allows(SECRETS)).isFalse();
    }

    @Test
    void aNameIsAllowedByItsOwnRuleOnly() throws IOException {
        String leases = "\"apiGroups\":[\"coordination.k8s.io\"],\"resources\":[\"leases\"],\"verbs\":[\"get\"]";

        assertThat(rules("{" + leases + ",\"resourceNames\":[\"one\"]}").allows(LEASE))
                .isTrue();
        assertThat(rules("{" + leases + ",\"resourceNames\":[\"two\"]}").allows(LEASE))
                .isFalse();
        assertThat(rules("{" + leases + "}").allows(LEASE)).isTrue();
    }
}
