package io.osmhub.core.golang;

import io.osmhub.core.golang.GoType.GoKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses Go types, so that a function's signature can be written in Go's syntax, for example {@code func(string, ...interface {})
 * string}.
 *
 * <p>A function's {@code error} result is accepted and left out of the type: a failing function throws {@link GoCallException}.
 * Parameters have no names.
 */
public final class GoTypeParser {
    private static final Map<String, GoType> BASIC = basicTypes();

    private final String text;
    private final Map<String, GoType> named;
    private int position;

    private GoTypeParser(String text, Map<String, GoType> named) {
        this.text = text;
        this.named = named;
    }

    /** A function type; {@code named} are the named types in the text. */
    public static GoType parseFunction(String text, GoType... named) {
        GoType type = parseType(text, named);
        if (type.kind() != GoKind.FUNC) {
            throw new IllegalArgumentException("not a function type: " + text);
        }
        return type;
    }

    /** Any type; {@code named} are the named types in the text. */
    public static GoType parseType(String text, GoType... named) {
        Map<String, GoType> known = BASIC;
        if (named.length > 0) {
            known = new HashMap<>(BASIC);
            for (GoType type : named) {
                known.put(type.name(), type);
            }
        }
        GoTypeParser reader = new GoTypeParser(text, known);
        GoType type = reader.parseType();
        reader.skipBlanks();
        if (reader.position != text.length()) {
            throw reader.unexpected();
        }
        return type;
    }

    private static Map<String, GoType> basicTypes() {
        Map<String, GoType> types = new HashMap<>();
        for (GoType type : List.of(
                GoType.BOOL,
                GoType.INT,
                GoType.INT8,
                GoType.INT16,
                GoType.INT32,
                GoType.INT64,
                GoType.UINT,
                GoType.UINT8,
                GoType.UINT16,
                GoType.UINT32,
                GoType.UINT64,
                GoType.UINTPTR,
                GoType.FLOAT32,
                GoType.FLOAT64,
                GoType.COMPLEX64,
                GoType.COMPLEX128,
                GoType.STRING,
                GoType.ERROR,
                GoType.REFLECT_VALUE)) {
            types.put(type.toString(), type);
        }
        types.put("any", GoType.ANY);
        types.put("byte", GoType.UINT8);
        types.put("rune", GoType.INT32);
        return Map.copyOf(types);
    }

    private GoType parseType() {
        skipBlanks();
        if (accept("[]")) {
            return GoType.sliceOf(parseType());
        }
        if (accept("*")) {
            return GoType.pointerTo(parseType());
        }
        if (accept("map[")) {
            GoType key = parseType();
            expect("]");
            return GoType.mapOf(key, parseType());
        }
        if (accept("func(")) {
            return function();
        }
        if (accept("interface")) {
            expect("{");
            expect("}");
            return GoType.ANY;
        }
        int start = position;
        while (position < text.length() && isNamePart(text.charAt(position))) {
            position++;
        }
        GoType type = named.get(text.substring(start, position));
        if (type == null) {
            throw unexpected();
        }
        return type;
    }

    private GoType function() {
        List<GoType> parameters = new ArrayList<>();
        boolean variadic = false;
        while (!accept(")")) {
            if (!parameters.isEmpty()) {
                expect(",");
            }
            if (accept("...")) {
                variadic = true;
                parameters.add(GoType.sliceOf(parseType()));
                expect(")");
                break;
            }
            parameters.add(parseType());
        }
        return GoType.func(parameters, variadic, result());
    }

    private @Nullable GoType result() {
        if (accept("(")) {
            GoType type = parseType();
            expect(",");
            expect("error");
            expect(")");
            return type;
        }
        skipBlanks();
        boolean none = position == text.length() || ",)]".indexOf(text.charAt(position)) >= 0;
        return none ? null : parseType();
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
        return new IllegalArgumentException("not a Go type: " + text + ", at column " + (position + 1));
    }
}
