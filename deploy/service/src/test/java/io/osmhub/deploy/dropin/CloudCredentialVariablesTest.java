package io.osmhub.deploy.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CloudCredentialVariablesTest {
    @Test
    void onlyWhatIsMeantForACloudIsTakenFromTheProcess() {
        assertThat(CloudCredentialVariables.of(Map.of(
                        "AZURE_CLIENT_ID", "a",
                        "OS_AUTH_URL", "b",
                        "VSPHERE_ADDRESS", "c",
                        "GOOGLE_SERVICE_ACCOUNT", "d",
                        "KUBEVIRT_KUBECONFIG", "e",
                        "POD_NAMESPACE", "f",
                        "PATH", "/bin",
                        "OSM_HUB_LOG_LEVEL", "debug")))
                .containsOnlyKeys(
                        "AZURE_CLIENT_ID",
                        "GOOGLE_SERVICE_ACCOUNT",
                        "KUBEVIRT_KUBECONFIG",
                        "OS_AUTH_URL",
                        "POD_NAMESPACE",
                        "VSPHERE_ADDRESS");
    }
}
