package io.osmhub.core.template.go;

import io.osmhub.core.template.FunctionUse;
import java.util.List;
import java.util.Set;

/** Finds uses of certain functions in a parsed template. */
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

    static void find(String template, TemplateTree tree, Set<String> wanted, List<FunctionUse> uses) {
        new FunctionFinder(template, tree.source(), wanted, uses).in(tree.body());
    }

    private void in(List<TemplateNode.Statement> statements) {
        for (TemplateNode.Statement statement : statements) {
            switch (statement) {
                case TemplateNode.Action action -> in(action.pipeline());
                case TemplateNode.If branch -> inBranches(branch.condition(), branch.then(), branch.otherwise());
                case TemplateNode.With with -> inBranches(with.subject(), with.then(), with.otherwise());
                case TemplateNode.Range range -> inBranches(range.subject(), range.body(), range.otherwise());
                case TemplateNode.Call call -> {
                    if (call.data() != null) {
                        in(call.data());
                    }
                }
                case TemplateNode.Text _, TemplateNode.Break _, TemplateNode.Continue _ -> {}
            }
        }
    }

    private void inBranches(
            TemplateNode.Pipeline head, List<TemplateNode.Statement> first, List<TemplateNode.Statement> second) {
        in(head);
        in(first);
        in(second);
    }

    private void in(TemplateNode.Operand operand) {
        switch (operand) {
            case TemplateNode.Pipeline pipeline ->
                pipeline.commands().forEach(command -> command.words().forEach(this::in));
            case TemplateNode.Chain chain -> in(chain.head());
            case TemplateNode.Identifier identifier -> note(identifier);
            case TemplateNode.Variable _,
                    TemplateNode.Field _,
                    TemplateNode.Dot _,
                    TemplateNode.NilNode _,
                    TemplateNode.BoolNode _,
                    TemplateNode.StringNode _,
                    TemplateNode.NumberNode _ -> {}
        }
    }

    private void note(TemplateNode.Identifier identifier) {
        if (wanted.contains(identifier.name())) {
            int position = identifier.position();
            uses.add(new FunctionUse(
                    identifier.name(),
                    template,
                    GoTemplateErrors.line(source, position),
                    GoTemplateErrors.column(source, position)));
        }
    }
}
