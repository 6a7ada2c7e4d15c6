package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.Renderer.RenderInput;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One combination that machines may be asked for. */
record ProfileCombination(ShippedProfile subject, String provider, String minor, TenantVariant variant) {
    static final String API_SERVER = "https://api.internal.example:6443";

    /** The authority of a cluster that kubeadm made. */
    static final String CA = TestFile.text("kubernetes-ca.pem");

    private static final String NAMESPACE = "kube-system";
    private static final RenderInput.BootstrapAccess ACCESS = new RenderInput.BootstrapAccess(
            new ApiServerEndpoint(
                    API_SERVER,
                    new TreeMap<>(Map.of(
                            "certificate-authority-data",
                            '"' + Base64.getEncoder().encodeToString(CA.getBytes(UTF_8)) + '"'))),
            new Sensitive(CanaryCredential.BOOTSTRAP_TOKEN.text()),
            new Sensitive(CanaryCredential.FETCH_TOKEN.text()));

    /** All combinations of a profile. */
    static List<ProfileCombination> of(ShippedProfile subject) {
        List<ProfileCombination> points = new ArrayList<>();
        for (String provider : subject.profile().spec().supportedCloudProviders()) {
            for (String minor : subject.minors()) {
                for (TenantVariant variant : TenantVariant.values()) {
                    points.add(new ProfileCombination(subject, provider, minor, variant));
                }
            }
        }
        return points;
    }

    /** For people: {@code osp-ubuntu, aws, Kubernetes 1.34, proxy}. */
    String label() {
        return subject.name() + ", " + provider + ", Kubernetes " + minor + ", " + variant.label();
    }

    RenderInput input() {
        Map<String, String> annotations = new HashMap<>(variant.annotations());
        annotations.put(MachineDeployment.PROFILE, subject.name());
        annotations.put(MachineDeployment.REVISION, "1");
        return new RenderInput(
                NAMESPACE,
                MachineDeployment.of(
                        NAMESPACE, "shop-workers", annotations, KubernetesVersions.version(minor), providerSpec()),
                new RenderInput.Profile(NAMESPACE, subject.name(), subject.compiled()),
                variant.settings(),
                ACCESS,
                new RenderInput.References(
                        CA, variant.mirrored() ? CA : "", variant.registryCredentials(), variant.proxy()));
    }

    private String providerSpec() {
        String operatingSystem = subject.profile().spec().osName();
        JsonWriter json = new JsonWriter();
        json.beginObject().field("cloudProvider", provider);
        json.key("cloudProviderSpec").beginObject().endObject();
        json.field("operatingSystem", operatingSystem);
        operatingSystemSpec(json.key("operatingSystemSpec").beginObject(), operatingSystem);
        json.endObject();
        if (!variant.ipFamily().isEmpty()) {
            network(json.key("network").beginObject(), operatingSystem);
            json.endObject();
        }
        json.key("sshPublicKeys").beginArray();
        json.value("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRoaXMgaXMgbm8gcmVhbCBrZXkgYXQgYWxs ops@example.org")
                .endArray();
        return json.endObject().toString();
    }

    private void operatingSystemSpec(JsonWriter json, String operatingSystem) {
        boolean all = variant.everything();
        switch (operatingSystem) {
            case "flatcar" -> {
                json.field("provisioningUtility", subject.utility());
                for (String flag : List.of("disableAutoUpdate", "disableLocksmithD", "disableUpdateEngine")) {
                    json.key(flag).value(all);
                }
            }
            case "rhel" -> {
                json.key("distUpgradeOnBoot").value(all);
                json.key("attachSubscription").value(all);
                json.key("rhelUseSatelliteServer").value(variant.mirrored() && !all);
                json.field("rhelSubscriptionManagerUser", "ops@example.org");
                json.field("rhelSubscriptionManagerPassword", CanaryCredential.RHEL_PASSWORD.text());
                json.field("rhsmOfflineToken", CanaryCredential.RHSM_TOKEN.text());
                json.field("rhelSatelliteServer", "satellite.internal.example");
                // cloud-init's schema wants a number; a name works too, with a warning in the machine's log.
                json.field("rhelOrganizationName", "12345678");
                json.field("rhelActivationKey", CanaryCredential.RHEL_ACTIVATION_KEY.text());
            }
            default -> json.key("distUpgradeOnBoot").value(all);
        }
    }

    private void network(JsonWriter json, String operatingSystem) {
        json.field("ipFamily", variant.ipFamily());
        // Other systems take no static address.
        if (variant.everything() && operatingSystem.equals("flatcar")) {
            json.field("cidr", "192.0.2.10/24").field("gateway", "192.0.2.1");
            json.key("dns").beginObject().key("servers").beginArray();
            json.value("192.0.2.53").value("192.0.2.54").endArray().endObject();
        }
    }
}
