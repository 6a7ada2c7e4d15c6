package io.osmhub.core.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes every credential from the inputs of a rendering, so that no output, error message or text length can reveal one: a
 * profile that was not reviewed may then be rendered for any user.
 */
public final class CredentialRemover {
    private static final Set<String> OF_THE_SYSTEM =
            Set.of("rhelsubscriptionmanagerpassword", "rhsmofflinetoken", "rhelactivationkey");
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CredentialRemover() {}

    /** The MachineDeployment with a placeholder for each credential in its provider config. */
    public static MachineDeployment removeCredentials(MachineDeployment machineDeployment) {
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
                providerSpec(given),
                machineDeployment.templateAnnotations());
    }

    private static String providerSpec(String given) {
        try {
            JsonNode value = JSON.readTree(given);
            if (!(value instanceof ObjectNode config)) {
                // No provider config; reading it reports the error.
                return given;
            }
            boolean changed = false;
            for (Map.Entry<String, JsonNode> field : config.properties()) {
                switch (field.getKey().toLowerCase(Locale.ROOT)) {
                    case "cloudproviderspec" -> changed |= ProviderSpecRedactor.redact(field.getValue(), "");
                    case "operatingsystemspec" -> changed |= operatingSystem(field.getValue());
                    case "overwritecloudconfig" -> {
                        if (field.getValue().isTextual()
                                && !field.getValue().textValue().isEmpty()) {
                            field.setValue(TextNode.valueOf(CredentialPlaceholder.CLOUD_CONFIG.text()));
                            changed = true;
                        }
                    }
                    default -> {}
                }
            }
            return changed ? config.toString() : given;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a provider spec is not JSON", e);
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
                    field.setValue(TextNode.valueOf(CredentialPlaceholder.RHEL_SUBSCRIPTION.text()));
                    changed = true;
                }
            }
        }
        return changed;
    }

    /** The references of the settings with placeholders; certificates are not credentials. */
    public static RenderInput.References removeCredentials(RenderInput.References references) {
        Map<String, String> environment = new HashMap<>();
        references
                .cloudEnvironment()
                .keySet()
                .forEach(name -> environment.put(name, CredentialPlaceholder.CLOUD_CONFIG.text()));
        return new RenderInput.References(
                references.kubernetesCa(),
                references.hostCa(),
                references.registryCredentials().redacted(),
                references.secretHttpProxy() == null ? null : new Sensitive(CredentialPlaceholder.PROXY_URL.text()),
                environment);
    }

    /**
     * The references of other settings, as far as possible without reading a Secret: the current certificates unless the settings
     * include them, no registry credentials but the current ones, and a placeholder for a proxy's URL.
     */
    public static RenderInput.References removeCredentials(RenderInput.References now, Provisioning settings) {
        RenderInput.References without = removeCredentials(now);
        return new RenderInput.References(
                certificates(settings.kubernetesCa(), without.kubernetesCa()),
                settings.hostCa() instanceof CaBundle.None ? "" : certificates(settings.hostCa(), without.hostCa()),
                settings.registries().credentialsSecret() == null
                        ? RegistryCredentials.NONE
                        : without.registryCredentials(),
                settings.proxy().httpProxySecret() == null
                        ? null
                        : new Sensitive(CredentialPlaceholder.PROXY_URL.text()),
                without.cloudEnvironment());
    }

    private static String certificates(CaBundle bundle, String now) {
        return switch (bundle) {
            case CaBundle.Inline(String pem) -> pem;
            case CaBundle.None _, CaBundle.FromConfigMap _, CaBundle.FromSecret _ -> now;
        };
    }

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

    /** Removes credentials from a provider's own settings before they are stored in an OperatingSystemConfig. */
    static final class ProviderSpecRedactor {
        private static final Set<String> CREDENTIALS = Set.of(
                "accesskeyid",
                "secretaccesskey",
                "accesskeysecret",
                "accesskey",
                "secretkey",
                "clientsecret",
                "token",
                "tokenid",
                "apitoken",
                "apikey",
                "password",
                "serviceaccount",
                "applicationcredentialsecret");
        private static final List<String> VARIABLE = List.of("value", "secretkeyref", "configmapkeyref");
        /** Keeps the digits of numbers as in the MachineDeployment. */
        private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                        // Buffers are shared between threads, because a virtual thread lives for one rendering only.
                        .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                        .build())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        /** The JSON with placeholders; the same text if it holds no credential. */
        static @Nullable String redact(@Nullable String json) {
            if (json == null) {
                return null;
            }
            try {
                JsonNode spec = JSON.readTree(json);
                return redact(spec, "") ? spec.toString() : json;
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("a decoded provider spec is not JSON", e);
            }
        }

        /** Replaces credentials in a tree by placeholders. Returns whether it replaced any. */
        static boolean redact(JsonNode node, String parent) {
            boolean changed = false;
            if (node instanceof ArrayNode array) {
                for (JsonNode item : array) {
                    changed |= redact(item, parent);
                }
            } else if (node instanceof ObjectNode object) {
                for (Map.Entry<String, JsonNode> field : object.properties()) {
                    String name = field.getKey().toLowerCase(Locale.ROOT);
                    JsonNode value = field.getValue();
                    boolean credential =
                            CREDENTIALS.contains(name) || (name.equals("kubeconfig") && parent.equals("auth"));
                    if (!credential) {
                        changed |= redact(value, name);
                    } else if (isVariable(value)) {
                        changed |= redactDirectValue((ObjectNode) value);
                    } else if (!isNothing(value)) {
                        field.setValue(placeholder());
                        changed = true;
                    }
                }
            }
            return changed;
        }

        /** Whether it is a variable's long form: a value, or a reference, which is not a credential. */
        private static boolean isVariable(JsonNode value) {
            return value instanceof ObjectNode object
                    && object.propertyStream()
                            .allMatch(field -> VARIABLE.contains(field.getKey().toLowerCase(Locale.ROOT)));
        }

        private static boolean redactDirectValue(ObjectNode variable) {
            boolean changed = false;
            for (Map.Entry<String, JsonNode> field : variable.properties()) {
                if (field.getKey().equalsIgnoreCase("value") && !isNothing(field.getValue())) {
                    field.setValue(placeholder());
                    changed = true;
                }
            }
            return changed;
        }

        private static boolean isNothing(JsonNode value) {
            return value.isNull() || value.isTextual() && value.textValue().isEmpty();
        }

        private static TextNode placeholder() {
            return TextNode.valueOf(CredentialPlaceholder.PROVIDER_SPEC.text());
        }
    }
}
