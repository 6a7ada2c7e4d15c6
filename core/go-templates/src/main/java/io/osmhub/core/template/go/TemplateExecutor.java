package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.MapKeyOrder;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.go.ExecutionState.TypedValue;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import java.util.List;
import java.util.Map;

/** Executes a template's statements and writes its output. One instance serves one execution. */
final class TemplateExecutor {
    /** What follows a statement. */
    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    private static final TypedValue NO_INDEX = new TypedValue(GoNoValue.ABSENT, GoType.ANY);

    private final ExecutionState execution;
    private final ExpressionEvaluator evaluator;
    private final StringBuilder output;
    private final boolean marksBraces;

    /** @param marksBraces whether {@link LiteralBraceMarker} marks braces that actions print */
    TemplateExecutor(ExecutionState execution, StringBuilder output, boolean marksBraces) {
        this.execution = execution;
        this.evaluator = new ExpressionEvaluator(execution);
        this.output = output;
        this.marksBraces = marksBraces;
    }

    void run(TemplateTree main, GoValue data) throws TemplateException {
        TypedValue dot = TypedValue.of(data);
        execution.variables.enter(dot);
        try {
            all(main.body(), dot);
        } catch (LimitExceededException limit) {
            throw execution.failure(Stage.LIMIT, GoString.bytes(String.valueOf(limit.getMessage())));
        } catch (StackOverflowError overflow) {
            throw execution.failure(Stage.LIMIT, "templates and control structures are nested too deeply");
        }
    }

