package io.osmhub.deploy.config;

import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.tenancy.kubeconfig.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.Exemption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Exceptions from the kubeconfig policy: a list of a selector and what it allows. */
record ExceptionsForm(Form.Scalar<Allowance> allowance) implements Form.Structured<List<Exemption>> {
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
    public @Nullable List<Exemption> read(Node node, String key, Reporter mistakes) {
        if (!(node instanceof Node.Items items)) {
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

    private @Nullable Exemption one(Node node, String key, Reporter mistakes) {
        if (!(node instanceof Node.Fields fields)) {
            mistakes.add(
                    node.position(),
                    key,
                    "is " + node.describe() + ", not an object",
                    "write namespaceSelector and allow");
            return null;
        }
        for (Node.Field field : fields.fields()) {
            List<String> known = List.of(SELECTOR, ALLOW);
            if (!known.contains(field.name())) {
                mistakes.add(
                        field.position(),
                        key + "." + field.name(),
                        "unknown key",
                        Mistakes.didYouMean(field.name(), known));
                return null;
            }
        }
        Node selectorNode = fields.get(SELECTOR);
        Node allowNode = fields.get(ALLOW);
        if (selectorNode == null || allowNode == null) {
            String missing = selectorNode == null ? SELECTOR : ALLOW;
            mistakes.add(fields.position(), key + "." + missing, "is missing", "say for whom, and what is allowed");
            return null;
        }
        LabelSelector selector = Forms.selector().read(selectorNode, key + "." + SELECTOR, mistakes);
        List<Allowance> allow = new Form.Items<>(allowance).read(allowNode, key + "." + ALLOW, mistakes);
        if (selector != null && selector.requirements().isEmpty()) {
            // What holds everywhere is no exception, and an empty text is more likely a slip.
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
    public @Nullable List<Exemption> read(String text, String key, Reporter mistakes) {
        mistakes.add(Position.NONE, key, "stands only in the file", "write it there");
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
    public boolean inText() {
        return false;
    }
}
