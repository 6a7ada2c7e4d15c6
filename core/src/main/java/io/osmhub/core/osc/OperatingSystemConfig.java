package io.osmhub.core.osc;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Reason;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A rendered configuration with its identity and annotations. */
public record OperatingSystemConfig(String namespace, String name, Map<String, String> annotations, Spec spec) {
    private static final int DEFAULT_MODE = 644;

    public OperatingSystemConfig {
        annotations = Map.copyOf(annotations);
    }

    /**
     * Reads a stored object of the hub or of OSM.
     *
     * @throws io.osmhub.core.problem.TenantMistake if a field has a type that the schema does not allow
     */
    public static OperatingSystemConfig read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.ObjectNotOwned);
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        ObjectFieldReader metadata = root.requiredObject("metadata");
        ObjectFieldReader spec = root.requiredObject("spec").lenient();
        ObjectFieldReader provider = spec.objectOrEmpty("cloudProvider");
        DocumentNode providerSpec = provider.value("spec");
        OperatingSystemConfig read = new OperatingSystemConfig(
                metadata.text("namespace", ""),
                metadata.requiredText("name"),
                metadata.textMap("annotations"),
                new Spec(
                        spec.text("osName", ""),
                        spec.text("osVersion", ""),
                        provider.text("name", ""),
                        providerSpec == null ? null : SourceDocument.jsonText(providerSpec),
                        spec.text("provisioningUtility", ""),
                        config(spec.objectOrEmpty("bootstrapConfig")),
                        config(spec.objectOrEmpty("provisioningConfig"))));
        mistakes.throwIfAny();
        return read;
    }

    private static Config config(ObjectFieldReader config) {
        return new Config(
                config.objects("units", SystemdUnit::read),
                config.objects("files", OperatingSystemConfig::file),
                config.texts("userSSHKeys"),
                CloudInitModules.read(config.object("modules")));
    }

    private static File file(ObjectFieldReader file) {
        Integer permissions = file.integer("permissions", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ObjectFieldReader inline = file.objectOrEmpty("content").objectOrEmpty("inline");
        return new File(
                file.text("path", ""),
                Objects.requireNonNullElse(permissions, DEFAULT_MODE),
                inline.text("data", ""),
                inline.text("encoding", ""));
    }

    /**
     * {@code spec} of the object.
     *
     * @param cloudProviderSpec the provider's own settings as unchanged JSON text; null if the MachineDeployment has none
     */
    public record Spec(
            String osName,
            String osVersion,
            String cloudProvider,
            @Nullable String cloudProviderSpec,
            String provisioningUtility,
            Config bootstrapConfig,
            Config provisioningConfig) {
        /** Omits the provider's settings, which may hold credentials. */
        @Override
        public String toString() {
            return "Spec[" + osName + ", " + cloudProvider + ", " + bootstrapConfig + ", " + provisioningConfig + "]";
        }
    }

    /** One of the two rendered configurations. {@code modules} is null when the profile has none. */
    public record Config(
            List<SystemdUnit> units,
            List<File> files,
            List<String> userSshKeys,
            @Nullable CloudInitModules modules) {
        public Config {
            units = List.copyOf(units);
            files = List.copyOf(files);
            userSshKeys = List.copyOf(userSshKeys);
        }
    }

    /**
     * A rendered file.
     *
     * @param permissions decimal number whose digits are the octal mode, never left out
     * @param encoding empty if left out
     */
    public record File(String path, int permissions, String data, String encoding) {
        /** Omits the data, which holds credentials in a rendering for secrets. */
        @Override
        public String toString() {
            return "File[" + path + ", " + data.length() + " characters]";
        }
    }
}
