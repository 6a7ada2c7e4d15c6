package io.osmhub.core.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes every credential from the inputs of a rendering, so that no output, error message or text length can reveal one: a
 * profile that was not reviewed may then be rendered for any user.
 */
public final class CredentialRemover {
    private static final Set<String> VARIABLE = Set.of("value", "secretkeyref", "configmapkeyref");
    private static final Set<String> WITH_SECRET_CLOUD_CONFIG = Set.of("azure", "openstack", "vsphere", "kubevirt");

    /** Keeps the digits of numbers as in the MachineDeployment. */
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    // Buffers are shared between threads, because a virtual thread lives for one rendering only.
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CredentialRemover() {}

    /** Replaces a credential in a stored OperatingSystemConfig. */
    public enum CredentialPlaceholder {
        FETCH_TOKEN("fetch-token"),
        BOOTSTRAP_TOKEN("bootstrap-token"),
        REGISTRY_CREDENTIALS("registry-credentials"),
        PROXY_URL("proxy-url"),
        RHEL_SUBSCRIPTION("rhel-subscription"),
        CLOUD_CONFIG("cloud-config"),
        PROVIDER_SPEC("provider-spec");

        private final String text;

        CredentialPlaceholder(String word) {
            this.text = "<redacted:" + word + ">";
        }

        public String text() {
            return text;
        }

        /** The placeholder, or an empty text for an empty credential. */
        String redact(String credential) {
            return credential.isEmpty() ? "" : text;
        }
    }

    /** The MachineDeployment with a placeholder for each credential in its provider config. */
    public static MachineDeployment removeCredentials(MachineDeployment machineDeployment) {
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
                redact(machineDeployment.providerSpec()),
                machineDeployment.templateAnnotations());
    }

    /** The decoded provider config with placeholders. */
    static ProviderConfig removeCredentials(ProviderConfig config) {
        String cloudConfig = config.overwriteCloudConfig();
        return new ProviderConfig(
                config.sshPublicKeys(),
                config.cloudProvider(),
                redact(config.cloudProviderSpec()),
                config.operatingSystem(),
                redact(config.operatingSystemSpec()),
                config.network(),
                cloudConfig != null && isCloudConfigSecret(config)
                        ? CredentialPlaceholder.CLOUD_CONFIG.redact(cloudConfig)
                        : cloudConfig);
    }

    /** Whether the MachineDeployment has a cloud config with a credential. */
    static boolean isCloudConfigSecret(ProviderConfig config) {
        return config.overwriteCloudConfig() != null && WITH_SECRET_CLOUD_CONFIG.contains(config.cloudProvider());
    }

    /** The input with placeholders for tokens and for the credentials of the settings. */
    static RenderInput usePlaceholders(RenderInput input) {
        RenderInput.BootstrapAccess access = new RenderInput.BootstrapAccess(
                input.access().apiServer(),
                new Sensitive(CredentialPlaceholder.BOOTSTRAP_TOKEN.text()),
                new Sensitive(CredentialPlaceholder.FETCH_TOKEN.text()));
        return new RenderInput(
                input.tenantNamespace(),
                input.machineDeployment(),
                input.profile(),
                input.settings(),
                access,
                removeCredentials(input.resolved()));
    }

    /** The references of the settings with placeholders; certificates are not credentials. */
    public static RenderInput.References removeCredentials(RenderInput.References references) {
        return new RenderInput.References(
                references.kubernetesCa(),
                references.hostCa(),
                references.registryCredentials().redacted(),
                references.secretHttpProxy() == null ? null : new Sensitive(CredentialPlaceholder.PROXY_URL.text()));
    }

    /**
     * The references of other settings, as far as possible without reading a Secret: the current certificates unless the settings
     * include them, no registry credentials but the current ones, and a placeholder for a proxy's URL.
     */
    public static RenderInput.References removeCredentials(RenderInput.References now, Provisioning settings) {
        return new RenderInput.References(
                certificates(settings.kubernetesCa(), now.kubernetesCa()),
                settings.hostCa().exists() ? certificates(settings.hostCa(), now.hostCa()) : "",
                settings.registries().credentialsSecret() == null
                        ? RegistryCredentials.NONE
                        : now.registryCredentials().redacted(),
                settings.proxy().httpProxySecret() == null
                        ? null
                        : new Sensitive(CredentialPlaceholder.PROXY_URL.text()));
    }

    private static String certificates(CaBundle bundle, String now) {
        return bundle.inline().isEmpty() ? now : bundle.inline();
    }

    /** JSON with placeholders; the same text if it holds no credential. Null for null. */
    static @Nullable String redact(@Nullable String json) {
        if (json == null) {
            return null;
        }
        try {
            JsonNode spec = JSON.readTree(json);
            return redact(spec, "") ? spec.toString() : json;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a provider spec is not JSON", e);
        }
    }

    /** Replaces credentials in a tree by placeholders. Returns whether it replaced any. */
    private static boolean redact(JsonNode node, String parent) {
        boolean changed = false;
        for (JsonNode item : node.isArray() ? node : List.<JsonNode>of()) {
            changed |= redact(item, parent);
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = fold(field.getKey());
            JsonNode value = field.getValue();
            CredentialPlaceholder placeholder = placeholder(name, parent);
            if (placeholder == null) {
                changed |= redact(value, name);
            } else if (isVariable(value)) {
                for (Map.Entry<String, JsonNode> part : value.properties()) {
                    changed |= part.getKey().equalsIgnoreCase("value") && replace(part, placeholder);
                }
            } else {
                changed |= replace(field, placeholder);
            }
        }
        return changed;
    }

    /** A name as fields are compared: letters outside of ASCII may equal ASCII letters of another case. */
    private static String fold(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        name.chars().forEach(c -> folded.append((char) Character.toLowerCase(Character.toUpperCase(c))));
        return folded.toString();
    }

    /** What replaces a field with that folded name; null if it is not a credential. */
    private static @Nullable CredentialPlaceholder placeholder(String name, String parent) {
        return switch (name) {
            case "accesskeyid", "secretaccesskey", "accesskeysecret", "accesskey", "secretkey", "clientsecret" ->
                CredentialPlaceholder.PROVIDER_SPEC;
            case "token", "tokenid", "apitoken", "apikey", "password" -> CredentialPlaceholder.PROVIDER_SPEC;
            case "serviceaccount", "applicationcredentialsecret" -> CredentialPlaceholder.PROVIDER_SPEC;
            case "kubeconfig" -> parent.equals("auth") ? CredentialPlaceholder.PROVIDER_SPEC : null;
            case "rhelsubscriptionmanagerpassword", "rhsmofflinetoken", "rhelactivationkey" ->
                CredentialPlaceholder.RHEL_SUBSCRIPTION;
            case "overwritecloudconfig" -> CredentialPlaceholder.CLOUD_CONFIG;
            default -> null;
        };
    }

    /** Whether it is a variable's long form: a value, or a reference, which is not a credential. */
    private static boolean isVariable(JsonNode value) {
        return value.isObject() && value.propertyStream().allMatch(field -> VARIABLE.contains(fold(field.getKey())));
    }

    private static boolean replace(Map.Entry<String, JsonNode> field, CredentialPlaceholder placeholder) {
        JsonNode value = field.getValue();
        // Only a provider's own settings have credentials of other types.
        boolean isCredential = value.isTextual()
                ? !value.textValue().isEmpty()
                : placeholder == CredentialPlaceholder.PROVIDER_SPEC && !value.isNull();
        if (!isCredential) {
            return false;
        }
        field.setValue(TextNode.valueOf(placeholder.text()));
        return true;
    }
}