    private Flow all(List<TemplateNode.Statement> statements, TypedValue dot) throws TemplateException {
        for (int i = 0; i < statements.size(); i++) {
            Flow flow = one(statements.get(i), dot);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private Flow one(TemplateNode.Statement statement, TypedValue dot) throws TemplateException {
        execution.environment.charge(1, 0);
        return switch (statement) {
            case TemplateNode.Text text -> {
                write(text.text());
                yield Flow.NEXT;
            }
            case TemplateNode.Action action -> {
                action(action, dot);
                yield Flow.NEXT;
            }
            case TemplateNode.If branch -> {
                int mark = execution.variables.mark();
                GoValue condition = evaluator.evaluatePipeline(dot, branch.condition());
                Flow flow = all(GoReflection.isTrue(condition) ? branch.then() : branch.otherwise(), dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case TemplateNode.With with -> {
                int mark = execution.variables.mark();
                GoValue subject = evaluator.evaluatePipeline(dot, with.subject());
                Flow flow = GoReflection.isTrue(subject)
                        ? all(with.then(), TypedValue.of(subject))
                        : all(with.otherwise(), dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case TemplateNode.Range range -> {
                int mark = execution.variables.mark();
                Flow flow = range(range, dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case TemplateNode.Call call -> {
                call(call, dot);
                yield Flow.NEXT;
            }
            case TemplateNode.Break _ -> Flow.BREAK;
            case TemplateNode.Continue _ -> Flow.CONTINUE;
        };
    }

    private void action(TemplateNode.Action action, TypedValue dot) throws TemplateException {
        GoValue value = evaluator.evaluatePipeline(dot, action.pipeline());
        if (!action.pipeline().variables().isEmpty()) {
            return;
        }
        execution.currentNode(action);
        if (!GoPrint.isPrintable(value)) {
            throw execution.failure("can't print " + action.toSource() + " of type " + value.type());
        }
        String printed = GoPrint.display(execution.environment, value);
        write(marksBraces ? LiteralBraceMarker.mark(printed) : printed);
    }

    private void write(String bytes) {
        execution.environment.chargeOutput(bytes.length());
        output.append(bytes);
    }

    private void call(TemplateNode.Call call, TypedValue dot) throws TemplateException {
        execution.currentNode(call);
        TemplateTree called = execution.lookup(call.name());
        if (called == null) {
            throw execution.failure("template " + GoQuote.quote(call.name()) + " not defined");
        }
        execution.environment.enterLevel();
        GoValue data = call.data() == null ? GoNoValue.ABSENT : evaluator.evaluatePipeline(dot, call.data());
        TemplateTree caller = execution.enter(called);
        TypedValue newDot = TypedValue.of(data);
        int callersVariables = execution.variables.enter(newDot);
        all(called.body(), newDot);
        execution.variables.leave(callersVariables);
        execution.enter(caller);
        execution.environment.leaveLevel();
    }

    private Flow range(TemplateNode.Range range, TypedValue dot) throws TemplateException {
        GoValue subject = GoReflection.dereference(evaluator.evaluatePipeline(dot, range.subject()));
        boolean ran =
                switch (subject) {
                    case GoSlice slice -> overItems(range, slice);
                    case GoMap map -> overEntries(range, map);
                    case GoInt number -> overNumbers(range, number);
                    case GoNoValue _ -> false;
                    default ->
                        throw execution.failure(
                                "range can't iterate over " + GoPrint.sprint(execution.environment, List.of(subject)));
                };
        if (ran) {
            return Flow.NEXT;
        }
        // A break in the else branch ends this range, although the parser counts it for the enclosing one; a continue
        // does belong
        // to the enclosing one.
        Flow flow = all(range.otherwise(), dot);
        return flow == Flow.BREAK ? Flow.NEXT : flow;
    }

    private boolean overItems(TemplateNode.Range range, GoSlice slice) throws TemplateException {
        List<GoValue> items = slice.elements();
        GoType type = slice.type().elem();
        // The length before the loop, as in Go, even if the body adds to the list.
        int length = items.size();
        for (int i = 0; i < length; i++) {
            TypedValue index =
                    range.subject().variables().size() > 1 ? new TypedValue(GoInt.of(i), GoType.INT) : NO_INDEX;
            if (iteration(range, index, new TypedValue(items.get(i), type)) == Flow.BREAK) {
                break;
            }
        }
        return length > 0;
    }

    private boolean overEntries(TemplateNode.Range range, GoMap map) throws TemplateException {
        if (map.length() == 0) {
            return false;
        }
        GoType keyType = map.type().key();
        GoType elemType = map.type().elem();
        execution.environment.charge(map.length(), 8L * map.length());
        for (Map.Entry<GoValue, GoValue> entry : MapKeyOrder.sortEntries(map)) {
            Flow flow = iteration(
                    range, new TypedValue(entry.getKey(), keyType), new TypedValue(entry.getValue(), elemType));
            if (flow == Flow.BREAK) {
                break;
            }
        }
        return true;
    }

    private boolean overNumbers(TemplateNode.Range range, GoInt count) throws TemplateException {
        if (range.subject().variables().size() > 1) {
            throw execution.failure("can't use " + GoPrint.sprint(execution.environment, List.of(count))
                    + " to iterate over more than one variable");
        }
        GoType type = count.type();
        boolean unsigned = type.kind().isUnsigned();
        boolean ran = false;
        for (long i = 0; unsigned ? Long.compareUnsigned(i, count.value()) < 0 : i < count.value(); i++) {
            ran = true;
            GoValue number = type == GoType.INT ? GoInt.of(i) : new GoInt(type, i);
            if (iteration(range, NO_INDEX, new TypedValue(number, type)) == Flow.BREAK) {
                break;
            }
        }
        return ran;
    }

    private Flow iteration(TemplateNode.Range range, TypedValue index, TypedValue item) throws TemplateException {
        execution.environment.charge(1, 0);
        List<TemplateNode.Variable> declared = range.subject().variables();
        if (!declared.isEmpty()) {
            setVariables(range.subject(), declared, index, item);
        }
        int mark = execution.variables.mark();
        Flow flow = all(range.body(), item);
        execution.variables.reset(mark);
        return flow;
    }

    /** The first of two variables is the index; a single one is the item. */
    private void setVariables(
            TemplateNode.Pipeline subject, List<TemplateNode.Variable> declared, TypedValue index, TypedValue item)
            throws TemplateException {
        boolean both = declared.size() > 1;
        if (subject.assigns()) {
            if (both) {
                evaluator.assign(declared.get(0).name(), index);
            }
            evaluator.assign(declared.getLast().name(), item);
        } else {
            execution.variables.setFromTop(1, item);
            if (both) {
                execution.variables.setFromTop(2, index);
            }
        }
    }
}
