package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.Exemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Exceptions to the kubeconfig policy: a list of namespace selectors and allowed features. */
record PolicyExceptionsType(ValueType.ScalarValue<Allowance> allowance)
        implements ValueType.StructuredValue<List<Exemption>> {
    private static final String SELECTOR = "namespaceSelector";
    private static final String ALLOW = "allow";

    @Override
    public String type() {
        return "list of objects {namespaceSelector, allow}";
    }

    @Override
    public String values() {
        return "allow: " + allowance.values();
    }

    @Override
    public @Nullable List<Exemption> read(DocumentNode node, String key, ErrorReporter mistakes) {
        if (!(node instanceof DocumentNode.Items items)) {
            mistakes.add(
                    node.position(), key, "is " + node.describe() + ", not a list", "write - before each exception");
            return null;
        }
        List<Exemption> exceptions = new ArrayList<>();
        for (int i = 0; i < items.nodes().size(); i++) {
            Exemption exception = one(items.nodes().get(i), key + "[" + i + "]", mistakes);
            if (exception != null) {
                exceptions.add(exception);
            }
        }
        return exceptions.size() == items.nodes().size() ? exceptions : null;
    }

    private @Nullable Exemption one(DocumentNode node, String key, ErrorReporter mistakes) {
        if (!(node instanceof DocumentNode.Fields fields)) {
            mistakes.add(
                    node.position(),
                    key,
                    "is " + node.describe() + ", not an object",
                    "write namespaceSelector and allow");
            return null;
        }
        for (DocumentNode.Field field : fields.fields()) {
            List<String> known = List.of(SELECTOR, ALLOW);
            if (!known.contains(field.name())) {
                mistakes.add(
                        field.position(),
                        key + "." + field.name(),
                        "unknown key",
                        FindingsCollector.suggestClosest(field.name(), known));
                return null;
            }
        }
        DocumentNode selectorNode = fields.get(SELECTOR);
        DocumentNode allowNode = fields.get(ALLOW);
        if (selectorNode == null || allowNode == null) {
            String missing = selectorNode == null ? SELECTOR : ALLOW;
            mistakes.add(fields.position(), key + "." + missing, "is missing", "set both namespaceSelector and allow");
            return null;
        }
        LabelSelector selector = ValueTypes.selector().read(selectorNode, key + "." + SELECTOR, mistakes);
        List<Allowance> allow = new ValueType.ListValue<>(allowance).read(allowNode, key + "." + ALLOW, mistakes);
        if (selector != null && selector.requirements().isEmpty()) {
            // A selector that matches everything belongs in the policy itself; an empty one is probably a mistake.
            mistakes.add(
                    selectorNode.position(),
                    key + "." + SELECTOR,
                    "selects every namespace",
                    "name a label, or use kubeconfigPolicy.allow");
            return null;
        }
        return selector == null || allow == null ? null : new Exemption(selector, Set.copyOf(allow));
    }

    @Override
    public @Nullable List<Exemption> read(String text, String key, ErrorReporter mistakes) {
        mistakes.add(SourcePosition.NONE, key, "can only be set in the file", "move it there");
        return null;
    }

    @Override
    public String write(List<Exemption> value) {
        return value.stream()
                .map(exception -> "{" + SELECTOR + ": \"" + exception.namespaceSelector() + "\", " + ALLOW + ": "
                        + new TreeSet<>(exception.allow())
                                .stream().map(allowance::write).collect(Collectors.joining(", ", "[", "]"))
                        + "}")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public boolean isTextual() {
        return false;
    }
}
