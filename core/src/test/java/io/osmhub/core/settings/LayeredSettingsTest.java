package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.LayeredSettings.SettingSource;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import org.junit.jupiter.api.Test;

class LayeredSettingsTest {
    private static SettingsLayer layer(String yaml) {
        return SettingsReader.readFile(YamlDocumentReader.read("settings.yaml", yaml, Reason.SettingsInvalid)
                .getFirst());
    }

    private static Provisioning effective(String tenant, String hub) {
        return new LayeredSettings(layer(tenant), layer(hub)).toTenantSettings().provisioning();
    }

    @Test
    void aHigherLayerReplacesAValueWhole() {
        String hub =
                "provisioning: {clusterDNS: [10.0.0.1, 10.0.0.2], kubelet: {featureGates: {A: true}}, registries: {insecure: [a]}}";
        Provisioning settings =
                effective("provisioning: {clusterDNS: [fd00::A], kubelet: {featureGates: {B: false}}}", hub);

        assertThat(settings.clusterDns()).containsExactly("fd00::a");
        assertThat(settings.kubelet().featureGates()).containsOnlyKeys("B", "RotateKubeletServerCertificate");
        assertThat(settings.registries().insecure()).containsExactly("a");
    }

    @Test
    void anEmptyValueSwitchesAnInheritedOneOff() {
        String hub =
                "provisioning: {proxy: {httpProxy: 'http://p:1', noProxy: [a]}, registries: {insecure: [a], credentialsSecretRef: {name: s}}}";
        Provisioning settings = effective(
                "provisioning: {proxy: {httpProxy: '', noProxy: []}, registries: {insecure: [], credentialsSecretRef: {name: ''}}}",
                hub);

        assertThat(settings.proxy().httpProxy()).isEmpty();
        assertThat(settings.proxy().noProxy()).isEmpty();
        assertThat(settings.registries().insecure()).isEmpty();
        assertThat(settings.registries().credentialsSecret()).isNull();
    }

    @Test
    void aTenantsProxyUrlStandsInPlaceOfTheHubsSecret() {
        String hub = "provisioning: {proxy: {httpProxySecretRef: {name: s, key: k}}}";

        assertThat(effective("{}", hub).proxy().httpProxySecret()).isEqualTo(new KeyRef("s", "k"));
        assertThat(effective("provisioning: {proxy: {httpProxy: ''}}", hub)
                        .proxy()
                        .httpProxySecret())
                .isNull();
    }

    @Test
    void thePlatformsLayerIsBetweenTenantAndHub() {
        SettingsLayer platform = layer("provisioning: {proxy: {httpProxy: 'http://p:1'}, airGapped: true}");
        SettingsLayer hub =
                layer("provisioning: {proxy: {httpProxySecretRef: {name: s, key: k}, noProxy: [h]}, airGapped: false}");
        LayeredSettings settings = new LayeredSettings(layer("provisioning: {airGapped: false}"), platform, hub);

        assertThat(settings.source(Setting.AIR_GAPPED)).isEqualTo(SettingSource.TENANT);
        assertThat(settings.source(Setting.HTTP_PROXY)).isEqualTo(SettingSource.PLATFORM);
        assertThat(settings.source(Setting.NO_PROXY)).isEqualTo(SettingSource.HUB);
        assertThat(settings.toTenantSettings().provisioning().proxy().httpProxySecret())
                .isNull();
        assertThat(new LayeredSettings(
                                layer("provisioning: {proxy: {httpProxySecretRef: {name: t, key: k}}}"),
                                platform,
                                SettingsLayer.EMPTY)
                        .toTenantSettings()
                        .provisioning()
                        .proxy()
                        .httpProxySecret())
                .isEqualTo(new KeyRef("t", "k"));
    }

    @Test
    void knowsWhoDecided() {
        LayeredSettings settings = new LayeredSettings(
                layer("provisioning: {airGapped: false}"),
                layer("provisioning: {airGapped: true, externalCloudProvider: true}"));

        assertThat(settings.source(Setting.AIR_GAPPED)).isEqualTo(SettingSource.TENANT);
        assertThat(settings.source(Setting.EXTERNAL_CLOUD_PROVIDER)).isEqualTo(SettingSource.HUB);
        assertThat(settings.source(Setting.PAUSE_IMAGE)).isEqualTo(SettingSource.BUILT_IN);
        assertThat(settings.get(Setting.AIR_GAPPED).booleanValue()).isFalse();
    }

    @Test
    void textFormsAreThoseOfThePeersFlags() {
        Provisioning settings = effective(
                "provisioning: {kubelet: {initialTaints: [{key: a, effect: NoSchedule}, {key: b, value: '', effect: NoExecute}, {key: c, value: d, effect: PreferNoSchedule}]}, proxy: {noProxy: [v, w]}}",
                "{}");

        assertThat(settings.kubelet().initialTaints()).isEqualTo("a:NoSchedule,b=:NoExecute,c=d:PreferNoSchedule");
        assertThat(settings.proxy().noProxy()).isEqualTo("v,w");
    }

    @Test
    void tellsAllMistakesOfAFileAtOnce() {
        assertThatThrownBy(
                        () -> layer(
                                "provisioning: {clusterDNS: [x], kubelt: {}, proxy: {httpProxy: 'ftp://u:Hunter2@p', httpProxySecretRef: {name: s, key: k}}, kubernetesCA: {}, bootstrap: {tokenTTL: 5m, apiServerURL: 'http://a'}, registries: {mirrors: [{registry: r, endpoints: [{url: 'u:Hunter2@x'}]}]}}"))
                .hasMessageContaining("clusterDNS[0]: must be an IPv4 or IPv6 address")
                .hasMessageContaining("provisioning.kubelt: unknown field; did you mean \"kubelet\"?")
                .hasMessageContaining("must be empty, or an http or https URL with a host")
                .hasMessageContaining("must not contain a user or password")
                .hasMessageContaining("set exactly one of inline, configMapKeyRef and secretKeyRef")
                .hasMessageContaining("must be between 90m and 24h")
                .hasMessageContaining("must be empty, or an https URL with a host")
                .hasMessageContaining("endpoints[0].url: must be an http or https URL with a host")
                .hasMessageNotContaining("Hunter2");
    }

    @Test
    void twoSourcesOfTheProxyAreAMistake() {
        assertThatThrownBy(() -> layer(
                        "provisioning: {proxy: {httpProxy: 'http://p:1', httpProxySecretRef: {name: s, key: k}}}"))
                .hasMessageContaining("provisioning.proxy: set only one of httpProxy and httpProxySecretRef");
    }
}
