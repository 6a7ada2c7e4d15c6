package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
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
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.go.ExecutionState.TypedValue;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions. A command's words are its function and the arguments; {@code last}, null if none, is the result of the
 * previous command in the pipeline.
 */
final class ExpressionEvaluator {
    private static final List<TemplateNode.Operand> NO_WORDS = List.of();
    private static final GoFunction.Code NIL_RECEIVER = (environment, arguments) -> {
        throw new GoCallException("runtime error: invalid memory address or nil pointer dereference");
    };

    private final ExecutionState execution;
    private final ArgumentConverter arguments;

    ExpressionEvaluator(ExecutionState execution) {
        this.execution = execution;
        this.arguments = new ArgumentConverter(execution, this);
    }

    /** The pipeline's value, unwrapped from its interface. */
    GoValue evaluatePipeline(TypedValue dot, TemplateNode.Pipeline pipeline) throws TemplateException {
        execution.currentNode(pipeline);
        GoValue value = null;
        // By index, here and below, because iterators would be a large part of all allocations of a rendering.
        List<TemplateNode.Command> commands = pipeline.commands();
        for (int i = 0; i < commands.size(); i++) {
            value = GoReflection.unwrapInterface(command(dot, commands.get(i), value));
        }
        GoValue result = Objects.requireNonNull(value);
        for (int i = 0; i < pipeline.variables().size(); i++) {
            TemplateNode.Variable variable = pipeline.variables().get(i);
            if (pipeline.assigns()) {
                assign(variable.name(), TypedValue.of(result));
            } else {
                execution.variables.push(variable.name(), TypedValue.of(result));
            }
        }
        return result;
    }

    void assign(String variable, TypedValue place) throws TemplateException {
        if (!execution.variables.set(variable, place)) {
            throw execution.failure("undefined variable: " + variable);
        }
    }

    private GoValue command(TypedValue dot, TemplateNode.Command command, @Nullable GoValue last)
            throws TemplateException {
        List<TemplateNode.Operand> words = command.words();
        switch (words.getFirst()) {
            case TemplateNode.Field field -> {
                execution.currentNode(field);
                return evaluateChain(dot, dot, field, field.fields(), words, last);
            }
            case TemplateNode.Chain chain -> {
                return evaluateChain(dot, chain, words, last);
            }
            case TemplateNode.Identifier function -> {
                return evaluateFunction(dot, function, command, words, last);
            }
            case TemplateNode.Pipeline inner -> {
                refuseArguments(words, last);
                return evaluatePipeline(dot, inner);
            }
            case TemplateNode.Variable variable -> {
                return evaluateVariable(dot, variable, words, last);
            }
            case TemplateNode.BoolNode word -> {
                atLiteral(word, words, last);
                return arguments.convertConstant(word);
            }
            case TemplateNode.Dot word -> {
                atLiteral(word, words, last);
                return dot.value();
            }
            case TemplateNode.NumberNode word -> {
                atLiteral(word, words, last);
                return arguments.convertConstant(word);
            }
            case TemplateNode.StringNode word -> {
                atLiteral(word, words, last);
                return word.value();
            }
            case TemplateNode.NilNode word -> {
                atLiteral(word, words, last);
                throw execution.failure("nil is not a command");
            }
        }
    }

    private void atLiteral(TemplateNode.Operand word, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        execution.currentNode(word);
        refuseArguments(words, last);
    }

    private void refuseArguments(List<TemplateNode.Operand> words, @Nullable GoValue last) throws TemplateException {
        if (hasArguments(words, last)) {
            throw execution.failure(
                    "can't give argument to non-function " + words.getFirst().toSource());
        }
    }

    private static boolean hasArguments(List<TemplateNode.Operand> words, @Nullable GoValue last) {
        return words.size() > 1 || last != null;
    }

    /** A field as an argument. */
    GoValue evaluateField(TypedValue dot, TemplateNode.Field field) throws TemplateException {
        execution.currentNode(field);
        return evaluateChain(dot, dot, field, field.fields(), NO_WORDS, null);
    }

    /** A variable as an argument. */
    GoValue evaluateVariable(TypedValue dot, TemplateNode.Variable variable) throws TemplateException {
        return evaluateVariable(dot, variable, NO_WORDS, null);
    }

    private GoValue evaluateVariable(
            TypedValue dot, TemplateNode.Variable variable, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        execution.currentNode(variable);
        TypedValue place = execution.variables.get(variable.name());
        if (place == null) {
            throw execution.failure("undefined variable: " + variable.name());
        }
        if (variable.fields().isEmpty()) {
            refuseArguments(words, last);
            return place.value();
        }
        return evaluateChain(dot, place, variable, variable.fields(), words, last);
    }

