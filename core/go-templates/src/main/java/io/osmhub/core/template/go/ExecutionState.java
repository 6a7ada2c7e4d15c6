package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.go.GoTemplate.GoTemplateErrors;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.Arrays;
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
        private String[] names = new String[4];
        private @Nullable TypedValue[] places = new TypedValue[4];
        private int size;
        /** First variable of the running template; a template sees none of its caller's. */
        private int base;

        void push(String name, TypedValue place) {
            if (size == names.length) {
                names = Arrays.copyOf(names, 2 * size);
                places = Arrays.copyOf(places, 2 * size);
            }
            names[size] = name;
            places[size] = place;
            size++;
        }

        /** The variable; null if undefined. */
        @Nullable TypedValue get(String name) {
            int index = indexOf(name);
            return index < 0 ? null : places[index];
        }

        /** Whether a variable of that name exists. */
        boolean set(String name, TypedValue place) {
            int index = indexOf(name);
            if (index >= 0) {
                places[index] = place;
            }
            return index >= 0;
        }

        private int indexOf(String name) {
            for (int i = size - 1; i >= base; i--) {
                if (names[i].equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        /** Sets the variable declared last ({@code fromTop} 1), or the one before (2). */
        void setFromTop(int fromTop, TypedValue place) {
            places[size - fromTop] = place;
        }

        /** A position for {@link #reset}. */
        int mark() {
            return size;
        }

        void reset(int mark) {
            size = mark;
        }

        /** Starts a template with {@code $}; returns the argument for {@link #leave}. */
        int enter(TypedValue data) {
            int callersBase = base;
            base = size;
            push("$", data);
            return callersBase;
        }

        void leave(int callersBase) {
            size = base;
            base = callersBase;
        }
    }

    /**
     * A value with its static type: an element of a {@code []interface {}} has the type {@code interface {}} in messages, independent
     * of its value.
     */
    record TypedValue(GoValue value, GoType type) {
        static TypedValue of(GoValue value) {
            return new TypedValue(value, value.type());
        }
    }
}
