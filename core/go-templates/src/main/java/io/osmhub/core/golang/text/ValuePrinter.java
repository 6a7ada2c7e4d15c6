package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints values with one verb each, recursively. */
final class ValuePrinter {
    /** Printed for every address, since Go's differ from run to run; most have as many digits. */
    private static final long ADDRESS = 0x200000000000L;

    /** Exceeded only by a value that contains itself. */
    private static final int MAX_DEPTH = 250;

    private static final String NIL = "<nil>";

    /** Printed instead of the address of a pointer to it. */
    private static final Set<GoKind> STRUCTURES = Set.of(GoKind.SLICE, GoKind.MAP, GoKind.STRUCT);

    private final PrintBuffer buffer;
    private final NumberPrinter numbers;
    private Directive directive = Directive.PLAIN;

    /** Whether structs are printed with the names of their fields, as {@code %+v} does. */
    private boolean namesFields;

    /** Set while a value is printed inside an error mark: then its methods are not called. */
    private boolean showingBadVerb;

    private @Nullable String unsupported;

    ValuePrinter(PrintBuffer buffer) {
        this.buffer = buffer;
        this.numbers = new NumberPrinter(buffer);
    }

    /** The first use of a verb that is not supported, for example {@code %x of a float64}; then the text is useless. */
    @Nullable String unsupported() {
        return unsupported;
    }

    void print(GoValue value) {
        print(value, Directive.PLAIN, 'v');
    }

    void print(GoValue value, Directive flags, int verb) {
        namesFields = flags.has('+') && (verb == 'v' || verb == 'w');
        directive = namesFields ? flags.without('+') : flags;
        operand(value, verb);
    }

    private void operand(GoValue value, int verb) {
        if (value instanceof GoNil) {
            if (verb == 'T' || verb == 'v') {
                buffer.writePadded(directive, NIL);
            } else {
                badVerb(value, verb);
            }
        } else if (verb == 'T') {
            text(value instanceof GoNoValue ? "reflect.Value" : value.type().toString());
        } else if (value.type().equals(GoType.BYTES) || !printedByMethod(value, verb)) {
            // Go prints bytes before it looks for methods.
            plain(value, verb, 0);
        }
    }

    private void nested(GoValue value, int verb, int depth) {
        if (depth > MAX_DEPTH) {
            throw new LimitExceededException("a value nested more than " + MAX_DEPTH + " deep to print");
        }
        if (value instanceof GoNil) {
            buffer.write(NIL);
        } else if (!printedByMethod(value, verb)) {
            plain(value, verb, depth);
        }
    }

    /** The method with which Go prints values of a type; null if none. {@code Error} precedes {@code String}. */
    static GoType.@Nullable Method textMethod(GoType type) {
        for (String name : List.of("Error", "String")) {
            GoType.Method method = type.method(name);
            if (method != null
                    && method.signature().parameters().isEmpty()
                    && GoType.STRING.equals(method.signature().result())) {
                return method;
            }
        }
        return null;
    }

    /** Prints with the value's own method, if allowed and present. */
    private boolean printedByMethod(GoValue value, int verb) {
        if (showingBadVerb) {
            return false;
        }
        if (verb == 'w') {
            badVerb(value, verb);
            return true;
        }
        GoType.Method method = "vsxXq".indexOf(verb) < 0 ? null : textMethod(value.type());
        if (method == null) {
            return false;
        }
        GoValue receiver = value instanceof GoPointer pointer && !method.onPointer() ? pointer.target() : value;
        try {
            if (receiver == null) {
                buffer.write(NIL);
            } else {
                GoValue text = method.code().call(buffer.environment(), List.of(receiver));
                string(value, ((GoString) text).bytes(), verb);
            }
        } catch (GoCallException panic) {
            boolean isNil = value instanceof GoPointer pointer && pointer.isNil();
            buffer.write(
                    isNil ? NIL : "%!" + (char) verb + "(PANIC=" + method.name() + " method: " + panic.text() + ")");
        }
        return true;
    }

