package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.NodeJsonWriter;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The default settings of all tenants, validated like a WorkerCluster. */
final class TenantDefaultsType implements ValueType.StructuredValue<TenantDefaults> {
    private static final String SPEC = "spec.";
    private static final Set<String> SECTIONS = Set.of("provisioning", "profiles", "connection", "admission");

    @Override
    public String type() {
        return "object";
    }

    @Override
    public String values() {
        return "provisioning, profiles, connection, admission: the fields of WorkerCluster.spec";
    }

    @Override
    public @Nullable TenantDefaults read(DocumentNode node, String key, ErrorReporter reporter) {
        FindingsCollector mistakes = new FindingsCollector("", Reason.SettingsInvalid.wireName());
        SettingsLayer layer = SettingsReader.readFields(ObjectFieldReader.of(node, key, mistakes));
        oneTenantOnly(node, key, mistakes);
        schema(node, key, mistakes);
        SourceDocument whole = new SourceDocument("", wrapped(node, key));
        for (ProblemFinding finding : mistakes.findings()) {
            boolean unknown = finding.what().equals("unknown field");
            reporter.add(
                    unknown ? whole.positionOf(finding.field()) : valuePosition(whole, finding.field()),
                    finding.field(),
                    unknown ? "unknown key" : finding.what(),
                    finding.cure());
        }
        return mistakes.isEmpty() ? new TenantDefaults(layer, node) : null;
    }

    private static DocumentNode wrapped(DocumentNode node, String key) {
        return new DocumentNode.Fields(List.of(new DocumentNode.Field(key, node, node.position())), node.position());
    }

    /** The position of the value, or of the closest existing parent. */
    private static SourcePosition valuePosition(SourceDocument document, String field) {
        DocumentNode value = document.find(field);
        return value == null ? document.positionOf(field) : value.position();
    }

    private static void oneTenantOnly(DocumentNode node, String key, FindingsCollector mistakes) {
        if (node instanceof DocumentNode.Fields fields) {
            for (DocumentNode.Field field : fields.fields()) {
                boolean known = !SECTIONS.contains(field.name())
                        && SettingsCatalog.below(field.name()).stream().anyMatch(entry -> !entry.hubWide());
                if (known) {
                    mistakes.add(
                            key + "." + field.name(),
                            "applies to one tenant only",
                            "set it in the spec of its WorkerCluster");
                }
            }
        }
    }

    /** Reports what the API server would reject in a WorkerCluster, except for fields already reported. */
    private static void schema(DocumentNode node, String key, FindingsCollector mistakes) {
        if (!(node instanceof DocumentNode.Fields)) {
            return;
        }
        Set<String> said =
                mistakes.findings().stream().map(ProblemFinding::field).collect(Collectors.toSet());
        for (ProblemFinding finding : WorkerCluster.checkSettings(SourceDocument.json(node))) {
            String field = finding.field().startsWith(SPEC)
                    ? key + "." + finding.field().substring(SPEC.length())
                    : finding.field();
            if (said.stream().noneMatch(other -> field.startsWith(other) || other.startsWith(field))) {
                mistakes.add(field, finding.what(), finding.cure());
            }
        }
    }

    @Override
    public @Nullable TenantDefaults read(String text, String key, ErrorReporter mistakes) {
        mistakes.add(SourcePosition.NONE, key, "can only be set in the file", "move it there");
        return null;
    }

    @Override
    public String write(TenantDefaults value) {
        return NodeJsonWriter.write(value.written());
    }

    @Override
    public boolean isTextual() {
        return false;
    }
}
