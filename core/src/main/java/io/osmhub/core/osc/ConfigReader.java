package io.osmhub.core.osc;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import java.util.Objects;

/** Reads stored OperatingSystemConfigs: our own and those that the peer left. */
public final class ConfigReader {
    private static final int DEFAULT_MODE = 644;

    private final ConfigPartReader parts = new ConfigPartReader(false);

    /** @throws io.osmhub.core.problem.TenantMistake when a field has a type that the schema does not allow */
    public OperatingSystemConfig read(Document document) {
        Mistakes mistakes = new Mistakes(document.source(), "OperatingSystemConfigInvalid");
        ObjectReader root = ObjectReader.of(document.root(), "", mistakes);
        ObjectReader metadata = root.requiredObject("metadata");
        ObjectReader spec = root.requiredObject("spec");
        ObjectReader provider = spec.objectOrEmpty("cloudProvider");
        Node providerSpec = provider.value("spec");
        OperatingSystemConfig read = new OperatingSystemConfig(
                metadata.text("namespace", ""),
                metadata.requiredText("name"),
                metadata.textMap("annotations"),
                new OperatingSystemConfig.Spec(
                        spec.text("osName", ""),
                        spec.text("osVersion", ""),
                        provider.text("name", ""),
                        providerSpec == null ? null : JsonText.of(providerSpec),
                        spec.text("provisioningUtility", ""),
                        config(spec.objectOrEmpty("bootstrapConfig")),
                        config(spec.objectOrEmpty("provisioningConfig"))));
        mistakes.raise();
        return read;
    }

    private Config config(ObjectReader config) {
        return new Config(
                config.objects("units", parts::unit),
                config.objects("files", ConfigReader::file),
                config.texts("userSSHKeys"),
                parts.modules(config.object("modules")));
    }

    private static File file(ObjectReader file) {
        Integer permissions = file.integer("permissions", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ObjectReader inline = file.objectOrEmpty("content").objectOrEmpty("inline");
        return new File(
                file.text("path", ""),
                Objects.requireNonNullElse(permissions, DEFAULT_MODE),
                inline.text("data", ""),
                inline.text("encoding", ""));
    }
}
