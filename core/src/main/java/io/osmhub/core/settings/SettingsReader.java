package io.osmhub.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads settings by their field names: {@code spec} of a WorkerCluster, the hub's defaults, or a file with these
 * fields. Reports all mistakes of one document together.
 */
public final class SettingsReader {
    /** The fields of {@code spec} that register the tenant. */
    private static final Set<String> REGISTRATION = Arrays.stream(Setting.values())
            .filter(setting -> !setting.isHubWide())
            .map(setting -> firstName(setting.path()))
            .collect(Collectors.toSet());

    private SettingsReader() {}

    /**
     * Reads a file for offline rendering: settings alone, or a whole WorkerCluster, which may lack its kubeconfig.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake, also of fields that are not settings
     */
    public static SettingsLayer readFile(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.SettingsInvalid);
        boolean isResource = document.find("kind") != null;
        DocumentNode spec = isResource ? document.find("spec") : document.root();
        if (spec == null) {
            mistakes.add("spec", "is missing", "");
            mistakes.throwIfAny();
            return SettingsLayer.EMPTY;
        }
        Set<String> ignored = Set.of(Setting.KUBECONFIG.path());
        SettingsLayer layer = read(SourceDocument.json(spec), isResource ? "spec" : "", ignored, mistakes);
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
        return read(spec, path, REGISTRATION, mistakes);
    }

    private static String firstName(String field) {
        return field.split("[.\\[]", 2)[0];
    }

    private static SettingsLayer read(JsonNode spec, String path, Set<String> ignored, FindingsCollector mistakes) {
        List<String> invalid = new ArrayList<>();
        for (Problem finding : check(spec)) {
            String field = finding.field().replaceFirst("^spec\\.?", "");
            if (!ignored.contains(firstName(field))) {
                invalid.add(field);
                mistakes.add(join(path, field), finding.cause(), finding.fix());
            }
        }
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        for (Setting setting : Setting.ALL) {
            if (invalid.stream()
                    .noneMatch(field -> isAtOrBelow(field, setting.path()) || isAtOrBelow(setting.path(), field))) {
                setting.set(settings, checkCertificates(setting, setting.in(spec), path, mistakes));
            }
        }
        return new SettingsLayer(settings);
    }

    /** Validates settings that stand alone, as in {@code spec}. The kubeconfig, which a tenant needs, may be missing. */
    public static List<Problem> check(JsonNode spec) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "osmhub.io/v1alpha1").put("kind", "WorkerCluster");
        object.putObject("metadata").put("name", "settings");
        object.set("spec", spec);
        return ShippedDefinition.WORKER_CLUSTERS.check(object, null, Reason.SettingsInvalid).stream()
                .filter(finding -> !finding.field().equals("spec.kubeconfigSecretRef"))
                .toList();
    }

    /** Checks certificates, which the schema cannot parse. Drops what is not a certificate or comment. */
    private static JsonNode checkCertificates(
            Setting setting, JsonNode value, String path, FindingsCollector mistakes) {
        String pem = value.path("inline").asText();
        if (pem.isEmpty() || setting != Setting.KUBERNETES_CA && setting != Setting.HOST_CA) {
            return value;
        }
        String wrong = PemBundle.findError(pem);
        if (wrong != null) {
            mistakes.add(join(path, setting.path() + ".inline"), wrong, PemBundle.CURE);
        }
        ObjectNode bundle = value.deepCopy();
        bundle.set("inline", TextNode.valueOf(PemBundle.certificatesAndComments(pem)));
        return bundle;
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
