package io.osmhub.core.template.functions;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import java.util.ArrayList;
import java.util.List;

/** How sprig makes text of any value. */
final class TextConversion {
    private TextConversion() {}

    /** The text of one value: bytes as they are, anything else as {@code %v} prints it. */
    static String toText(ExecutionEnvironment environment, GoValue value) {
        if (value instanceof GoString text && text.type().equals(GoType.STRING)) {
            return text.bytes();
        }
        if (value instanceof GoSlice slice && slice.type().equals(GoType.BYTES)) {
            return ofBytes(environment, slice);
        }
        return print(environment, value);
    }

    /** What {@code %v} prints. */
    static String print(ExecutionEnvironment environment, GoValue value) {
        return GoPrint.sprint(environment, List.of(value));
    }

    /** The texts of a list's elements but nil ones; any other value is a list of itself, and nil is an empty one. */
    static List<String> toTexts(ExecutionEnvironment environment, GoValue value) {
        if (value instanceof GoNil) {
            return List.of();
        }
        if (!(value instanceof GoSlice list) || value.kind() != GoKind.SLICE && value.kind() != GoKind.ARRAY) {
            return List.of(toText(environment, value));
        }
        SprigArguments.chargeSlots(environment, list.length());
        List<String> texts = new ArrayList<>(list.length());
        for (GoValue element : list.elements()) {
            if (!(element instanceof GoNil)) {
                texts.add(toText(environment, element));
            }
        }
        return texts;
    }

    private static String ofBytes(ExecutionEnvironment environment, GoSlice bytes) {
        SprigArguments.chargeText(environment, bytes.length());
        StringBuilder text = new StringBuilder(bytes.length());
        for (GoValue element : bytes.elements()) {
            text.append((char) (((GoInt) element).value() & 0xFF));
        }
        return text.toString();
    }
}
