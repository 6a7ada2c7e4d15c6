package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.TemplateException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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

    ExpressionEvaluator(ExecutionState execution) {
        this.execution = execution;
    }

    /** The pipeline's value, unwrapped from its interface. */
    GoValue evaluatePipeline(GoValue dot, TemplateNode.Pipeline pipeline) throws TemplateException {
        execution.currentNode(pipeline);
        GoValue value = null;
        // By index, here and below, because iterators would be a large part of all allocations of a rendering.
        List<TemplateNode.Command> commands = pipeline.commands();
        for (int i = 0; i < commands.size(); i++) {
            value = GoReflection.unwrapInterface(command(dot, commands.get(i), value));
        }
        GoValue result = Objects.requireNonNull(value);
        for (int i = 0; i < pipeline.variables().size(); i++) {
            String variable = pipeline.variables().get(i).name();
            if (pipeline.assigns()) {
                assign(variable, result);
            } else {
                execution.variables.push(variable, result);
            }
        }
        return result;
    }

    void assign(String variable, GoValue value) throws TemplateException {
        if (!execution.variables.set(variable, value)) {
            throw execution.failure("undefined variable: " + variable);
        }
    }

    private GoValue command(GoValue dot, TemplateNode.Command command, @Nullable GoValue last)
            throws TemplateException {
        List<TemplateNode.Operand> words = command.words();
        TemplateNode.Operand first = words.getFirst();
        switch (first) {
            case TemplateNode.Chain chain -> {
                return evaluateChain(dot, chain, words, last);
            }
            case TemplateNode.Identifier function -> {
                execution.currentNode(function);
                return call(dot, function.function(), null, command, function.name(), words, last);
            }
            default -> {
                execution.currentNode(first);
                if (hasArguments(words, last)) {
                    throw execution.failure("can't give argument to non-function " + first.toSource());
                }
                if (first instanceof TemplateNode.Nil) {
                    throw execution.failure("nil is not a command");
                }
                return evaluate(dot, first);
            }
        }
    }

    private static boolean hasArguments(List<TemplateNode.Operand> words, @Nullable GoValue last) {
        return words.size() > 1 || last != null;
    }

    /** The value of an operand without arguments. */
    private GoValue evaluate(GoValue dot, TemplateNode.Operand operand) throws TemplateException {
        execution.currentNode(operand);
        return switch (operand) {
            case TemplateNode.Dot _ -> dot;
            case TemplateNode.Chain chain -> evaluateChain(dot, chain, NO_WORDS, null);
            case TemplateNode.Variable variable -> {
                GoValue value = execution.variables.get(variable.name());
                if (value == null) {
                    throw execution.failure("undefined variable: " + variable.name());
                }
                yield value;
            }
            case TemplateNode.Pipeline pipeline -> evaluatePipeline(dot, pipeline);
            case TemplateNode.Identifier function ->
                call(dot, function.function(), null, function, function.name(), NO_WORDS, null);
            case TemplateNode.Literal literal -> {
                if (literal.value() == null) {
                    throw execution.failure(literal.source() + " overflows int");
                }
                yield literal.value();
            }
            case TemplateNode.Nil _ -> throw execution.failure("cannot use nil without a type");
        };
    }

    private GoValue evaluateChain(
            GoValue dot, TemplateNode.Chain chain, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        GoValue value = evaluate(dot, chain.head());
        execution.currentNode(chain);
        int end = chain.fields().size() - 1;
        for (int i = 0; i < end; i++) {
            value = step(dot, value, chain, chain.fields().get(i), NO_WORDS, null);
        }
        return step(dot, value, chain, chain.fields().get(end), words, last);
    }

    /** One field or method of a value. Only the last of a chain may be a method with arguments. */
    private GoValue step(
            GoValue dot,
            GoValue receiver,
            TemplateNode.Chain chain,
            GoString field,
            List<TemplateNode.Operand> words,
            @Nullable GoValue last)
            throws TemplateException {
        if (receiver == GoNoValue.ABSENT) {
            return receiver;
        }
        String name = field.bytes();
        GoValue holder = receiver;
        GoValue target = receiver;
        while (target instanceof GoPointer pointer && pointer.target() != null) {
            holder = pointer;
            target = pointer.target();
        }
        if (target instanceof GoNil) {
            throw execution.failure("nil pointer evaluating " + receiver.type() + "." + name);
        }
        GoType.Method method = method(holder, target, name);
        if (method != null) {
            boolean onNil = target instanceof GoPointer;
            GoFunction.Code code = onNil && !method.onPointer() ? NIL_RECEIVER : method.code();
            GoValue self = method.onPointer() && !onNil ? holder : target;
            return call(dot, new GoFunction(method.signature(), code), self, chain, name, words, last);
        }
        GoValue value =
                switch (target) {
                    case GoStruct struct -> structField(struct, name);
                    case GoMap map
                    when GoReflection.isAssignable(GoType.STRING, map.type().key()) ->
                        map.elements().getOrDefault(field, GoNoValue.ABSENT);
                    case GoPointer _ ->
                        throw execution.failure("nil pointer evaluating " + receiver.type() + "." + name);
                    default -> null;
                };
        if (value == null) {
            TemplateException failure =
                    execution.failure("can't evaluate field " + name + " in type " + receiver.type());
            List<String> known = target.type().fields().stream()
                    .flatMap(member -> member.embedded() ? member.type().fields().stream() : Stream.of(member))
                    .map(GoType.Field::name)
                    .toList();
            throw SpellingSuggestion.findClosest(name, known)
                    .map(near -> failure.withSuggestion("did you mean " + near + "?"))
                    .orElse(failure);
        }
        if (hasArguments(words, last)) {
            throw execution.failure(name + " is not a method but has arguments");
        }
        return value;
    }

    private static GoType.@Nullable Method method(GoValue holder, GoValue target, String name) {
        GoType.Method own = target.type().method(name);
        return own == null && holder != target ? holder.type().method(name) : own;
    }

    /** The field, which may be that of an embedded struct; null if unknown. */
    private @Nullable GoValue structField(GoStruct struct, String name) throws TemplateException {
        GoStruct holder = struct;
        int embedded = struct.type().embeddedIndex(name);
        if (embedded >= 0 && struct.field(embedded) instanceof GoStruct promoted) {
            holder = promoted;
        }
        int index = holder.type().fieldIndex(name);
        if (index >= 0 && !Character.isUpperCase(GoString.text(name).codePointAt(0))) {
            throw execution.failure(name + " is an unexported field of struct type " + holder.type());
        }
        return index < 0 ? null : holder.field(index);
    }

    /** Calls a function, or a method if there is a receiver. */
    private GoValue call(
            GoValue dot,
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
        GoValue[] values = new GoValue[before + given + (last == null ? 0 : 1)];
        for (int i = 0; i < given; i++) {
            values[before + i] = evaluateArgument(dot, parameter(signature, i), words.get(i + 1));
        }
        if (last != null) {
            values[before + given] = convertValue(last, parameter(signature, given));
        }
        if (receiver != null) {
            values[0] = receiver;
        } else if (needsName) {
            values[0] = GoString.ofBytes(words.size() > 1 ? words.get(1).toSource() : "the piped value");
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
        if (signature.variadic() && count < wanted - 1) {
            throw execution.failure(
                    "wrong number of args for " + name + ": want at least " + (wanted - 1) + " got " + count);
        }
        if (!signature.variadic() && count != wanted) {
            throw execution.failure("wrong number of args for " + name + ": want " + wanted + " got " + count);
        }
    }

    private static GoType parameter(GoType signature, int index) {
        List<GoType> parameters = signature.parameters();
        int fixed = signature.variadic() ? parameters.size() - 1 : parameters.size();
        return index < fixed ? parameters.get(index) : parameters.get(fixed).elem();
    }

    /** {@code and} and {@code or}: the first argument that decides, or the last one; later ones are not evaluated. */
    private GoValue shortCircuit(GoValue dot, boolean decides, List<TemplateNode.Operand> words, @Nullable GoValue last)
            throws TemplateException {
        GoValue value = GoNoValue.ABSENT;
        for (int i = 1; i < words.size(); i++) {
            value = evaluateArgument(dot, GoType.REFLECT_VALUE, words.get(i));
            if (GoReflection.isTrue(value) == decides) {
                return value;
            }
        }
        return last == null ? value : convertValue(last, GoType.REFLECT_VALUE);
    }

    /** An argument for a parameter of that type: constants get the type, other values must be assignable. */
    private GoValue evaluateArgument(GoValue dot, GoType type, TemplateNode.Operand argument) throws TemplateException {
        if (argument instanceof TemplateNode.Nil) {
            execution.currentNode(argument);
            if (!GoReflection.canBeNil(type)) {
                throw execution.failure("cannot assign nil to " + type);
            }
            return GoReflection.zeroValue(type);
        }
        boolean acceptsAnything = type == GoType.REFLECT_VALUE || type.equals(GoType.ANY);
        if (argument instanceof TemplateNode.Literal literal && !acceptsAnything) {
            return constant(literal, type);
        }
        return convertValue(evaluate(dot, argument), type);
    }

    /** Converts a value to the parameter's type; the only conversion is to follow a pointer. */
    private GoValue convertValue(GoValue value, GoType type) throws TemplateException {
        if (type == GoType.REFLECT_VALUE) {
            return value;
        }
        if (value == GoNoValue.ABSENT) {
            if (GoReflection.canBeNil(type)) {
                return GoReflection.zeroValue(type);
            }
            throw execution.failure("invalid value; expected " + type);
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

    private GoValue constant(TemplateNode.Literal literal, GoType type) throws TemplateException {
        execution.currentNode(literal);
        GoKind kind = type.kind();
        NumberLiteral number = literal.number();
        if (number == null) {
            if (literal.value() != null && literal.value().kind() == kind) {
                return GoReflection.convert(literal.value(), type);
            }
        } else if (kind.isSigned() && number.integer() != null) {
            return new GoInt(type, GoReflection.truncate(kind, number.integer()));
        } else if (kind.isUnsigned() && number.unsigned() != null) {
            return new GoInt(type, GoReflection.truncate(kind, number.unsigned()));
        } else if (kind.isFloat()) {
            return new GoFloat(type, kind == GoKind.FLOAT32 ? (float) number.floating() : number.floating());
        }
        throw execution.failure("expected " + type + "; found " + literal.source());
    }
}
