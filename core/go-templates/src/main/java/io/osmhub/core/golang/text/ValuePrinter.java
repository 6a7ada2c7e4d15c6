package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoPrint.UnexportedFields;
import java.util.List;
import java.util.Map;

/** Prints values with one verb each, recursively. */
final class ValuePrinter {
    /** Printed for every address, since Go's differ from run to run; most have as many digits. */
    static final long ADDRESS = 0x200000000000L;

    /** Exceeded only by a map that contains itself. */
    private static final int MAX_DEPTH = 250;

    private static final String NIL = "<nil>";

    final FormatFlags directive = new FormatFlags();
    final BudgetedBuffer output;
    private final NumberVerbs numbers;
    private final StringVerbs texts;
    private final StringerPrinter methods;

    /** Set while a value is printed inside an error mark: then its methods are not called. */
    private boolean showingBadVerb;

    ValuePrinter(BudgetedBuffer output) {
        this.output = output;
        this.numbers = new NumberVerbs(directive, output);
        this.texts = new StringVerbs(directive, output);
        this.methods = new StringerPrinter(this);
    }

    /** Prints an operand. */
    void printOperand(GoValue value, int verb) {
        if (value instanceof GoNil) {
            if (verb == 'T' || verb == 'v') {
                output.writePadded(directive, NIL);
            } else {
                printBadVerb(value, verb);
            }
        } else if (verb == 'T') {
            texts.plain(
                    value instanceof GoNoValue ? "reflect.Value" : value.type().toString());
        } else if (verb == 'p') {
            address(value, verb);
        } else if (value instanceof GoSlice slice && slice.type().equals(GoType.BYTES)) {
            bytes(slice, verb);
        } else if (!asText(value, verb)) {
            plain(value, verb, 0);
        }
    }

    /** Prints a nested value. {@code accessible} is false in unexported fields, whose methods are not called. */
    private void nested(GoValue value, int verb, int depth, boolean accessible) {
        if (depth > MAX_DEPTH) {
            throw new LimitExceededException("a value nested more than " + MAX_DEPTH + " deep to print");
        }
        if (value instanceof GoNil nil) {
            if (directive.sharpV) {
                output.write(nil.type().toString()).write("(nil)");
            } else {
                output.write(NIL);
            }
        } else if (!accessible || !asText(value, verb)) {
            plain(value, verb, depth);
        }
    }

    /** Prints with the value's own methods, if allowed and present. */
    private boolean asText(GoValue value, int verb) {
        if (showingBadVerb) {
            return false;
        }
        if (verb == 'w') {
            printBadVerb(value, verb);
            return true;
        }
        return methods.print(value, verb);
    }

    private void plain(GoValue value, int verb, int depth) {
        switch (value) {
            case GoNoValue _ -> absent(verb, depth);
            case GoNil _ -> output.write(NIL);
            case GoBool bool -> bool(bool, verb);
            case GoInt integer -> integer(integer, verb);
            case GoFloat number -> floating(number.value(), number.kind().bits(), verb, value);
            case GoComplex complex -> complex(complex, verb);
            case GoString string -> text(string, string.bytes(), verb);
            case GoSlice slice -> slice(slice, verb, depth);
            case GoMap map -> map(map, verb, depth);
            case GoStruct struct -> struct(struct.type(), struct.fields()::apply, verb, depth);
            case GoOpaque opaque -> opaque(opaque, verb, depth);
            case GoPointer pointer -> pointer(pointer, verb, depth);
            case GoFunction func -> address(func, verb);
        }
    }

    private void absent(int verb, int depth) {
        if (depth == 0) {
            output.write("<invalid reflect.Value>");
        } else if (verb == 'v') {
            output.write(NIL);
        } else {
            printBadVerb(GoNoValue.ABSENT, verb);
        }
    }

    private void bool(GoBool bool, int verb) {
        if (verb == 't' || verb == 'v') {
            output.writePadded(directive, bool.value() ? "true" : "false");
        } else {
            printBadVerb(bool, verb);
        }
    }

    private void integer(GoInt integer, int verb) {
        integer(integer.value(), integer.kind().isSigned(), verb, integer);
    }

    private void integer(long value, boolean signed, int verb, GoValue whole) {
        switch (verb) {
            case 'v' -> {
                if (directive.sharpV && !signed) {
                    numbers.hex(value, true);
                } else {
                    numbers.integer(value, signed, 10, verb);
                }
            }
            case 'd' -> numbers.integer(value, signed, 10, verb);
            case 'b' -> numbers.integer(value, signed, 2, verb);
            case 'o', 'O' -> numbers.integer(value, signed, 8, verb);
            case 'x', 'X' -> numbers.integer(value, signed, 16, verb);
            case 'c' -> numbers.character(value);
            case 'q' -> numbers.quotedCharacter(value);
            case 'U' -> numbers.unicode(value);
            default -> printBadVerb(whole, verb);
        }
    }

