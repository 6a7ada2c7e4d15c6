package io.osmhub.core.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Takes every credential out of what a rendering is made of. Whatever a profile makes of the rest, whatever it says when it fails
 * and however long its texts are, tells nothing of them: so a profile that nobody has approved may be rendered for anybody.
 */
public final class CredentialFree {
    private static final Set<String> OF_THE_SYSTEM =
            Set.of("rhelsubscriptionmanagerpassword", "rhsmofflinetoken", "rhelactivationkey");
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CredentialFree() {}

    /** The MachineDeployment with a placeholder in place of each credential that its provider config holds. */
    public static MachineDeployment of(MachineDeployment machineDeployment) {
        String given = machineDeployment.providerSpec();
        if (given == null) {
            return machineDeployment;
        }
        return new MachineDeployment(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                machineDeployment.resourceVersion(),
                machineDeployment.creationTimestamp(),
                machineDeployment.deletionTimestamp(),
                machineDeployment.finalizers(),
                machineDeployment.annotations(),
                machineDeployment.kubeletVersion(),
                providerSpec(given));
    }

    private static String providerSpec(String given) {
        try {
            JsonNode value = JSON.readTree(given);
            if (!(value instanceof ObjectNode config)) {
                // No provider config at all; reading it says so.
                return given;
            }
            boolean changed = false;
            for (Map.Entry<String, JsonNode> field : config.properties()) {
                switch (field.getKey().toLowerCase(Locale.ROOT)) {
                    case "cloudproviderspec" -> changed |= ProviderSpecRedaction.redact(field.getValue(), "");
                    case "operatingsystemspec" -> changed |= operatingSystem(field.getValue());
                    case "overwritecloudconfig" -> {
                        if (field.getValue().isTextual()
                                && !field.getValue().textValue().isEmpty()) {
                            field.setValue(TextNode.valueOf(Placeholder.CLOUD_CONFIG.text()));
                            changed = true;
                        }
                    }
                    default -> {}
                }
            }
            return changed ? config.toString() : given;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a provider spec that was read is JSON", e);
        }
    }

    private static boolean operatingSystem(JsonNode spec) {
        boolean changed = false;
        if (spec instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                boolean credential = OF_THE_SYSTEM.contains(field.getKey().toLowerCase(Locale.ROOT));
                if (credential
                        && field.getValue().isTextual()
                        && !field.getValue().textValue().isEmpty()) {
                    field.setValue(TextNode.valueOf(Placeholder.RHEL_SUBSCRIPTION.text()));
                    changed = true;
                }
            }
        }
        return changed;
    }

    /** What the settings refer to, with placeholders; certificates are no credentials. */
    public static RenderInput.References of(RenderInput.References references) {
        Map<String, String> environment = new HashMap<>();
        references.cloudEnvironment().keySet().forEach(name -> environment.put(name, Placeholder.CLOUD_CONFIG.text()));
        return new RenderInput.References(
                references.kubernetesCa(),
                references.hostCa(),
                references.registryCredentials().redacted(),
                references.secretHttpProxy() == null ? null : new Sensitive(Placeholder.PROXY_URL.text()),
                environment);
    }

    /**
     * What other settings would refer to, as far as that is known without reading a Secret: the certificates of now unless the settings
     * hold them, no registry's credential but those of now, and a placeholder for a proxy's URL.
     */
    public static RenderInput.References of(RenderInput.References now, Provisioning settings) {
        RenderInput.References without = of(now);
        return new RenderInput.References(
                certificates(settings.kubernetesCa(), without.kubernetesCa()),
                settings.hostCa() instanceof CaBundle.None ? "" : certificates(settings.hostCa(), without.hostCa()),
                settings.registries().credentialsSecret() == null
                        ? RegistryCredentials.NONE
                        : without.registryCredentials(),
                settings.proxy().httpProxySecret() == null ? null : new Sensitive(Placeholder.PROXY_URL.text()),
                without.cloudEnvironment());
    }

    private static String certificates(CaBundle bundle, String now) {
        return switch (bundle) {
            case CaBundle.Inline(String pem) -> pem;
            case CaBundle.None _, CaBundle.FromConfigMap _, CaBundle.FromSecret _ -> now;
        };
    }
}
