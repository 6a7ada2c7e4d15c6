package io.osmhub.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads settings by their field names: {@code spec} of a WorkerCluster, the hub's defaults, or a file with these
 * fields. Reports all mistakes of one document together.
 */
public final class SettingsReader {
    /** Fields of a WorkerCluster that concern the registration, not the settings. */
    private static final Set<String> BESIDE_SETTINGS = Set.of(
            "target",
            "kubeconfigSecretRef",
            "paused",
            "deletionPolicy",
            "osmContent",
            "cleanupTimeout",
            "formerHubIDs",
            "credentials");

    private SettingsReader() {}

    /**
     * Reads a file for offline rendering: settings alone, or a whole WorkerCluster, which may lack its kubeconfig.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake, also of fields that are not settings
     */
    public static SettingsLayer readFile(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.SettingsInvalid.wireName());
        boolean isResource = document.find("kind") != null;
        DocumentNode spec = isResource ? document.find("spec") : document.root();
        if (spec == null) {
            mistakes.add("spec", "is missing", "");
        }
        SettingsLayer layer = spec == null
                ? SettingsLayer.EMPTY
                : read(SourceDocument.json(spec), isResource ? "spec" : "", Set.of("kubeconfigSecretRef"), mistakes);
        mistakes.throwIfAny();
        return layer;
    }

    /**
     * Reads the settings among the fields of a WorkerCluster's {@code spec}. Mistakes are added to the collector; the
     * layer lacks the settings that have one.
     *
     * @param path of the object in findings
     */
    public static SettingsLayer read(JsonNode spec, String path, FindingsCollector mistakes) {
        return read(spec, path, BESIDE_SETTINGS, mistakes);
    }

    private static SettingsLayer read(JsonNode spec, String path, Set<String> ignored, FindingsCollector mistakes) {
        List<String> invalid = new ArrayList<>();
        for (ProblemFinding finding : WorkerCluster.checkSettings(spec)) {
            String field = finding.field().replaceFirst("^spec\\.?", "");
            if (ignored.stream().noneMatch(name -> isAtOrBelow(field, name))) {
                invalid.add(field);
                mistakes.add(join(path, field), finding.what(), finding.cure());
            }
        }
        SettingsLayer.Builder layer = new SettingsLayer.Builder();
        for (Setting<?> setting : Setting.ALL) {
            JsonNode value = at(spec, setting.path());
            if (!value.isMissingNode()
                    && invalid.stream()
                            .noneMatch(field ->
                                    isAtOrBelow(field, setting.path()) || isAtOrBelow(setting.path(), field))) {
                set(layer, setting, value);
            }
        }
        SettingsLayer settings = layer.build();
        checkCertificates(spec, settings, Setting.KUBERNETES_CA, path, mistakes);
        checkCertificates(spec, settings, Setting.HOST_CA, path, mistakes);
        return settings;
    }

    private static <T> void set(SettingsLayer.Builder layer, Setting<T> setting, JsonNode value) {
        layer.set(setting, setting.decode().apply(value));
    }

    /** Checks certificates, which the schema cannot parse. */
    private static void checkCertificates(
            JsonNode spec, SettingsLayer layer, Setting<CaBundle> setting, String path, FindingsCollector mistakes) {
        if (layer.get(setting) instanceof CaBundle.Inline) {
            String field = setting.path() + ".inline";
            String wrong = PemBundle.findError(at(spec, field).textValue());
            if (wrong != null) {
                mistakes.add(join(path, field), wrong, PemBundle.CURE);
            }
        }
    }

    private static JsonNode at(JsonNode spec, String field) {
        return spec.at("/" + field.replace('.', '/'));
    }

    private static String join(String path, String field) {
        return path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
    }

    private static boolean isAtOrBelow(String field, String parent) {
        return parent.isEmpty()
                || field.equals(parent)
                || field.startsWith(parent + ".")
                || field.startsWith(parent + "[");
    }
}
