package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.management.StatusWriter;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HubSettingsFactoryTest {
    @Test
    void theHubsOwnAddressesAreThoseOfItsHostAndOfItsServices() throws Exception {
        assertThat(HubSettingsFactory.ownAddresses(Map.of(
                        "OSM_HUB_SERVICE_HOST", "10.96.7.7",
                        "OSM_HUB_V6_SERVICE_HOST", "2001:db8::7",
                        "OTHER_SERVICE_HOST", "name.example",
                        "KUBERNETES_SERVICE_HOST", "10.96.0.1",
                        "PATH", "10.96.8.8")))
                .contains(
                        InetAddress.getLoopbackAddress(),
                        InetAddress.getByName("10.96.7.7"),
                        InetAddress.getByName("2001:db8::7"))
                .doesNotContain(InetAddress.getByName("10.96.0.1"), InetAddress.getByName("10.96.8.8"));
    }

    @Test
    void theBuiltInConfigurationHasTheLimitsOfThePartsThatUseThem() {
        HubConfiguration builtIn = HubConfiguration.builtInDefaults();

        assertThat(HubSettingsFactory.policy(builtIn.kubeconfigPolicy())).isEqualTo(KubeconfigPolicy.DEFAULT);
        assertThat(ServiceRuntime.renderLimits(builtIn.render())).isEqualTo(RenderLimits.DEFAULT);
        assertThat(builtIn.management().statusesPerSecond()).isEqualTo(StatusWriter.USUAL_RATE);
    }
}
