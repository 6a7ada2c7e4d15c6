package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.List;
import java.util.Map;

/** Prints one value after another with one verb each: which text a value has under a verb, through all its depth. */
final class Printer {
    /** Stands for every address, since Go's differ from run to run; most have as many digits. */
    static final long ADDRESS = 0x200000000000L;

    /** No honest value is deeper; a map that holds itself is. */
    private static final int MAX_DEPTH = 250;

    private static final String NIL = "<nil>";

    final Directive directive = new Directive();
    final Output output;
    private final NumberVerbs numbers;
    private final TextVerbs texts;
    private final TextMethods methods;

    /** Set while a value is shown inside an error mark: then its methods are not asked. */
    private boolean showingBadVerb;

    Printer(Output output) {
        this.output = output;
        this.numbers = new NumberVerbs(directive, output);
        this.texts = new TextVerbs(directive, output);
        this.methods = new TextMethods(this);
    }

    /** Prints an operand. */
    void operand(Value value, int verb) {
        if (value instanceof Nil) {
            if (verb == 'T' || verb == 'v') {
                output.pad(directive, NIL);
            } else {
                badVerb(value, verb);
            }
        } else if (verb == 'T') {
            texts.plain(value instanceof Absent ? "reflect.Value" : value.type().toString());
        } else if (verb == 'p') {
            address(value, verb);
        } else if (value instanceof Slice slice && slice.type().equals(Type.BYTES)) {
            bytes(slice, verb);
        } else if (!asText(value, verb)) {
            plain(value, verb, 0);
        }
    }

    /** Prints what an operand contains. {@code accessible} is false in fields that Go does not export: their methods are not asked. */
    private void nested(Value value, int verb, int depth, boolean accessible) {
        if (depth > MAX_DEPTH) {
            throw new LimitExceeded("a value nested more than " + MAX_DEPTH + " deep to print");
        }
        if (value instanceof Nil nil) {
            if (directive.sharpV) {
                output.write(nil.type().toString()).write("(nil)");
            } else {
                output.write(NIL);
            }
        } else if (!accessible || !asText(value, verb)) {
            plain(value, verb, depth);
        }
    }

    /** Prints by the value's own methods, if they are to be asked and it has any. */
    private boolean asText(Value value, int verb) {
        if (showingBadVerb) {
            return false;
        }
        if (verb == 'w') {
            badVerb(value, verb);
            return true;
        }
        return methods.print(value, verb);
    }

    private void plain(Value value, int verb, int depth) {
        switch (value) {
            case Absent _ -> absent(verb, depth);
            case Nil _ -> output.write(NIL);
            case Bool bool -> bool(bool, verb);
            case Int integer -> integer(integer, verb);
            case Flt number -> floating(number.value(), number.kind().bits(), verb, value);
            case Complex complex -> complex(complex, verb);
            case Str string -> text(string, string.bytes(), verb);
            case Slice slice -> slice(slice, verb, depth);
            case MapValue map -> map(map, verb, depth);
            case Struct struct -> struct(struct.type(), struct.fields()::apply, verb, depth);
            case Opaque opaque -> opaque(opaque, verb, depth);
            case Pointer pointer -> pointer(pointer, verb, depth);
            case Func func -> address(func, verb);
        }
    }

    private void absent(int verb, int depth) {
        if (depth == 0) {
            output.write("<invalid reflect.Value>");
        } else if (verb == 'v') {
            output.write(NIL);
        } else {
            badVerb(Absent.ABSENT, verb);
        }
    }

    private void bool(Bool bool, int verb) {
        if (verb == 't' || verb == 'v') {
            output.pad(directive, bool.value() ? "true" : "false");
        } else {
            badVerb(bool, verb);
        }
    }

    private void integer(Int integer, int verb) {
        integer(integer.value(), integer.kind().isSigned(), verb, integer);
    }