    private void plain(GoValue value, int verb, int depth) {
        switch (value) {
            case GoNoValue _ -> absent(verb, depth);
            case GoNil _ -> buffer.write(NIL);
            case GoBool bool -> bool(bool, verb);
            case GoInt integer ->
                integer(integer, integer.value(), integer.kind().isSigned(), verb);
            case GoFloat number -> floating(number, verb);
            case GoString string -> string(string, string.bytes(), verb);
            case GoSlice slice -> slice(slice, verb, depth);
            case GoMap map -> map(map, verb, depth);
            case GoStruct struct -> struct(struct, verb, depth);
            case GoPointer pointer -> pointer(pointer, verb, depth);
            case GoFunction function -> address(function, function.code() == null, verb);
        }
    }

    private void absent(int verb, int depth) {
        if (depth == 0) {
            buffer.write("<invalid reflect.Value>");
        } else if (verb == 'v') {
            buffer.write(NIL);
        } else {
            badVerb(GoNoValue.ABSENT, verb);
        }
    }

    private void bool(GoBool bool, int verb) {
        if (verb == 't' || verb == 'v') {
            buffer.writePadded(directive, String.valueOf(bool.value()));
        } else {
            badVerb(bool, verb);
        }
    }

    private void integer(GoValue whole, long value, boolean signed, int verb) {
        switch (verb) {
            case 'v', 'd' -> numbers.integer(directive, value, signed, 10, verb);
            case 'b' -> numbers.integer(directive, value, signed, 2, verb);
            case 'o', 'O' -> numbers.integer(directive, value, signed, 8, verb);
            case 'x', 'X' -> numbers.integer(directive, value, signed, 16, verb);
            case 'c' -> numbers.character(directive, value);
            case 'q' -> numbers.quotedCharacter(directive, value);
            default -> badVerb(whole, verb);
        }
    }

    private void floating(GoFloat number, int verb) {
        int bits = number.kind().bits();
        switch (verb) {
            case 'v' -> numbers.floating(directive, number.value(), bits, 'g', -1);
            case 'g', 'G' -> numbers.floating(directive, number.value(), bits, (char) verb, -1);
            case 'f', 'e', 'E' -> numbers.floating(directive, number.value(), bits, (char) verb, 6);
            case 'F' -> numbers.floating(directive, number.value(), bits, 'f', 6);
            case 'b', 'x', 'X' -> refuse(verb, number);
            default -> badVerb(number, verb);
        }
    }

    private void refuse(int verb, GoValue value) {
        if (unsupported == null) {
            unsupported = "%" + (char) verb + " of a " + value.type();
        }
    }

    /** Prints a string's bytes, or the result of a method of {@code whole}. */
    private void string(GoValue whole, String bytes, int verb) {
        switch (verb) {
            case 'v', 's' -> text(bytes);
            case 'q' -> quoted(bytes);
            case 'x', 'X' -> hex(bytes, verb == 'X');
            default -> badVerb(whole, verb);
        }
    }

    private void text(String bytes) {
        buffer.writePadded(directive, cut(bytes));
    }

    /** The precision counts characters. */
    private String cut(String bytes) {
        if (!directive.hasPrecision() || directive.precision() >= bytes.length()) {
            return bytes;
        }
        int end = 0;
        for (int left = directive.precision(); left > 0 && end < bytes.length(); left--) {
            end += Utf8Runes.size(Utf8Runes.runeAt(bytes, end));
        }
        return bytes.substring(0, end);
    }

    /** In quotes, or with {@code #} in backquotes if possible. */
    private void quoted(String bytes) {
        String part = cut(bytes);
        boolean raw = directive.has('#') && GoQuote.canBackquote(part);
        buffer.writePadded(directive, raw ? "`" + part + "`" : GoQuote.quote(part, directive.has('+')));
    }