    private void floating(double number, int bits, int verb, GoValue whole) {
        switch (verb) {
            case 'v' -> numbers.floating(number, bits, 'g', -1);
            case 'b', 'g', 'G', 'x', 'X' -> numbers.floating(number, bits, (char) verb, -1);
            case 'f', 'e', 'E' -> numbers.floating(number, bits, (char) verb, 6);
            case 'F' -> numbers.floating(number, bits, 'f', 6);
            default -> printBadVerb(whole, verb);
        }
    }

    private void complex(GoComplex complex, int verb) {
        switch (verb) {
            case 'v', 'b', 'g', 'G', 'x', 'X', 'f', 'F', 'e', 'E' -> {
                int bits = complex.kind() == GoKind.COMPLEX64 ? 32 : 64;
                boolean plus = directive.plus;
                output.write('(');
                floating(complex.real(), bits, verb, complex);
                directive.plus = true;
                floating(complex.imaginary(), bits, verb, complex);
                output.write("i)");
                directive.plus = plus;
            }
            default -> printBadVerb(complex, verb);
        }
    }

    /** Prints a string's bytes, or the result of a method of {@code whole}. */
    void text(GoValue whole, String bytes, int verb) {
        switch (verb) {
            case 'v' -> {
                if (directive.sharpV) {
                    texts.quoted(bytes);
                } else {
                    texts.plain(bytes);
                }
            }
            case 's' -> texts.plain(bytes);
            case 'q' -> texts.quoted(bytes);
            case 'x', 'X' -> texts.hex(bytes, verb == 'X');
            default -> printBadVerb(whole, verb);
        }
    }

    /** A {@code []byte} operand. */
    private void bytes(GoSlice slice, int verb) {
        switch (verb) {
            case 's', 'q', 'x', 'X' -> text(slice, byteString(slice), verb);
            case 'v', 'd' -> list(slice, "[]byte", verb, 0);
            default -> plain(slice, verb, 0);
        }
    }

    private static String byteString(GoSlice slice) {
        StringBuilder bytes = new StringBuilder(slice.length());
        for (GoValue item : slice.elements()) {
            bytes.append((char) (((GoInt) item).value() & 0xFF));
        }
        return bytes.toString();
    }

