package io.osmhub.core.template.go;

import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
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
        execution.variables.enter(data);
        try {
            all(main.body(), data);
        } catch (LimitExceededException limit) {
            throw execution.failure(Stage.of(limit), GoString.bytes(String.valueOf(limit.getMessage())));
        } catch (StackOverflowError overflow) {
            throw execution.failure(Stage.LIMIT, "templates and control structures are nested too deeply");
        }
    }

    private Flow all(List<TemplateNode.Statement> statements, GoValue dot) throws TemplateException {
        for (int i = 0; i < statements.size(); i++) {
            Flow flow = one(statements.get(i), dot);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private Flow one(TemplateNode.Statement statement, GoValue dot) throws TemplateException {
        execution.environment.charge(1, 0);
        switch (statement) {
            case TemplateNode.Text text -> write(text.text());
            case TemplateNode.Action action -> action(action, dot);
            case TemplateNode.Call call -> call(call, dot);
            case TemplateNode.LoopExit exit -> {
                return exit.isBreak() ? Flow.BREAK : Flow.CONTINUE;
            }
            case TemplateNode.Branch branch -> {
                int mark = execution.variables.mark();
                GoValue subject = evaluator.evaluatePipeline(dot, branch.subject());
                Flow flow =
                        switch (branch.keyword()) {
                            case IF -> all(GoReflection.isTrue(subject) ? branch.body() : branch.otherwise(), dot);
                            case WITH ->
                                GoReflection.isTrue(subject)
                                        ? all(branch.body(), subject)
                                        : all(branch.otherwise(), dot);
                            case RANGE -> range(branch, GoReflection.dereference(subject), dot);
                        };
                execution.variables.reset(mark);
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private void action(TemplateNode.Action action, GoValue dot) throws TemplateException {
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

    private void call(TemplateNode.Call call, GoValue dot) throws TemplateException {
        execution.currentNode(call);
        TemplateTree called = execution.lookup(call.name());
        if (called == null) {
            throw execution.failure("template " + GoQuote.quote(call.name()) + " not defined");
        }
        execution.environment.enterLevel();
        GoValue data = call.data() == null ? GoNoValue.ABSENT : evaluator.evaluatePipeline(dot, call.data());
        TemplateTree caller = execution.enter(called);
        int callersVariables = execution.variables.enter(data);
        all(called.body(), data);
        execution.variables.leave(callersVariables);
        execution.enter(caller);
        execution.environment.leaveLevel();
    }

    private Flow range(TemplateNode.Branch range, GoValue subject, GoValue dot) throws TemplateException {
        boolean ran =
                switch (subject) {
                    case GoSlice slice -> overItems(range, slice);
                    case GoMap map -> overEntries(range, map);
                    case GoInt number -> overNumbers(range, number);
                    case GoNoValue _ -> false;
                    default -> throw execution.failure("range can't iterate over a value of type " + subject.type());
                };
        if (ran) {
            return Flow.NEXT;
        }
        // A break in the else branch ends this range, although the parser counts it for the enclosing one; a continue
        // does belong to the enclosing one.
        Flow flow = all(range.otherwise(), dot);
        return flow == Flow.BREAK ? Flow.NEXT : flow;
    }

    private boolean overItems(TemplateNode.Branch range, GoSlice slice) throws TemplateException {
        List<GoValue> items = slice.elements();
        // The length before the loop, as in Go, even if the body adds to the list.
        int length = items.size();
        for (int i = 0; i < length; i++) {
            if (iteration(range, GoInt.of(i), items.get(i)) == Flow.BREAK) {
                break;
            }
        }
        return length > 0;
    }

    private boolean overEntries(TemplateNode.Branch range, GoMap map) throws TemplateException {
        // The entries are copied for sorting.
        execution.environment.charge(map.length(), 8L * map.length());
        for (Map.Entry<GoValue, GoValue> entry : MapKeyOrder.sortEntries(map)) {
            if (iteration(range, entry.getKey(), entry.getValue()) == Flow.BREAK) {
                break;
            }
        }
        return map.length() > 0;
    }

    private boolean overNumbers(TemplateNode.Branch range, GoInt count) throws TemplateException {
        if (range.subject().variables().size() > 1) {
            throw execution.failure("can't use a number to iterate over more than one variable");
        }
        boolean unsigned = count.kind().isUnsigned();
        boolean ran = false;
        for (long i = 0; unsigned ? Long.compareUnsigned(i, count.value()) < 0 : i < count.value(); i++) {
            ran = true;
            if (iteration(range, GoNoValue.ABSENT, GoReflection.convert(GoInt.of(i), count.type())) == Flow.BREAK) {
                break;
            }
        }
        return ran;
    }

    private Flow iteration(TemplateNode.Branch range, GoValue index, GoValue item) throws TemplateException {
        execution.environment.charge(1, 0);
        List<TemplateNode.Variable> declared = range.subject().variables();
        // The first of two variables is the index; a single one is the item.
        for (int i = 0; i < declared.size(); i++) {
            int fromTop = declared.size() - i;
            GoValue value = fromTop == 1 ? item : index;
            if (range.subject().assigns()) {
                evaluator.assign(declared.get(i).name(), value);
            } else {
                execution.variables.setFromTop(fromTop, value);
            }
        }
        int mark = execution.variables.mark();
        Flow flow = all(range.body(), item);
        execution.variables.reset(mark);
        return flow;
    }
}
