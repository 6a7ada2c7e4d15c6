package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import org.jspecify.annotations.Nullable;

/** State of one execution: its position, variables and budget. */
final class ExecutionState {
    final ExecutionEnvironment environment;
    final VariableStack variables = new VariableStack();

    private final GoTemplate template;
    private TemplateTree tree;
    private TemplateNode.@Nullable QuotableNode currentNode;

    ExecutionState(GoTemplate template, TemplateTree main, ExecutionEnvironment environment) {
        this.template = template;
        this.tree = main;
        this.environment = environment;
    }

    /** Sets the current node, to which messages refer. */
    void currentNode(TemplateNode.QuotableNode node) {
        currentNode = node;
    }

    /** Enters another template; returns the one to return to. */
    TemplateTree enter(TemplateTree called) {
        TemplateTree caller = tree;
        tree = called;
        return caller;
    }

    @Nullable TemplateTree lookup(String name) {
        return template.tree(name);
    }

    TemplateException failure(String cause) {
        return failure(Stage.EXECUTE, cause);
    }

    TemplateException failure(Stage stage, String cause) {
        return GoTemplateErrors.execution(stage, template.name(), tree, currentNode, cause);
    }
}