    private void slice(GoSlice slice, int verb, int depth) {
        boolean ofBytes = slice.type().elem().kind() == GoKind.UINT8;
        if (ofBytes && (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X')) {
            text(slice, byteString(slice), verb);
        } else {
            list(slice, slice.type().toString(), verb, depth);
        }
    }

    private void list(GoSlice slice, String typeText, int verb, int depth) {
        if (directive.sharpV) {
            output.write(typeText);
            if (slice.isNil()) {
                output.write("(nil)");
                return;
            }
        }
        output.write(directive.sharpV ? '{' : '[');
        List<GoValue> items = slice.elements();
        for (int i = 0; i < items.size(); i++) {
            separate(i);
            nested(items.get(i), verb, depth + 1, true);
        }
        output.write(directive.sharpV ? '}' : ']');
    }

    private void separate(int index) {
        if (index > 0) {
            output.write(directive.sharpV ? ", " : " ");
        }
    }

    private void map(GoMap map, int verb, int depth) {
        if (directive.sharpV) {
            output.write(map.type().toString());
            if (map.isNil()) {
                output.write("(nil)");
                return;
            }
            output.write('{');
        } else {
            output.write("map[");
        }
        output.reserve(16L * map.length());
        int index = 0;
        for (Map.Entry<GoValue, GoValue> entry : MapKeyOrder.sortEntries(map)) {
            separate(index++);
            nested(entry.getKey(), verb, depth + 1, true);
            output.write(':');
            nested(entry.getValue(), verb, depth + 1, true);
        }
        output.write(directive.sharpV ? '}' : ']');
    }

    private void opaque(GoOpaque opaque, int verb, int depth) {
        if (opaque.payload() instanceof UnexportedFields innards) {
            List<GoValue> fields = innards.fields();
            struct(opaque.type(), fields::get, verb, depth);
        } else {
            output.write(directive.sharpV ? opaque.type().toString() : "").write("{}");
        }
    }

    /** Provides the fields of a struct by position. */
    private interface Fields {
        GoValue at(int index);
    }

    private void struct(GoType type, Fields fields, int verb, int depth) {
        if (directive.sharpV) {
            output.write(type.toString());
        }
        output.write('{');
        List<GoType.Field> declared = type.fields();
        for (int i = 0; i < declared.size(); i++) {
            separate(i);
            String name = declared.get(i).name();
            if (directive.plusV || directive.sharpV) {
                output.write(name).write(':');
            }
            boolean exported = Character.isUpperCase(name.codePointAt(0));
            nested(fields.at(i), verb, depth + 1, exported);
        }
        output.write('}');
    }

    private void pointer(GoPointer pointer, int verb, int depth) {
        GoValue target = pointer.target();
        if (depth == 0 && target != null) {
            switch (target.kind()) {
                case SLICE, ARRAY, STRUCT, MAP -> {
                    output.write('&');
                    nested(target, verb, depth + 1, true);
                    return;
                }
                default -> {
                    // Printed as an address.
                }
            }
        }
        address(pointer, verb);
    }

    /** Prints a pointer, function, map or slice as an address. */
    private void address(GoValue value, int verb) {
        boolean isNil =
                switch (value) {
                    case GoPointer pointer -> pointer.isNil();
                    case GoFunction func -> func.code() == null;
                    case GoMap map -> map.isNil();
                    case GoSlice slice -> slice.isNil();
                    case GoNoValue _ -> true;
                    case GoNil _ -> true;
                    case GoBool _ -> true;
                    case GoInt _ -> true;
                    case GoFloat _ -> true;
                    case GoComplex _ -> true;
                    case GoString _ -> true;
                    case GoStruct _ -> true;
                    case GoOpaque _ -> true;
                };
        boolean hasAddress = value instanceof GoPointer
                || value instanceof GoFunction
                || value instanceof GoMap
                || value instanceof GoSlice;
        long address = isNil ? 0 : ADDRESS;
        if (!hasAddress) {
            printBadVerb(value, verb);
        } else if (verb == 'v' && directive.sharpV) {
            output.write('(').write(value.type().toString()).write(")(");
            if (isNil) {
                output.write("nil");
            } else {
                numbers.hex(address, true);
            }
            output.write(')');
        } else if (verb == 'v' && isNil) {
            output.writePadded(directive, NIL);
        } else if (verb == 'v' || verb == 'p') {
            numbers.hex(address, !directive.sharp);
        } else if (verb == 'b' || verb == 'o' || verb == 'd' || verb == 'x' || verb == 'X') {
            integer(address, false, verb, value);
        } else {
            printBadVerb(value, verb);
        }
    }

    /** Prints the error mark for a verb that does not fit a value. */
    void printBadVerb(GoValue value, int verb) {
        boolean outer = showingBadVerb;
        showingBadVerb = true;
        output.write("%!").writeRune(verb);
        output.write('(');
        if (value instanceof GoNil || value instanceof GoNoValue) {
            output.write(NIL);
        } else {
            output.write(value.type().toString()).write('=');
            printOperand(value, 'v');
        }
        output.write(')');
        showingBadVerb = outer;
    }

    /** The verbs of strings. */
    private static final class StringVerbs {
        private final FormatFlags directive;
        private final BudgetedBuffer output;

        StringVerbs(FormatFlags directive, BudgetedBuffer output) {
            this.directive = directive;
            this.output = output;
        }

        /** {@code %s}: cut at the precision. */
        void plain(String bytes) {
            output.writePadded(directive, cut(bytes));
        }

        /** {@code %q}: in quotes, or with {@code #} in backquotes if possible. */
        void quoted(String bytes) {
            String part = cut(bytes);
            if (directive.sharp && GoQuote.canBackquote(part)) {
                output.writePadded(directive, "`" + part + "`");
                return;
            }
            output.reserve(part.length());
            output.writePadded(directive, directive.plus ? GoQuote.quoteToAscii(part) : GoQuote.quote(part));
        }

        /** The precision counts characters. */
        private String cut(String bytes) {
            if (!directive.hasPrecision || directive.precision >= bytes.length()) {
                return bytes;
            }
            int end = 0;
            for (int left = directive.precision; left > 0 && end < bytes.length(); left--) {
                end += Utf8Runes.size(Utf8Runes.runeAt(bytes, end));
            }
            return bytes.substring(0, end);
        }

        /** {@code %x} and {@code %X}: the bytes; here the precision counts bytes. */
        void hex(String bytes, boolean upper) {
            int length = directive.hasPrecision ? Math.min(directive.precision, bytes.length()) : bytes.length();
            String prefix = !directive.sharp ? "" : upper ? "0X" : "0x";
            String between = directive.space ? " " + prefix : "";
            String digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
            output.reserve((2L + between.length()) * length);
            StringBuilder text = new StringBuilder((2 + between.length()) * length + prefix.length());
            for (int i = 0; i < length; i++) {
                int value = bytes.charAt(i);
                text.append(i == 0 ? prefix : between)
                        .append(digits.charAt(value >> 4))
                        .append(digits.charAt(value & 0xF));
            }
            output.writePadded(directive, text.toString());
        }
    }
}
