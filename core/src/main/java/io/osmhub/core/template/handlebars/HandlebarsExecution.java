package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.util.NoSuchElementException;

/**
 * One execution on one thread: its environment, context and output.
 *
 * <p>The library does not pass the execution to its resolver, cache and formatter, so it is bound to the thread while it lasts.
 */
final class HandlebarsExecution {
    private static final ScopedValue<HandlebarsExecution> CURRENT = ScopedValue.newInstance();

    private final ExecutionEnvironment environment;
    private final NameScope root;
    private BudgetedWriter writer;
    private String lastMissingName = "";

    HandlebarsExecution(ExecutionEnvironment environment, GoValue root, BudgetedWriter writer) {
        this.environment = environment;
        this.root = new NameScope(root);
        this.writer = writer;
    }

    static ScopedValue<HandlebarsExecution> scopedValue() {
        return CURRENT;
    }

    /** The execution of the calling thread. */
    static HandlebarsExecution current() throws NoSuchElementException {
        return CURRENT.get();
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    NameScope root() {
        return root;
    }

    BudgetedWriter writer() {
        return writer;
    }

    /** The last name that a scope could not resolve. */
    String lastMissingName() {
        return lastMissingName;
    }

    void recordMissingName(String name) {
        lastMissingName = name;
    }

    /** Redirects the output; returns the previous target. */
    BudgetedWriter redirect(BudgetedWriter target) {
        BudgetedWriter previous = writer;
        writer = target;
        return previous;
    }
}
