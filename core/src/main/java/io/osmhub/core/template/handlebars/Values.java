package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Opaque;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import org.jspecify.annotations.Nullable;

/** How Handlebars sees Go values: pointers are followed, nothing prints as nothing. */
final class Values {
    private Values() {}

    /** The value behind pointers; {@link Nil#ANY} for a nil one and for an absent value. */
    static Value follow(Value value) {
        Value target = value;
        while (target instanceof Pointer pointer) {
            if (pointer.target() == null) {
                return Nil.ANY;
            }
            target = pointer.target();
        }
        return target instanceof Absent ? Nil.ANY : target;
    }

    /** A value of the library's: a literal of the template, a scope, or the result of a helper; null when it is none of these. */
    static @Nullable Value from(@Nullable Object object) {
        return switch (object) {
            case Value value -> value;
            case Scope scope -> scope.value();
            case String literal -> Str.of(unescape(literal));
            case Boolean bool -> Bool.of(bool);
            case Integer integer -> Int.of(integer);
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1L << 53 -> Int.of(number.longValue());
            case Double number -> Flt.of(number);
            case null, default -> null;
        };
    }

    /** Strings of the language know no escapes but that of their quote; line breaks and tabs are what separators need. */
    private static String unescape(String literal) {
        if (literal.indexOf('\\') < 0) {
            return literal;
        }
        StringBuilder text = new StringBuilder(literal.length());
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            char next = i + 1 < literal.length() ? literal.charAt(i + 1) : 0;
            int escape = c == '\\' ? "nrt\\".indexOf(next) : -1;
            if (escape < 0 || next == 0) {
                text.append(c);
            } else {
                text.append("\n\r\t\\".charAt(escape));
                i++;
            }
        }
        return text.toString();
    }

    /** False for nothing, false, zero, and an empty text, list or map. */
    static boolean truth(Value value) {
        return switch (follow(value)) {
            case Nil nil -> false;
            case Absent absent -> false;
            case Bool bool -> bool.value();
            case Int integer -> integer.value() != 0;
            case Flt number -> number.value() != 0;
            case Str text -> !text.bytes().isEmpty();
            case Slice slice -> slice.length() > 0;
            case MapValue map -> map.length() > 0;
            case Func function -> function.code() != null;
            case Complex complex -> true;
            case Struct struct -> true;
            case Opaque opaque -> true;
            case Pointer pointer -> true;
        };
    }

    /**
     * The text of a value as bytes; "" for nothing.
     *
     * @throws CallFailure for a list, map or struct, whose Go form nobody wants in a file
     */
    static String text(Value value, Environment environment) throws CallFailure {
        return switch (follow(value)) {
            case Nil nil -> "";
            case Absent absent -> "";
            case Str text -> text.bytes();
            case Slice slice when !printsItself(slice.type()) -> throw unprintable("a list", "join, toJson or toYaml");
            case MapValue map when !printsItself(map.type()) -> throw unprintable("a map", "toJson or toYaml");
            case Struct struct
            when !printsItself(struct.type()) ->
                throw unprintable("a structure", "one of its fields, toJson or toYaml");
            case Func function -> throw unprintable("a function", "its result");
            case Value other -> GoPrint.display(environment, other);
        };
    }

    private static boolean printsItself(Type type) {
        return type.method("String") != null || type.method("Error") != null;
    }

    private static CallFailure unprintable(String what, String instead) {
        return new CallFailure(what + " cannot be printed; use " + instead);
    }

    /** What a value is, for messages; never the value itself, which may be secret. */
    static String kind(Value value) {
        return switch (follow(value)) {
            case Nil nil -> "nothing";
            case Absent absent -> "nothing";
            case Bool bool -> "a boolean";
            case Int integer -> "a number";
            case Flt number -> "a number";
            case Complex complex -> "a number";
            case Str text -> "a text";
            case Slice slice -> "a list";
            case MapValue map -> "a map";
            case Func function -> "a function";
            case Struct struct -> "a structure";
            case Opaque opaque -> "a structure";
            case Pointer pointer -> "a structure";
        };
    }
}
