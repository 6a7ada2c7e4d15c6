package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;

/**
 * A value with its static type: an element of a {@code []interface {}} has the type {@code interface {}} in messages, independent
 * of its value.
 */
record TypedValue(GoValue value, GoType type) {
    static TypedValue of(GoValue value) {
        return new TypedValue(value, value.type());
    }
}
