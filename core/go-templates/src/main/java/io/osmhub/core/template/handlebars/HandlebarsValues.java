package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
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
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.template.handlebars.HandlebarsExecution.NameScope;
import org.jspecify.annotations.Nullable;

/** Go values in Handlebars: pointers are followed, nothing prints as an empty text. */
final class HandlebarsValues {
    private HandlebarsValues() {}

    /** The value after following pointers; {@link GoNil#ANY} for a nil pointer and an absent value. */
    static GoValue dereference(GoValue value) {
        GoValue target = value;
        while (target instanceof GoPointer pointer) {
            if (pointer.target() == null) {
                return GoNil.ANY;
            }
            target = pointer.target();
        }
        return target instanceof GoNoValue ? GoNil.ANY : target;
    }

    /** Converts a value of the library: a literal of the template, a scope, or the result of a helper; null for others. */
    static @Nullable GoValue from(@Nullable Object object) {
        return switch (object) {
            case GoValue value -> value;
            case NameScope scope -> scope.value();
            case String literal -> GoString.of(unescape(literal));
            case Boolean bool -> GoBool.of(bool);
            case Integer integer -> GoInt.of(integer);
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1L << 53 -> GoInt.of(number.longValue());
            case Double number -> GoFloat.of(number);
            case null, default -> null;
        };
    }

    /** Strings of the language have only an escape for their quote; line breaks and tabs are added for separators. */
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
    static boolean isTruthy(GoValue value) {
        return switch (dereference(value)) {
            case GoNil nil -> false;
            case GoNoValue absent -> false;
            case GoBool bool -> bool.value();
            case GoInt integer -> integer.value() != 0;
            case GoFloat number -> number.value() != 0;
            case GoString text -> !text.bytes().isEmpty();
            case GoSlice slice -> slice.length() > 0;
            case GoMap map -> map.length() > 0;
            case GoFunction function -> function.code() != null;
            case GoComplex complex -> true;
            case GoStruct struct -> true;
            case GoOpaque opaque -> true;
            case GoPointer pointer -> true;
        };
    }

    /**
     * The text of a value as bytes; "" for nothing.
     *
     * @throws GoCallException for a list, map or struct, whose Go format is of no use in a file
     */
    static String text(GoValue value, ExecutionEnvironment environment) throws GoCallException {
        return switch (dereference(value)) {
            case GoNil nil -> "";
            case GoNoValue absent -> "";
            case GoString text -> text.bytes();
            case GoSlice slice
            when !printsItself(slice.type()) -> throw unprintable("a list", "join, toJson or toYaml");
            case GoMap map when !printsItself(map.type()) -> throw unprintable("a map", "toJson or toYaml");
            case GoStruct struct
            when !printsItself(struct.type()) ->
                throw unprintable("a structure", "one of its fields, toJson or toYaml");
            case GoFunction function -> throw unprintable("a function", "its result");
            case GoValue other -> GoPrint.display(environment, other);
        };
    }

    private static boolean printsItself(GoType type) {
        return type.method("String") != null || type.method("Error") != null;
    }

    private static GoCallException unprintable(String what, String instead) {
        return new GoCallException(what + " cannot be printed; use " + instead);
    }

    /** The kind of a value, for messages; never the value itself, which may be secret. */
    static String describeKind(GoValue value) {
        return switch (dereference(value)) {
            case GoNil nil -> "nothing";
            case GoNoValue absent -> "nothing";
            case GoBool bool -> "a boolean";
            case GoInt integer -> "a number";
            case GoFloat number -> "a number";
            case GoComplex complex -> "a number";
            case GoString text -> "a text";
            case GoSlice slice -> "a list";
            case GoMap map -> "a map";
            case GoFunction function -> "a function";
            case GoStruct struct -> "a structure";
            case GoOpaque opaque -> "a structure";
            case GoPointer pointer -> "a structure";
        };
    }
}
