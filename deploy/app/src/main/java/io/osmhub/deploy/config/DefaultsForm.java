package io.osmhub.deploy.config;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.document.Position;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.SettingsReference;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hub-wide defaults of the tenants' settings, held to the same rules as a WorkerCluster. */
final class DefaultsForm implements Form.Structured<Defaults> {
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
    public @Nullable Defaults read(Node node, String key, Reporter reporter) {
        Mistakes mistakes = new Mistakes("", Reason.SettingsInvalid.word());
        SettingsLayer layer = SettingsReader.readFields(ObjectReader.of(node, key, mistakes));
        oneTenantOnly(node, key, mistakes);
        schema(node, key, mistakes);
        Document whole = new Document("", wrapped(node, key));
        for (Finding finding : mistakes.findings()) {
            boolean unknown = finding.what().equals("unknown field");
            reporter.add(
                    unknown ? whole.positionOf(finding.field()) : valuePosition(whole, finding.field()),
                    finding.field(),
                    unknown ? "unknown key" : finding.what(),
                    finding.cure());
        }
        return mistakes.none() ? new Defaults(layer, node) : null;
    }

    private static Node wrapped(Node node, String key) {
        return new Node.Fields(List.of(new Node.Field(key, node, node.position())), node.position());
    }

    /** Where the value stands; the nearest part around it when it is not there. */
    private static Position valuePosition(Document document, String field) {
        Node value = document.find(field);
        return value == null ? document.positionOf(field) : value.position();
    }

    private static void oneTenantOnly(Node node, String key, Mistakes mistakes) {
        if (node instanceof Node.Fields fields) {
            for (Node.Field field : fields.fields()) {
                boolean known = !SECTIONS.contains(field.name())
                        && SettingsReference.below(field.name()).stream().anyMatch(entry -> !entry.hubWide());
                if (known) {
                    mistakes.add(
                            key + "." + field.name(),
                            "concerns one tenant only",
                            "set it in the spec of its WorkerCluster");
                }
            }
        }
    }

    /** What the API server would refuse in a WorkerCluster, but for fields that are said to be wrong already. */
    private static void schema(Node node, String key, Mistakes mistakes) {
        if (!(node instanceof Node.Fields)) {
            return;
        }
        Set<String> said = mistakes.findings().stream().map(Finding::field).collect(Collectors.toSet());
        for (Finding finding : WorkerCluster.checkSettings(Document.json(node))) {
            String field = finding.field().startsWith(SPEC)
                    ? key + "." + finding.field().substring(SPEC.length())
                    : finding.field();
            if (said.stream().noneMatch(other -> field.startsWith(other) || other.startsWith(field))) {
                mistakes.add(field, finding.what(), finding.cure());
            }
        }
    }

    @Override
    public @Nullable Defaults read(String text, String key, Reporter mistakes) {
        mistakes.add(Position.NONE, key, "stands only in the file", "write it there");
        return null;
    }

    @Override
    public String write(Defaults value) {
        return JsonText.of(value.written());
    }

    @Override
    public boolean inText() {
        return false;
    }
}
