package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MessageTextTest {
    private static final String MISSING =
            "shop: MachineDeployment kube-system/a, spec.template.spec.providerSpec: missing";
    private static final String TYPO =
            "osm-profiles: OperatingSystemProfile osm-profiles/osp-typo, spec.bootstrapConfig.files[2] (/etc/x) line 1:4: "
                    + "function \"toYamll\" not defined; did you mean \"toYaml\"?";

    @Test
    void theEffectOnNewNodesIsExact() {
        assertThat(MessageText.effects(3, 0, 0, 0)).isEqualTo("All 3 MachineDeployments start nodes");
        assertThat(MessageText.effects(1, 0, 0, 1))
                .isEqualTo("The only MachineDeployment starts nodes, but is at risk");
        assertThat(MessageText.effects(3, 0, 2, 0)).isEqualTo("All 3 MachineDeployments start nodes, 2 outdated");
        assertThat(MessageText.effects(3, 0, 1, 1))
                .isEqualTo("All 3 MachineDeployments start nodes, 2 outdated or at risk");
    }

    @Test
    void aFixIsASentenceWithoutItsCommand() {
        assertThat(MessageText.advice("apply the worker role: hub cluster rbac shop -n shop | kubectl apply -f -"))
                .isEqualTo("Apply the worker role.");
        assertThat(MessageText.advice("move it to provisioningConfig of OperatingSystemProfile a/b: raise its version"))
                .isEqualTo("Move it to provisioningConfig of OperatingSystemProfile a/b: raise its version.");
    }

    @Test
    void theCauseHasNeitherTheTenantNorTheFix() {
        String message = "locked: Secret locked/kubeconfig: https://10.0.0.1 refuses the credential (401); "
                + "store a new kubeconfig: hub cluster rotate sandbox -n locked";

        assertThat(MessageText.exact(message, "")).isEqualTo("https://10.0.0.1 refuses the credential (401)");
    }

    @Test
    void aHeadlineThatSaysNothingAloneNamesItsField() {
        assertThat(MessageText.headline(MISSING, "ProviderSpecMissing"))
                .isEqualTo("spec.template.spec.providerSpec: missing");
        assertThat(MessageText.headline(TYPO, "TemplateSyntaxError")).isEqualTo("Function \"toYamll\" not defined");
    }

    @Test
    void theExactWordsNameTheFieldAlways() {
        assertThat(MessageText.exact(TYPO, "TemplateSyntaxError"))
                .isEqualTo("spec.bootstrapConfig.files[2] (/etc/x) line 1:4: function \"toYamll\" not defined");
        assertThat(MessageText.exact("shop: no connection", "Unreachable")).isEqualTo("No connection");
        assertThat(MessageText.exact("", "UserDataTooLarge")).isEqualTo("User data too large");
    }

    @Test
    void aClauseBecomesASentenceOnce() {
        assertThat(MessageText.sentence("set it again")).isEqualTo("Set it again.");
        assertThat(MessageText.sentence("did you mean \"toYaml\"?")).isEqualTo("Did you mean \"toYaml\"?");
        assertThat(MessageText.sentence("")).isEmpty();
    }

    @Test
    void oneOfAThingIsNotToldAsMany() {
        assertThat(MessageText.start(1)).isEqualTo("The only MachineDeployment starts nodes");
        assertThat(MessageText.start(3_647)).isEqualTo("All 3,647 MachineDeployments start nodes");
        assertThat(MessageText.verb(1, "is", "are")).isEqualTo("1 is");
        assertThat(MessageText.verb(0, "is", "are")).isEqualTo("0 are");
    }

    @Test
    void aSmallShareIsNotNothing() {
        assertThat(NumberFormats.share(3_575, 1_048_576)).isEqualTo("< 1 %");
        assertThat(NumberFormats.share(0, 1_048_576)).isEqualTo("0 %");
        assertThat(NumberFormats.share(32_688, 16_384)).isEqualTo("200 %");
    }
}
