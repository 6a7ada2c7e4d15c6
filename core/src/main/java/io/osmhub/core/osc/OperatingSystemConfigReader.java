package io.osmhub.core.osc;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.NodeJsonWriter;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import java.util.Objects;

/** Reads stored OperatingSystemConfigs of the hub and of OSM. */
public final class OperatingSystemConfigReader {
    private static final int DEFAULT_MODE = 644;

    /** @throws io.osmhub.core.problem.TenantMistake if a field has a type that the schema does not allow */
    public OperatingSystemConfig read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), "OperatingSystemConfigInvalid");
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        ObjectFieldReader metadata = root.requiredObject("metadata");
        ObjectFieldReader spec = root.requiredObject("spec").lenient();
        ObjectFieldReader provider = spec.objectOrEmpty("cloudProvider");
        DocumentNode providerSpec = provider.value("spec");
        OperatingSystemConfig read = new OperatingSystemConfig(
                metadata.text("namespace", ""),
                metadata.requiredText("name"),
                metadata.textMap("annotations"),
                new OperatingSystemConfig.Spec(
                        spec.text("osName", ""),
                        spec.text("osVersion", ""),
                        provider.text("name", ""),
                        providerSpec == null ? null : NodeJsonWriter.write(providerSpec),
                        spec.text("provisioningUtility", ""),
                        config(spec.objectOrEmpty("bootstrapConfig")),
                        config(spec.objectOrEmpty("provisioningConfig"))));
        mistakes.throwIfAny();
        return read;
    }

    private static Config config(ObjectFieldReader config) {
        return new Config(
                config.objects("units", ConfigPartReader::unit),
                config.objects("files", OperatingSystemConfigReader::file),
                config.texts("userSSHKeys"),
                ConfigPartReader.modules(config.object("modules")));
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
}
