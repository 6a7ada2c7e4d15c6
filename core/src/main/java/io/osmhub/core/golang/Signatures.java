package io.osmhub.core.golang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads Go types from their text, so that a function's signature can be written as Go shows it, for example
 * {@code func(string, ...interface {}) string}.
 *
 * <p>A function's {@code error} result is accepted and left out of the type: here a function that fails throws
 * {@link CallFailure}. Parameters are written without names.
 */
public final class Signatures {
    private static final Map<String, Type> BASIC = basicTypes();

    private final String text;
    private final Map<String, Type> named;
    private int position;

    private Signatures(String text, Map<String, Type> named) {
        this.text = text;
        this.named = named;
    }

    /** The type of a function; {@code named} are the named types that occur in the text. */
    public static Type func(String text, Type... named) {
        Type type = type(text, named);
        if (type.kind() != Kind.FUNC) {
            throw new IllegalArgumentException("no function type: " + text);
        }
        return type;
    }

    /** Any type; {@code named} are the named types that occur in the text. */
    public static Type type(String text, Type... named) {
        Map<String, Type> known = BASIC;
        if (named.length > 0) {
            known = new HashMap<>(BASIC);
            for (Type type : named) {
                known.put(type.name(), type);
            }
        }
        Signatures reader = new Signatures(text, known);
        Type type = reader.type();
        reader.skipBlanks();
        if (reader.position != text.length()) {
            throw reader.unexpected();
        }
        return type;
    }

    private static Map<String, Type> basicTypes() {
        Map<String, Type> types = new HashMap<>();
        for (Type type : List.of(
                Type.BOOL,
                Type.INT,
                Type.INT8,
                Type.INT16,
                Type.INT32,
                Type.INT64,
                Type.UINT,
                Type.UINT8,
                Type.UINT16,
                Type.UINT32,
                Type.UINT64,
                Type.UINTPTR,
                Type.FLOAT32,
                Type.FLOAT64,
                Type.COMPLEX64,
                Type.COMPLEX128,
                Type.STRING,
                Type.ERROR,
                Type.REFLECT_VALUE)) {
            types.put(type.toString(), type);
        }
        types.put("any", Type.ANY);
        types.put("byte", Type.UINT8);
        types.put("rune", Type.INT32);
        return Map.copyOf(types);
    }

    private Type type() {
        skipBlanks();
        if (accept("[]")) {
            return Type.sliceOf(type());
        }
        if (accept("*")) {
            return Type.pointerTo(type());
        }
        if (accept("map[")) {
            Type key = type();
            expect("]");
            return Type.mapOf(key, type());
        }
        if (accept("func(")) {
            return function();
        }
        if (accept("interface")) {
            expect("{");
            expect("}");
            return Type.ANY;
        }
        int start = position;
        while (position < text.length() && isNamePart(text.charAt(position))) {
            position++;
        }
        Type type = named.get(text.substring(start, position));
        if (type == null) {
            throw unexpected();
        }
        return type;
    }

    private Type function() {
        List<Type> parameters = new ArrayList<>();
        boolean variadic = false;
        while (!accept(")")) {
            if (!parameters.isEmpty()) {
                expect(",");
            }
            if (accept("...")) {
                variadic = true;
                parameters.add(Type.sliceOf(type()));
                expect(")");
                break;
            }
            parameters.add(type());
        }
        return Type.func(parameters, variadic, result());
    }

    private @Nullable Type result() {
        if (accept("(")) {
            Type type = type();
            expect(",");
            expect("error");
            expect(")");
            return type;
        }
        skipBlanks();
        boolean none = position == text.length() || ",)]".indexOf(text.charAt(position)) >= 0;
        return none ? null : type();
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private void skipBlanks() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
    }

    private boolean accept(String token) {
        skipBlanks();
        boolean found = text.startsWith(token, position);
        position += found ? token.length() : 0;
        return found;
    }

    private void expect(String token) {
        if (!accept(token)) {
            throw unexpected();
        }
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("no Go type: " + text + ", at column " + (position + 1));
    }
}