    /** A chain as an argument. */
    GoValue evaluateChain(TypedValue dot, TemplateNode.Chain chain) throws TemplateException {
        return evaluateChain(dot, chain, NO_WORDS, null);
    }

    private GoValue evaluateChain(
            TypedValue dot, TemplateNode.Chain chain, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        execution.currentNode(chain);
        TypedValue head =
                switch (chain.head()) {
                    case TemplateNode.NilNode _ ->
                        throw execution.failure("indirection through explicit nil in " + chain.toSource());
                    case TemplateNode.Identifier function -> {
                        // Unlike a pipeline's, a function's result stays in its interface.
                        execution.currentNode(function);
                        GoValue result = evaluateFunction(dot, function);
                        GoType declared = function.function().type().result();
                        yield new TypedValue(
                                result, declared != null && declared.isInterface() ? declared : result.type());
                    }
                    default -> TypedValue.of(arguments.evaluateArgument(dot, null, chain.head()));
                };
        return evaluateChain(dot, head, chain, chain.fields(), words, last);
    }

    /** A function without arguments as an argument. */
    GoValue evaluateFunction(TypedValue dot, TemplateNode.Identifier function) throws TemplateException {
        return evaluateFunction(dot, function, function, NO_WORDS, null);
    }

    private GoValue evaluateFunction(
            TypedValue dot,
            TemplateNode.Identifier function,
            TemplateNode.QuotableNode site,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        execution.currentNode(function);
        return call(dot, function.function(), null, site, function.name(), words, last);
    }

    private GoValue evaluateChain(
            TypedValue dot,
            TypedValue start,
            TemplateNode.QuotableNode site,
            List<TemplateNode.FieldName> fields,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        TypedValue place = start;
        int end = fields.size() - 1;
        for (int i = 0; i < end; i++) {
            place = step(dot, place, site, fields.get(i), NO_WORDS, null);
        }
        return step(dot, place, site, fields.get(end), words, last).value();
    }

    /** One field or method of a value. Only the last of a chain may be a method with arguments. */
    private TypedValue step(
            TypedValue dot,
            TypedValue receiver,
            TemplateNode.QuotableNode site,
            TemplateNode.FieldName field,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        if (receiver.value() == GoNoValue.ABSENT) {
            return receiver;
        }
        GoValue holder = receiver.value();
        GoValue target = holder;
        while (target instanceof GoPointer pointer && pointer.target() != null) {
            holder = pointer;
            target = pointer.target();
        }
        if (target instanceof GoNil) {
            throw execution.failure("nil pointer evaluating " + receiver.type() + "." + field.name());
        }
        GoType.Method method = method(holder, target, field.name());
        if (method != null) {
            return methodResult(dot, method, holder, target, site, words, last);
        }
        if (target.kind() == GoKind.STRUCT) {
            int embedded = target.type().embeddedIndex(field.name());
            if (embedded >= 0 && target instanceof GoStruct struct) {
                target = struct.field(embedded);
            }
            int index = target.type().fieldIndex(field.name());
            if (index >= 0) {
                return structField(receiver, target, field.name(), index, hasArguments(words, last));
            }
        } else if (target instanceof GoMap map) {
            GoType keyType = map.type().key();
            if (keyType == GoType.STRING || GoReflection.isAssignable(GoType.STRING, keyType)) {
                if (hasArguments(words, last)) {
                    throw execution.failure(field.name() + " is not a method but has arguments");
                }
                GoValue element = map.elements().get(field.key());
                return element == null
                        ? new TypedValue(GoNoValue.ABSENT, GoType.ANY)
                        : new TypedValue(element, map.type().elem());
            }
        } else if (target instanceof GoPointer pointer) {
            GoType pointee = pointer.type().elem();
            if (pointee.kind() != GoKind.STRUCT || pointee.fieldIndex(field.name()) >= 0) {
                throw execution.failure("nil pointer evaluating " + receiver.type() + "." + field.name());
            }
        }
        throw execution.failure("can't evaluate field " + field.name() + " in type " + receiver.type());
    }

    private TypedValue structField(TypedValue receiver, GoValue target, String name, int index, boolean hasArguments)
            throws TemplateException {
        if (!(target instanceof GoStruct struct)
                || !Character.isUpperCase(GoString.text(name).codePointAt(0))) {
            throw execution.failure(name + " is an unexported field of struct type " + receiver.type());
        }
        if (hasArguments) {
            throw execution.failure(name + " has arguments but cannot be invoked as function");
        }
        return new TypedValue(
                struct.field(index), struct.type().fields().get(index).type());
    }

