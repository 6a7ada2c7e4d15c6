package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.Complex;
import io.osmhub.core.golang.Flt;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.TemplateFailure;
import org.jspecify.annotations.Nullable;

/** Makes arguments fit their parameters: literals take the parameter's type, other values must have it or nearly so. */
final class Arguments {
    private final Execution execution;
    private final Evaluator evaluator;

    Arguments(Execution execution, Evaluator evaluator) {
        this.execution = execution;
        this.evaluator = evaluator;
    }

    /** The argument's value for a parameter of that type; null where any value will do. */
    Value value(Place dot, @Nullable Type type, Node.Operand argument) throws TemplateFailure {
        execution.at(argument);
        return switch (argument) {
            case Node.Dot _ -> accepted(dot.value(), type);
            case Node.Field field -> accepted(evaluator.field(dot, field), type);
            case Node.Variable variable -> accepted(evaluator.variable(dot, variable), type);
            case Node.Pipeline pipeline -> accepted(evaluator.pipeline(dot, pipeline), type);
            case Node.Identifier function -> accepted(evaluator.function(dot, function), type);
            case Node.Chain chain -> accepted(evaluator.chain(dot, chain), type);
            case Node.NilWord _ -> nil(type);
            case Node.BoolWord word -> bool(word, type);
            case Node.StringWord word -> string(word, type);
            case Node.NumberWord word -> number(word, type);
        };
    }

    private Value nil(@Nullable Type type) throws TemplateFailure {
        if (type == null || !Reflection.canBeNil(type)) {
            throw execution.failure("cannot assign nil to " + type);
        }
        return Reflection.zero(type);
    }

    /** A value as one of the parameter's type: a pointer may be followed, and that is all. */
    Value accepted(Value value, @Nullable Type type) throws TemplateFailure {
        if (type == null || type == Type.REFLECT_VALUE) {
            return value;
        }
        if (value == Absent.ABSENT) {
            if (Reflection.canBeNil(type)) {
                return Reflection.zero(type);
            }
            throw execution.failure("invalid value; expected " + type);
        }
        if (value.type() == type) {
            return value;
        }
        if (Reflection.isAssignable(value.type(), type)) {
            return Reflection.converted(value, type);
        }
        if (value instanceof Pointer pointer
                && Reflection.isAssignable(pointer.type().elem(), type)) {
            Value target = pointer.target();
            if (target == null) {
                throw execution.failure("dereference of nil pointer of type " + type);
            }
            return Reflection.converted(target, type);
        }
        throw execution.failure("wrong type for value; expected " + type + "; got " + value.type());
    }

    /** A literal where nothing says which type it should have. */
    Value constant(Node.BoolWord word) {
        return Bool.of(word.value());
    }

    /** As {@link #constant(Node.BoolWord)}. */
    Value constant(Node.NumberWord word) throws TemplateFailure {
        execution.at(word);
        Value alone = word.number().alone();
        if (alone == null) {
            throw execution.failure(word.number().text() + " overflows int");
        }
        return alone;
    }

    private Value bool(Node.BoolWord word, @Nullable Type type) throws TemplateFailure {
        if (type == null || takesAnything(type)) {
            return constant(word);
        }
        if (type.kind() == Kind.BOOL) {
            return Reflection.converted(constant(word), type);
        }
        throw refused(word, type);
    }

    private Value string(Node.StringWord word, @Nullable Type type) throws TemplateFailure {
        if (type == null || takesAnything(type)) {
            return word.value();
        }
        if (type.kind() == Kind.STRING) {
            return Reflection.converted(word.value(), type);
        }
        throw refused(word, type);
    }

    private Value number(Node.NumberWord word, @Nullable Type type) throws TemplateFailure {
        if (type == null || takesAnything(type)) {
            return constant(word);
        }
        NumberLiteral number = word.number();
        Kind kind = type.kind();
        if (kind.isSigned() && number.integer() != null) {
            return new Int(type, Reflection.truncated(kind, number.integer()));
        }
        if (kind.isUnsigned() && number.unsigned() != null) {
            return new Int(type, Reflection.truncated(kind, number.unsigned()));
        }
        if (kind.isFloat() && number.floating() != null) {
            double value = number.floating();
            return new Flt(type, kind == Kind.FLOAT32 ? (float) value : value);
        }
        if (kind.isComplex() && number.complex() != null) {
            return new Complex(type, number.complex().real(), number.complex().imaginary());
        }
        throw refused(word, type);
    }

    private static boolean takesAnything(@Nullable Type type) {
        return type == null || type == Type.REFLECT_VALUE || type.equals(Type.ANY);
    }

    private TemplateFailure refused(Node.Operand literal, Type type) {
        Kind kind = type.kind();
        String wanted = kind.isSigned()
                ? "integer"
                : kind.isUnsigned()
                        ? "unsigned integer"
                        : kind.isFloat()
                                ? "float"
                                : kind.isComplex()
                                        ? "complex"
                                        : kind == Kind.BOOL || kind == Kind.STRING ? kind.goName() : "";
        return execution.failure(
                wanted.isEmpty()
                        ? "can't handle " + literal.shown() + " for arg of type " + type
                        : "expected " + wanted + "; found " + literal.shown());
    }
}