    /** Here the precision counts bytes. */
    private void hex(String bytes, boolean upper) {
        int length = directive.hasPrecision() ? Math.min(directive.precision(), bytes.length()) : bytes.length();
        String prefix = !directive.has('#') || length == 0 ? "" : upper ? "0X" : "0x";
        String between = directive.has(' ') ? " " + prefix : "";
        HexFormat format = upper ? HexFormat.of().withUpperCase() : HexFormat.of();
        buffer.reserve((2L + between.length()) * length);
        StringBuilder text = new StringBuilder(prefix);
        for (int i = 0; i < length; i++) {
            format.toHexDigits(text.append(i == 0 ? "" : between), (byte) bytes.charAt(i));
        }
        buffer.writePadded(directive, text.toString());
    }

    private void slice(GoSlice slice, int verb, int depth) {
        if (slice.type().elem().kind() == GoKind.UINT8 && "sqxX".indexOf(verb) >= 0) {
            StringBuilder bytes = new StringBuilder(slice.length());
            slice.elements().forEach(item -> bytes.append((char) (((GoInt) item).value() & 0xFF)));
            string(slice, bytes.toString(), verb);
            return;
        }
        buffer.write('[');
        List<GoValue> items = slice.elements();
        for (int i = 0; i < items.size(); i++) {
            buffer.write(i == 0 ? "" : " ");
            nested(items.get(i), verb, depth + 1);
        }
        buffer.write(']');
    }

    private void map(GoMap map, int verb, int depth) {
        buffer.write("map[");
        boolean first = true;
        for (Map.Entry<GoValue, GoValue> entry : MapKeyOrder.sortEntries(map)) {
            buffer.write(first ? "" : " ");
            first = false;
            nested(entry.getKey(), verb, depth + 1);
            buffer.write(':');
            nested(entry.getValue(), verb, depth + 1);
        }
        buffer.write(']');
    }

    private void struct(GoStruct struct, int verb, int depth) {
        buffer.write('{');
        List<GoType.Field> fields = struct.type().fields();
        for (int i = 0; i < fields.size(); i++) {
            buffer.write(i == 0 ? "" : " ");
            if (namesFields) {
                buffer.write(fields.get(i).name()).write(':');
            }
            nested(struct.field(i), verb, depth + 1);
        }
        buffer.write('}');
    }

    private void pointer(GoPointer pointer, int verb, int depth) {
        GoValue target = pointer.target();
        if (depth == 0 && target != null && STRUCTURES.contains(target.kind())) {
            buffer.write('&');
            nested(target, verb, depth + 1);
        } else {
            address(pointer, pointer.isNil(), verb);
        }
    }

    /** Prints a pointer or a function as an address. */
    private void address(GoValue value, boolean isNil, int verb) {
        long address = isNil ? 0 : ADDRESS;
        switch (verb) {
            case 'v' -> {
                if (isNil) {
                    buffer.writePadded(directive, NIL);
                } else {
                    Directive prefixed =
                            new Directive(directive.flags() + '#', directive.width(), directive.precision());
                    numbers.integer(directive.has('#') ? directive.without('#') : prefixed, address, false, 16, verb);
                }
            }
            case 'b', 'o', 'd', 'x', 'X' -> integer(value, address, false, verb);
            default -> badVerb(value, verb);
        }
    }

    /** Prints the error mark for a verb that does not fit a value. */
    private void badVerb(GoValue value, int verb) {
        boolean outer = showingBadVerb;
        showingBadVerb = true;
        buffer.write("%!").writeRune(verb).write('(');
        if (value instanceof GoNil || value instanceof GoNoValue) {
            buffer.write(NIL);
        } else {
            buffer.write(value.type().toString()).write('=');
            operand(value, 'v');
        }
        buffer.write(')');
        showingBadVerb = outer;
    }
}
