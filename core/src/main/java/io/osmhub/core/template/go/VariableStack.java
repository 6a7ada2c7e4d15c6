package io.osmhub.core.template.go;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The variables of an execution. A stack as in Go, searched by name from the top: what a name means depends on what was
 * executed, because a declaration in parentheses may be skipped.
 */
final class VariableStack {
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
