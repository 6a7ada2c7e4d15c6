package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import java.util.ArrayList;
import java.util.List;

/** How sprig makes text of any value. */
final class Texts {
    private Texts() {}

    /** The text of one value: bytes as they are, anything else as {@code %v} prints it. */
    static String of(Environment environment, Value value) {
        if (value instanceof Str text && text.type().equals(Type.STRING)) {
            return text.bytes();
        }
        if (value instanceof Slice slice && slice.type().equals(Type.BYTES)) {
            return ofBytes(environment, slice);
        }
        return printed(environment, value);
    }

    /** What {@code %v} prints. */
    static String printed(Environment environment, Value value) {
        return GoPrint.sprint(environment, List.of(value));
    }

    /** The texts of a list's elements but nil ones; any other value is a list of itself, and nil is an empty one. */
    static List<String> ofAll(Environment environment, Value value) {
        if (value instanceof Nil) {
            return List.of();
        }
        if (!(value instanceof Slice list) || value.kind() != Kind.SLICE && value.kind() != Kind.ARRAY) {
            return List.of(of(environment, value));
        }
        Arguments.chargeSlots(environment, list.length());
        List<String> texts = new ArrayList<>(list.length());
        for (Value element : list.elements()) {
            if (!(element instanceof Nil)) {
                texts.add(of(environment, element));
            }
        }
        return texts;
    }

    private static String ofBytes(Environment environment, Slice bytes) {
        Arguments.chargeText(environment, bytes.length());
        StringBuilder text = new StringBuilder(bytes.length());
        for (Value element : bytes.elements()) {
            text.append((char) (((Int) element).value() & 0xFF));
        }
        return text.toString();
    }
}
