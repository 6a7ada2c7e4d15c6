package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.go.GoTemplate.GoTemplateErrors;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * The variables of an execution. A stack as in Go, searched by name from the top: what a name means depends on what was
     * executed, because a declaration in parentheses may be skipped.
     */
    static final class VariableStack {
        private final List<String> names = new ArrayList<>();
        private final List<GoValue> values = new ArrayList<>();
        /** First variable of the running template; a template sees none of its caller's. */
        private int base;

        void push(String name, GoValue value) {
            names.add(name);
            values.add(value);
        }

        /** The variable; null if undefined. */
        @Nullable GoValue get(String name) {
            int index = indexOf(name);
            return index < 0 ? null : values.get(index);
        }

        /** Whether a variable of that name exists. */
        boolean set(String name, GoValue value) {
            int index = indexOf(name);
            if (index >= 0) {
                values.set(index, value);
            }
            return index >= 0;
        }

        private int indexOf(String name) {
            for (int i = names.size() - 1; i >= base; i--) {
                if (names.get(i).equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        /** Sets the variable declared last ({@code fromTop} 1), or the one before (2). */
        void setFromTop(int fromTop, GoValue value) {
            values.set(values.size() - fromTop, value);
        }

        /** A position for {@link #reset}. */
        int mark() {
            return names.size();
        }

        void reset(int mark) {
            while (names.size() > mark) {
                names.removeLast();
                values.removeLast();
            }
        }

        /** Starts a template with {@code $}; returns the argument for {@link #leave}. */
        int enter(GoValue data) {
            int callersBase = base;
            base = names.size();
            push("$", data);
            return callersBase;
        }

        void leave(int callersBase) {
            reset(base);
            base = callersBase;
        }
    }
}
