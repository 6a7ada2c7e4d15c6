package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.util.NoSuchElementException;

/**
 * One execution on one thread: its environment, its context and where text goes to.
 *
 * <p>The library tells its resolver, its cache and its formatter nothing about the execution they work for, so it is bound to
 * the thread for as long as it lasts.
 */
final class Rendering {
    private static final ScopedValue<Rendering> CURRENT = ScopedValue.newInstance();

    private final Environment environment;
    private final Scope root;
    private BoundedWriter writer;
    private String lastMissed = "";

    Rendering(Environment environment, Value root, BoundedWriter writer) {
        this.environment = environment;
        this.root = new Scope(root);
        this.writer = writer;
    }

    static ScopedValue<Rendering> variable() {
        return CURRENT;
    }

    /** The execution that the calling thread is in. */
    static Rendering current() throws NoSuchElementException {
        return CURRENT.get();
    }

    Environment environment() {
        return environment;
    }

    Scope root() {
        return root;
    }

    BoundedWriter writer() {
        return writer;
    }

    /** The name that was last looked for in vain in a scope. */
    String lastMissed() {
        return lastMissed;
    }

    void missed(String name) {
        lastMissed = name;
    }

    /** Sends text elsewhere; returns where it went until now. */
    BoundedWriter redirect(BoundedWriter target) {
        BoundedWriter previous = writer;
        writer = target;
        return previous;
    }
}
