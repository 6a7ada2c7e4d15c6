package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.TemplateFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions. A command's words are its function and the arguments; {@code last}, null when there is none, is what
 * the command before in the pipeline gave.
 */
final class Evaluator {
    private static final List<Node.Operand> NO_WORDS = List.of();
    private static final Func.Code NIL_RECEIVER = (environment, arguments) -> {
        throw new CallFailure("runtime error: invalid memory address or nil pointer dereference");
    };

    private final Execution execution;
    private final Arguments arguments;

    Evaluator(Execution execution) {
        this.execution = execution;
        this.arguments = new Arguments(execution, this);
    }

    /** The pipeline's value; what is in an interface is taken out of it. */
    Value pipeline(Place dot, Node.Pipeline pipeline) throws TemplateFailure {
        execution.at(pipeline);
        Value value = null;
        // By index, here and below, because an iterator for each would be a good part of all that a rendering
        // allocates.
        List<Node.Command> commands = pipeline.commands();
        for (int i = 0; i < commands.size(); i++) {
            value = Reflection.withoutInterface(command(dot, commands.get(i), value));
        }
        Value result = Objects.requireNonNull(value);
        for (int i = 0; i < pipeline.variables().size(); i++) {
            Node.Variable variable = pipeline.variables().get(i);
            if (pipeline.assigns()) {
                assign(variable.name(), Place.of(result));
            } else {
                execution.variables.push(variable.name(), Place.of(result));
            }
        }
        return result;
    }

    void assign(String variable, Place place) throws TemplateFailure {
        if (!execution.variables.set(variable, place)) {
            throw execution.failure("undefined variable: " + variable);
        }
    }

    private Value command(Place dot, Node.Command command, @Nullable Value last) throws TemplateFailure {
        List<Node.Operand> words = command.words();
        switch (words.getFirst()) {
            case Node.Field field -> {
                execution.at(field);
                return chain(dot, dot, field, field.fields(), words, last);
            }
            case Node.Chain chain -> {
                return chain(dot, chain, words, last);
            }
            case Node.Identifier function -> {
                return function(dot, function, command, words, last);
            }
            case Node.Pipeline inner -> {
                refuseArguments(words, last);
                return pipeline(dot, inner);
            }
            case Node.Variable variable -> {
                return variable(dot, variable, words, last);
            }
            case Node.BoolWord word -> {
                atLiteral(word, words, last);
                return arguments.constant(word);
            }
            case Node.Dot word -> {
                atLiteral(word, words, last);
                return dot.value();
            }
            case Node.NumberWord word -> {
                atLiteral(word, words, last);
                return arguments.constant(word);
            }
            case Node.StringWord word -> {
                atLiteral(word, words, last);
                return word.value();
            }
            case Node.NilWord word -> {
                atLiteral(word, words, last);
                throw execution.failure("nil is not a command");
            }
        }
    }

    private void atLiteral(Node.Operand word, List<Node.Operand> words, @Nullable Value last) throws TemplateFailure {
        execution.at(word);
        refuseArguments(words, last);
    }

    private void refuseArguments(List<Node.Operand> words, @Nullable Value last) throws TemplateFailure {
        if (hasArguments(words, last)) {
            throw execution.failure(
                    "can't give argument to non-function " + words.getFirst().shown());
        }
    }

    private static boolean hasArguments(List<Node.Operand> words, @Nullable Value last) {
        return words.size() > 1 || last != null;
    }

    /** A field as an argument. */
    Value field(Place dot, Node.Field field) throws TemplateFailure {
        execution.at(field);
        return chain(dot, dot, field, field.fields(), NO_WORDS, null);
    }

    /** A variable as an argument. */
    Value variable(Place dot, Node.Variable variable) throws TemplateFailure {
        return variable(dot, variable, NO_WORDS, null);
    }

    private Value variable(Place dot, Node.Variable variable, List<Node.Operand> words, @Nullable Value last)
            throws TemplateFailure {
        execution.at(variable);
        Place place = execution.variables.get(variable.name());
        if (place == null) {
            throw execution.failure("undefined variable: " + variable.name());
        }
        if (variable.fields().isEmpty()) {
            refuseArguments(words, last);
            return place.value();
        }
        return chain(dot, place, variable, variable.fields(), words, last);
    }

