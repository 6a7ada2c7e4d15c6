package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoComplex;
import io.osmhub.core.golang.GoFloat;
import io.osmhub.core.golang.GoInt;
import io.osmhub.core.golang.GoKind;
import io.osmhub.core.golang.GoNoValue;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.template.TemplateException;
import org.jspecify.annotations.Nullable;

/** Converts arguments to their parameters: literals get the parameter's type, other values must be assignable. */
final class ArgumentConverter {
    private final ExecutionState execution;
    private final ExpressionEvaluator evaluator;

    ArgumentConverter(ExecutionState execution, ExpressionEvaluator evaluator) {
        this.execution = execution;
        this.evaluator = evaluator;
    }

    /** The argument's value for a parameter of that type; null for any value. */
    GoValue evaluateArgument(TypedValue dot, @Nullable GoType type, TemplateNode.Operand argument)
            throws TemplateException {
        execution.currentNode(argument);
        return switch (argument) {
            case TemplateNode.Dot _ -> convertValue(dot.value(), type);
            case TemplateNode.Field field -> convertValue(evaluator.evaluateField(dot, field), type);
            case TemplateNode.Variable variable -> convertValue(evaluator.evaluateVariable(dot, variable), type);
            case TemplateNode.Pipeline pipeline -> convertValue(evaluator.evaluatePipeline(dot, pipeline), type);
            case TemplateNode.Identifier function -> convertValue(evaluator.evaluateFunction(dot, function), type);
            case TemplateNode.Chain chain -> convertValue(evaluator.evaluateChain(dot, chain), type);
            case TemplateNode.NilNode _ -> nil(type);
            case TemplateNode.BoolNode word -> bool(word, type);
            case TemplateNode.StringNode word -> string(word, type);
            case TemplateNode.NumberNode word -> number(word, type);
        };
    }

    private GoValue nil(@Nullable GoType type) throws TemplateException {
        if (type == null || !GoReflection.canBeNil(type)) {
            throw execution.failure("cannot assign nil to " + type);
        }
        return GoReflection.zeroValue(type);
    }

    /** Converts a value to the parameter's type; the only conversion is to follow a pointer. */
    GoValue convertValue(GoValue value, @Nullable GoType type) throws TemplateException {
        if (type == null || type == GoType.REFLECT_VALUE) {
            return value;
        }
        if (value == GoNoValue.ABSENT) {
            if (GoReflection.canBeNil(type)) {
                return GoReflection.zeroValue(type);
            }
            throw execution.failure("invalid value; expected " + type);
        }
        if (value.type() == type) {
            return value;
        }
        if (GoReflection.isAssignable(value.type(), type)) {
            return GoReflection.convert(value, type);
        }
        if (value instanceof GoPointer pointer
                && GoReflection.isAssignable(pointer.type().elem(), type)) {
            GoValue target = pointer.target();
            if (target == null) {
                throw execution.failure("dereference of nil pointer of type " + type);
            }
            return GoReflection.convert(target, type);
        }
        throw execution.failure("wrong type for value; expected " + type + "; got " + value.type());
    }

    /** A literal without a required type. */
    GoValue convertConstant(TemplateNode.BoolNode word) {
        return GoBool.of(word.value());
    }

    /** As {@link #convertConstant(TemplateNode.BoolNode)}. */
    GoValue convertConstant(TemplateNode.NumberNode word) throws TemplateException {
        execution.currentNode(word);
        GoValue alone = word.number().idealConstant();
        if (alone == null) {
            throw execution.failure(word.number().text() + " overflows int");
        }
        return alone;
    }

    private GoValue bool(TemplateNode.BoolNode word, @Nullable GoType type) throws TemplateException {
        if (type == null || takesAnything(type)) {
            return convertConstant(word);
        }
        if (type.kind() == GoKind.BOOL) {
            return GoReflection.convert(convertConstant(word), type);
        }
        throw refused(word, type);
    }

    private GoValue string(TemplateNode.StringNode word, @Nullable GoType type) throws TemplateException {
        if (type == null || takesAnything(type)) {
            return word.value();
        }
        if (type.kind() == GoKind.STRING) {
            return GoReflection.convert(word.value(), type);
        }
        throw refused(word, type);
    }

    private GoValue number(TemplateNode.NumberNode word, @Nullable GoType type) throws TemplateException {
        if (type == null || takesAnything(type)) {
            return convertConstant(word);
        }
        NumberLiteral number = word.number();
        GoKind kind = type.kind();
        if (kind.isSigned() && number.integer() != null) {
            return new GoInt(type, GoReflection.truncate(kind, number.integer()));
        }
        if (kind.isUnsigned() && number.unsigned() != null) {
            return new GoInt(type, GoReflection.truncate(kind, number.unsigned()));
        }
        if (kind.isFloat() && number.floating() != null) {
            double value = number.floating();
            return new GoFloat(type, kind == GoKind.FLOAT32 ? (float) value : value);
        }
        if (kind.isComplex() && number.complex() != null) {
            return new GoComplex(type, number.complex().real(), number.complex().imaginary());
        }
        throw refused(word, type);
    }

    private static boolean takesAnything(@Nullable GoType type) {
        return type == null || type == GoType.REFLECT_VALUE || type.equals(GoType.ANY);
    }

    private TemplateException refused(TemplateNode.Operand literal, GoType type) {
        GoKind kind = type.kind();
        String wanted = kind.isSigned()
                ? "integer"
                : kind.isUnsigned()
                        ? "unsigned integer"
                        : kind.isFloat()
                                ? "float"
                                : kind.isComplex()
                                        ? "complex"
                                        : kind == GoKind.BOOL || kind == GoKind.STRING ? kind.goName() : "";
        return execution.failure(
                wanted.isEmpty()
                        ? "can't handle " + literal.toSource() + " for arg of type " + type
                        : "expected " + wanted + "; found " + literal.toSource());
    }
}
