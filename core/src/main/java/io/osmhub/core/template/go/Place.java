package io.osmhub.core.template.go;

import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;

/**
 * A value and the type of the place that it was found in: an element of a {@code []interface {}} has the type {@code interface
 * {}} in messages, whatever it holds.
 */
record Place(Value value, Type type) {
    static Place of(Value value) {
        return new Place(value, value.type());
    }
}