    /** A chain as an argument. */
    Value chain(Place dot, Node.Chain chain) throws TemplateFailure {
        return chain(dot, chain, NO_WORDS, null);
    }

    private Value chain(Place dot, Node.Chain chain, List<Node.Operand> words, @Nullable Value last)
            throws TemplateFailure {
        execution.at(chain);
        Place head =
                switch (chain.head()) {
                    case Node.NilWord _ ->
                        throw execution.failure("indirection through explicit nil in " + chain.shown());
                    case Node.Identifier function -> {
                        // A function's result stays in its interface, other than a pipeline's.
                        execution.at(function);
                        Value result = function(dot, function);
                        Type declared = function.function().type().result();
                        yield new Place(result, declared != null && declared.isInterface() ? declared : result.type());
                    }
                    default -> Place.of(arguments.value(dot, null, chain.head()));
                };
        return chain(dot, head, chain, chain.fields(), words, last);
    }

    /** A function without arguments as an argument. */
    Value function(Place dot, Node.Identifier function) throws TemplateFailure {
        return function(dot, function, function, NO_WORDS, null);
    }

    private Value function(
            Place dot, Node.Identifier function, Node.Shown site, List<Node.Operand> words, @Nullable Value last)
            throws TemplateFailure {
        execution.at(function);
        return call(dot, function.function(), null, site, function.name(), words, last);
    }

    private Value chain(
            Place dot,
            Place start,
            Node.Shown site,
            List<Node.FieldName> fields,
            List<Node.Operand> words,
            @Nullable Value last)
            throws TemplateFailure {
        Place place = start;
        int end = fields.size() - 1;
        for (int i = 0; i < end; i++) {
            place = step(dot, place, site, fields.get(i), NO_WORDS, null);
        }
        return step(dot, place, site, fields.get(end), words, last).value();
    }

    /** One field or method of a value. Only the last of a chain may be a method with arguments. */
    private Place step(
            Place dot,
            Place receiver,
            Node.Shown site,
            Node.FieldName field,
            List<Node.Operand> words,
            @Nullable Value last)
            throws TemplateFailure {
        if (receiver.value() == Absent.ABSENT) {
            return receiver;
        }
        Value holder = receiver.value();
        Value target = holder;
        while (target instanceof Pointer pointer && pointer.target() != null) {
            holder = pointer;
            target = pointer.target();
        }
        if (target instanceof Nil) {
            throw execution.failure("nil pointer evaluating " + receiver.type() + "." + field.name());
        }
        Type.Method method = method(holder, target, field.name());
        if (method != null) {
            return methodResult(dot, method, holder, target, site, words, last);
        }
        if (target.kind() == Kind.STRUCT) {
            int embedded = target.type().embeddedIndex(field.name());
            if (embedded >= 0 && target instanceof Struct struct) {
                target = struct.field(embedded);
            }
            int index = target.type().fieldIndex(field.name());
            if (index >= 0) {
                return structField(receiver, target, field.name(), index, hasArguments(words, last));
            }
        } else if (target instanceof MapValue map) {
            Type keyType = map.type().key();
            if (keyType == Type.STRING || Reflection.isAssignable(Type.STRING, keyType)) {
                if (hasArguments(words, last)) {
                    throw execution.failure(field.name() + " is not a method but has arguments");
                }
                Value element = map.elements().get(field.key());
                return element == null
                        ? new Place(Absent.ABSENT, Type.ANY)
                        : new Place(element, map.type().elem());
            }
        } else if (target instanceof Pointer pointer) {
            Type pointee = pointer.type().elem();
            if (pointee.kind() != Kind.STRUCT || pointee.fieldIndex(field.name()) >= 0) {
                throw execution.failure("nil pointer evaluating " + receiver.type() + "." + field.name());
            }
        }
        throw execution.failure("can't evaluate field " + field.name() + " in type " + receiver.type());
    }

