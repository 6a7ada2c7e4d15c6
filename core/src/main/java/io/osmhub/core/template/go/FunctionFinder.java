package io.osmhub.core.template.go;

import io.osmhub.core.template.FunctionUse;
import java.util.List;
import java.util.Set;

/** Walks through a parsed template and notes where it names certain functions. */
final class FunctionFinder {
    private final String template;
    private final String source;
    private final Set<String> wanted;
    private final List<FunctionUse> uses;

    private FunctionFinder(String template, String source, Set<String> wanted, List<FunctionUse> uses) {
        this.template = template;
        this.source = source;
        this.wanted = wanted;
        this.uses = uses;
    }

    static void find(String template, Tree tree, Set<String> wanted, List<FunctionUse> uses) {
        new FunctionFinder(template, tree.source(), wanted, uses).in(tree.body());
    }

    private void in(List<Node.Statement> statements) {
        for (Node.Statement statement : statements) {
            switch (statement) {
                case Node.Action action -> in(action.pipeline());
                case Node.If branch -> inBranches(branch.condition(), branch.then(), branch.otherwise());
                case Node.With with -> inBranches(with.subject(), with.then(), with.otherwise());
                case Node.Range range -> inBranches(range.subject(), range.body(), range.otherwise());
                case Node.Call call -> {
                    if (call.data() != null) {
                        in(call.data());
                    }
                }
                case Node.Text _, Node.Break _, Node.Continue _ -> {}
            }
        }
    }

    private void inBranches(Node.Pipeline head, List<Node.Statement> first, List<Node.Statement> second) {
        in(head);
        in(first);
        in(second);
    }

    private void in(Node.Operand operand) {
        switch (operand) {
            case Node.Pipeline pipeline ->
                pipeline.commands().forEach(command -> command.words().forEach(this::in));
            case Node.Chain chain -> in(chain.head());
            case Node.Identifier identifier -> note(identifier);
            case Node.Variable _,
                    Node.Field _,
                    Node.Dot _,
                    Node.NilWord _,
                    Node.BoolWord _,
                    Node.StringWord _,
                    Node.NumberWord _ -> {}
        }
    }

    private void note(Node.Identifier identifier) {
        if (wanted.contains(identifier.name())) {
            int position = identifier.position();
            uses.add(new FunctionUse(
                    identifier.name(), template, Failures.line(source, position), Failures.column(source, position)));
        }
    }
}
