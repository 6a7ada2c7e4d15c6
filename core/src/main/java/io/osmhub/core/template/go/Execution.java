package io.osmhub.core.template.go;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import org.jspecify.annotations.Nullable;

/** What one execution knows of itself: where it is, its variables and its budget. */
final class Execution {
    final Environment environment;
    final Variables variables = new Variables();

    private final GoTemplate template;
    private Tree tree;
    private Node.@Nullable Shown at;

    Execution(GoTemplate template, Tree main, Environment environment) {
        this.template = template;
        this.tree = main;
        this.environment = environment;
    }

    /** Says what is being evaluated now; messages point there until something else is. */
    void at(Node.Shown node) {
        at = node;
    }

    /** Goes into another template; answers the one to come back to. */
    Tree enter(Tree called) {
        Tree caller = tree;
        tree = called;
        return caller;
    }

    @Nullable Tree lookup(String name) {
        return template.tree(name);
    }

    TemplateFailure failure(String cause) {
        return failure(Stage.EXECUTE, cause);
    }

    TemplateFailure failure(Stage stage, String cause) {
        return Failures.execution(stage, template.name(), tree, at, cause);
    }
}