    private static GoType.@Nullable Method method(GoValue holder, GoValue target, String name) {
        GoType.Method own = target.type().method(name);
        return own == null && holder != target ? holder.type().method(name) : own;
    }

    private TypedValue methodResult(
            TypedValue dot,
            GoType.Method method,
            GoValue holder,
            GoValue target,
            TemplateNode.QuotableNode site,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        boolean onNil = target instanceof GoPointer;
        GoValue receiver = method.onPointer() && !onNil ? holder : target;
        GoFunction.Code code = onNil && !method.onPointer() ? NIL_RECEIVER : method.code();
        GoFunction function = new GoFunction(method.signature(), code);
        GoValue result = call(dot, function, receiver, site, method.name(), words, last);
        GoType declared = method.signature().result();
        return new TypedValue(result, declared != null && declared.isInterface() ? declared : result.type());
    }

    /** Calls a function, or a method if there is a receiver. */
    private GoValue call(
            TypedValue dot,
            GoFunction function,
            @Nullable GoValue receiver,
            TemplateNode.QuotableNode site,
            String name,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        execution.environment.charge(1, 0);
        GoType signature = function.type();
        int given = Math.max(words.size() - 1, 0);
        checkCount(signature, name, given, last);
        if (BuiltinFunctions.isShortCircuit(function)) {
            return shortCircuit(dot, BuiltinFunctions.isOr(function), words, last);
        }
        boolean needsName = BuiltinFunctions.isCall(function);
        int before = receiver == null && !needsName ? 0 : 1;
        int count = given + (last == null ? 0 : 1);
        GoValue[] values = new GoValue[before + count];
        for (int i = 0; i < given; i++) {
            values[before + i] = arguments.evaluateArgument(dot, parameter(signature, i), words.get(i + 1));
        }
        if (last != null) {
            values[before + given] = arguments.convertValue(last, parameter(signature, given));
        }
        if (receiver != null) {
            values[0] = receiver;
        } else if (needsName) {
            values[0] = GoString.ofBytes(calleeName(words, last));
        }
        GoFunction.Code code = Objects.requireNonNull(function.code());
        try {
            GoValue result = code.call(execution.environment, Arrays.asList(values));
            GoType declared = signature.result();
            return result == GoNoValue.ABSENT && declared != null && declared.isInterface() ? GoNil.ANY : result;
        } catch (LimitExceededException limit) {
            execution.currentNode(site);
            throw limit;
        } catch (GoCallException failure) {
            execution.currentNode(site);
            throw execution
                    .failure("error calling " + name + ": " + failure.text())
                    .withRefused(failure.refused());
        }
    }

    private void checkCount(GoType signature, String name, int given, @Nullable GoValue last) throws TemplateException {
        int count = given + (last == null ? 0 : 1);
        int wanted = signature.parameters().size();
        if (signature.variadic()) {
            if (count < wanted - 1) {
                throw execution.failure(
                        "wrong number of args for " + name + ": want at least " + (wanted - 1) + " got " + given);
            }
        } else if (count != wanted) {
            throw execution.failure("wrong number of args for " + name + ": want " + wanted + " got " + count);
        }
    }

    private static GoType parameter(GoType signature, int index) {
        List<GoType> parameters = signature.parameters();
        int fixed = signature.variadic() ? parameters.size() - 1 : parameters.size();
        return index < fixed ? parameters.get(index) : parameters.get(fixed).elem();
    }

    /** {@code and} and {@code or}: the first argument that decides, or the last one; later ones are not evaluated. */
    private GoValue shortCircuit(
            TypedValue dot, boolean decides, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        GoValue value = GoNoValue.ABSENT;
        for (int i = 1; i < words.size(); i++) {
            value = arguments.evaluateArgument(dot, GoType.REFLECT_VALUE, words.get(i));
            if (GoReflection.isTrue(value) == decides) {
                return value;
            }
        }
        return last == null ? value : arguments.convertValue(last, GoType.REFLECT_VALUE);
    }

    /** The name of the called value in messages of {@code call}. */
    private static String calleeName(List<TemplateNode.Operand> words, @Nullable GoValue last) {
        if (words.size() > 1) {
            return words.get(1).toSource();
        }
        return switch (Objects.requireNonNull(last)) {
            case GoString string -> string.bytes();
            case GoNoValue _ -> "<invalid Value>";
            case GoValue value -> "<" + value.type() + " Value>";
        };
    }

    /** Converts arguments to their parameters: literals get the parameter's type, other values must be assignable. */
    private static final class ArgumentConverter {
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
                return new GoComplex(
                        type, number.complex().real(), number.complex().imaginary());
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
}