    private void integer(long value, boolean signed, int verb, Value whole) {
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
            default -> badVerb(whole, verb);
        }
    }

    private void floating(double number, int bits, int verb, Value whole) {
        switch (verb) {
            case 'v' -> numbers.floating(number, bits, 'g', -1);
            case 'b', 'g', 'G', 'x', 'X' -> numbers.floating(number, bits, (char) verb, -1);
            case 'f', 'e', 'E' -> numbers.floating(number, bits, (char) verb, 6);
            case 'F' -> numbers.floating(number, bits, 'f', 6);
            default -> badVerb(whole, verb);
        }
    }

    private void complex(Complex complex, int verb) {
        switch (verb) {
            case 'v', 'b', 'g', 'G', 'x', 'X', 'f', 'F', 'e', 'E' -> {
                int bits = complex.kind() == Kind.COMPLEX64 ? 32 : 64;
                boolean plus = directive.plus;
                output.write('(');
                floating(complex.real(), bits, verb, complex);
                directive.plus = true;
                floating(complex.imaginary(), bits, verb, complex);
                output.write("i)");
                directive.plus = plus;
            }
            default -> badVerb(complex, verb);
        }
    }

    /** Prints a string's bytes, or those that a method of {@code whole} gave. */
    void text(Value whole, String bytes, int verb) {
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
            default -> badVerb(whole, verb);
        }
    }

    /** A {@code []byte} operand. */
    private void bytes(Slice slice, int verb) {
        switch (verb) {
            case 's', 'q', 'x', 'X' -> text(slice, byteString(slice), verb);
            case 'v', 'd' -> list(slice, "[]byte", verb, 0);
            default -> plain(slice, verb, 0);
        }
    }

    private static String byteString(Slice slice) {
        StringBuilder bytes = new StringBuilder(slice.length());
        for (Value item : slice.elements()) {
            bytes.append((char) (((Int) item).value() & 0xFF));
        }
        return bytes.toString();
    }

    private void slice(Slice slice, int verb, int depth) {
        boolean ofBytes = slice.type().elem().kind() == Kind.UINT8;
        if (ofBytes && (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X')) {
            text(slice, byteString(slice), verb);
        } else {
            list(slice, slice.type().toString(), verb, depth);
        }
    }

    private void list(Slice slice, String typeText, int verb, int depth) {
        if (directive.sharpV) {
            output.write(typeText);
            if (slice.isNil()) {
                output.write("(nil)");
                return;
            }
        }
        output.write(directive.sharpV ? '{' : '[');
        List<Value> items = slice.elements();
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

    private void map(MapValue map, int verb, int depth) {
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
        for (Map.Entry<Value, Value> entry : MapOrder.sorted(map)) {
            separate(index++);
            nested(entry.getKey(), verb, depth + 1, true);
            output.write(':');
            nested(entry.getValue(), verb, depth + 1, true);
        }
        output.write(directive.sharpV ? '}' : ']');
    }

    private void opaque(Opaque opaque, int verb, int depth) {
        if (opaque.payload() instanceof Innards innards) {
            List<Value> fields = innards.fields();
            struct(opaque.type(), fields::get, verb, depth);
        } else {
            output.write(directive.sharpV ? opaque.type().toString() : "").write("{}");
        }
    }

    /** Reads the fields of a struct by position. */
    private interface Fields {
        Value at(int index);
    }

    private void struct(Type type, Fields fields, int verb, int depth) {
        if (directive.sharpV) {
            output.write(type.toString());
        }
        output.write('{');
        List<Type.Field> declared = type.fields();
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

    private void pointer(Pointer pointer, int verb, int depth) {
        Value target = pointer.target();
        if (depth == 0 && target != null) {
            switch (target.kind()) {
                case SLICE, ARRAY, STRUCT, MAP -> {
                    output.write('&');
                    nested(target, verb, depth + 1, true);
                    return;
                }
                default -> {
                    // Shown as an address.
                }
            }
        }
        address(pointer, verb);
    }

    /** A pointer, function, map or slice as the address it has in Go's memory. */
    private void address(Value value, int verb) {
        boolean isNil =
                switch (value) {
                    case Pointer pointer -> pointer.isNil();
                    case Func func -> func.code() == null;
                    case MapValue map -> map.isNil();
                    case Slice slice -> slice.isNil();
                    case Absent _ -> true;
                    case Nil _ -> true;
                    case Bool _ -> true;
                    case Int _ -> true;
                    case Flt _ -> true;
                    case Complex _ -> true;
                    case Str _ -> true;
                    case Struct _ -> true;
                    case Opaque _ -> true;
                };
        boolean hasAddress = value instanceof Pointer
                || value instanceof Func
                || value instanceof MapValue
                || value instanceof Slice;
        long address = isNil ? 0 : ADDRESS;
        if (!hasAddress) {
            badVerb(value, verb);
        } else if (verb == 'v' && directive.sharpV) {
            output.write('(').write(value.type().toString()).write(")(");
            if (isNil) {
                output.write("nil");
            } else {
                numbers.hex(address, true);
            }
            output.write(')');
        } else if (verb == 'v' && isNil) {
            output.pad(directive, NIL);
        } else if (verb == 'v' || verb == 'p') {
            numbers.hex(address, !directive.sharp);
        } else if (verb == 'b' || verb == 'o' || verb == 'd' || verb == 'x' || verb == 'X') {
            integer(address, false, verb, value);
        } else {
            badVerb(value, verb);
        }
    }

    /** Prints the mark that says that a verb does not fit a value. */
    void badVerb(Value value, int verb) {
        boolean outer = showingBadVerb;
        showingBadVerb = true;
        output.write("%!").writeRune(verb);
        output.write('(');
        if (value instanceof Nil || value instanceof Absent) {
            output.write(NIL);
        } else {
            output.write(value.type().toString()).write('=');
            operand(value, 'v');
        }
        output.write(')');
        showingBadVerb = outer;
    }
}
