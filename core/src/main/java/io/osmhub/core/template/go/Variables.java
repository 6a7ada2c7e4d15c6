package io.osmhub.core.template.go;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The variables of an execution. A stack as in Go, searched by name from the top: what a name means depends on what was
 * executed, because a declaration in parentheses may be skipped.
 */
final class Variables {
    private String[] names = new String[4];
    private @Nullable Place[] places = new Place[4];
    private int size;
    /** First variable of the running template; a template sees none of its caller's. */
    private int base;

    void push(String name, Place place) {
        if (size == names.length) {
            names = Arrays.copyOf(names, 2 * size);
            places = Arrays.copyOf(places, 2 * size);
        }
        names[size] = name;
        places[size] = place;
        size++;
    }

    /** The variable's place; null when there is none of that name. */
    @Nullable Place get(String name) {
        int index = indexOf(name);
        return index < 0 ? null : places[index];
    }

    /** Whether there is a variable of that name to assign to. */
    boolean set(String name, Place place) {
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
    void setFromTop(int fromTop, Place place) {
        places[size - fromTop] = place;
    }

    /** A place to return to with {@link #reset}. */
    int mark() {
        return size;
    }

    void reset(int mark) {
        size = mark;
    }

    /** Begins a template with {@code $}; answers what {@link #leave} needs. */
    int enter(Place data) {
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