    private Place structField(Place receiver, Value target, String name, int index, boolean hasArguments)
            throws TemplateFailure {
        if (!(target instanceof Struct struct)
                || !Character.isUpperCase(Str.text(name).codePointAt(0))) {
            throw execution.failure(name + " is an unexported field of struct type " + receiver.type());
        }
        if (hasArguments) {
            throw execution.failure(name + " has arguments but cannot be invoked as function");
        }
        return new Place(struct.field(index), struct.type().fields().get(index).type());
    }

    private static Type.@Nullable Method method(Value holder, Value target, String name) {
        Type.Method own = target.type().method(name);
        return own == null && holder != target ? holder.type().method(name) : own;
    }

    private Place methodResult(
            Place dot,
            Type.Method method,
            Value holder,
            Value target,
            Node.Shown site,
            List<Node.Operand> words,
            @Nullable Value last)
            throws TemplateFailure {
        boolean onNil = target instanceof Pointer;
        Value receiver = method.onPointer() && !onNil ? holder : target;
        Func.Code code = onNil && !method.onPointer() ? NIL_RECEIVER : method.code();
        Func function = new Func(method.signature(), code);
        Value result = call(dot, function, receiver, site, method.name(), words, last);
        Type declared = method.signature().result();
        return new Place(result, declared != null && declared.isInterface() ? declared : result.type());
    }

    /** Calls a function, or a method when there is a receiver. */
    private Value call(
            Place dot,
            Func function,
            @Nullable Value receiver,
            Node.Shown site,
            String name,
            List<Node.Operand> words,
            @Nullable Value last)
            throws TemplateFailure {
        execution.environment.charge(1, 0);
        Type signature = function.type();
        int given = Math.max(words.size() - 1, 0);
        checkCount(signature, name, given, last);
        if (Builtins.isShortCircuit(function)) {
            return shortCircuit(dot, Builtins.isOr(function), words, last);
        }
        boolean needsName = Builtins.isCall(function);
        int before = receiver == null && !needsName ? 0 : 1;
        int count = given + (last == null ? 0 : 1);
        Value[] values = new Value[before + count];
        for (int i = 0; i < given; i++) {
            values[before + i] = arguments.value(dot, parameter(signature, i), words.get(i + 1));
        }
        if (last != null) {
            values[before + given] = arguments.accepted(last, parameter(signature, given));
        }
        if (receiver != null) {
            values[0] = receiver;
        } else if (needsName) {
            values[0] = Str.ofBytes(calleeName(words, last));
        }
        Func.Code code = Objects.requireNonNull(function.code());
        try {
            Value result = code.call(execution.environment, Arrays.asList(values));
            Type declared = signature.result();
            return result == Absent.ABSENT && declared != null && declared.isInterface() ? Nil.ANY : result;
        } catch (LimitExceeded limit) {
            execution.at(site);
            throw limit;
        } catch (CallFailure failure) {
            execution.at(site);
            throw execution.failure("error calling " + name + ": " + failure.text());
        }
    }

    private void checkCount(Type signature, String name, int given, @Nullable Value last) throws TemplateFailure {
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

    private static Type parameter(Type signature, int index) {
        List<Type> parameters = signature.parameters();
        int fixed = signature.variadic() ? parameters.size() - 1 : parameters.size();
        return index < fixed ? parameters.get(index) : parameters.get(fixed).elem();
    }

    /** {@code and} and {@code or}: the first argument that decides, or the last one; those after it are not evaluated. */
    private Value shortCircuit(Place dot, boolean decides, List<Node.Operand> words, @Nullable Value last)
            throws TemplateFailure {
        Value value = Absent.ABSENT;
        for (int i = 1; i < words.size(); i++) {
            value = arguments.value(dot, Type.REFLECT_VALUE, words.get(i));
            if (Reflection.truth(value) == decides) {
                return value;
            }
        }
        return last == null ? value : arguments.accepted(last, Type.REFLECT_VALUE);
    }

    /** How {@code call} names in its messages what it calls. */
    private static String calleeName(List<Node.Operand> words, @Nullable Value last) {
        if (words.size() > 1) {
            return words.get(1).shown();
        }
        return switch (Objects.requireNonNull(last)) {
            case Str string -> string.bytes();
            case Absent _ -> "<invalid Value>";
            case Value value -> "<" + value.type() + " Value>";
        };
    }
}
