package io.osmhub.core.template.go;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.MapOrder;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import java.util.List;
import java.util.Map;

/** Runs a template's statements and writes its output. One instance serves one execution. */
final class Executor {
    /** What comes after a statement. */
    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    private static final Place NO_INDEX = new Place(Absent.ABSENT, Type.ANY);

    private final Execution execution;
    private final Evaluator evaluator;
    private final StringBuilder output;
    private final boolean marksBraces;

    /** @param marksBraces whether braces that actions print are told from those of the source, by {@link DataBraces} */
    Executor(Execution execution, StringBuilder output, boolean marksBraces) {
        this.execution = execution;
        this.evaluator = new Evaluator(execution);
        this.output = output;
        this.marksBraces = marksBraces;
    }

    void run(Tree main, Value data) throws TemplateFailure {
        Place dot = Place.of(data);
        execution.variables.enter(dot);
        try {
            all(main.body(), dot);
        } catch (LimitExceeded limit) {
            throw execution.failure(Stage.LIMIT, Str.bytes(String.valueOf(limit.getMessage())));
        } catch (StackOverflowError overflow) {
            throw execution.failure(Stage.LIMIT, "templates and control structures are nested too deeply");
        }
    }

    private Flow all(List<Node.Statement> statements, Place dot) throws TemplateFailure {
        for (int i = 0; i < statements.size(); i++) {
            Flow flow = one(statements.get(i), dot);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    private Flow one(Node.Statement statement, Place dot) throws TemplateFailure {
        execution.environment.charge(1, 0);
        return switch (statement) {
            case Node.Text text -> {
                write(text.text());
                yield Flow.NEXT;
            }
            case Node.Action action -> {
                action(action, dot);
                yield Flow.NEXT;
            }
            case Node.If branch -> {
                int mark = execution.variables.mark();
                Value condition = evaluator.pipeline(dot, branch.condition());
                Flow flow = all(Reflection.truth(condition) ? branch.then() : branch.otherwise(), dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case Node.With with -> {
                int mark = execution.variables.mark();
                Value subject = evaluator.pipeline(dot, with.subject());
                Flow flow =
                        Reflection.truth(subject) ? all(with.then(), Place.of(subject)) : all(with.otherwise(), dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case Node.Range range -> {
                int mark = execution.variables.mark();
                Flow flow = range(range, dot);
                execution.variables.reset(mark);
                yield flow;
            }
            case Node.Call call -> {
                call(call, dot);
                yield Flow.NEXT;
            }
            case Node.Break _ -> Flow.BREAK;
            case Node.Continue _ -> Flow.CONTINUE;
        };
    }

    private void action(Node.Action action, Place dot) throws TemplateFailure {
        Value value = evaluator.pipeline(dot, action.pipeline());
        if (!action.pipeline().variables().isEmpty()) {
            return;
        }
        execution.at(action);
        if (!GoPrint.isPrintable(value)) {
            throw execution.failure("can't print " + action.shown() + " of type " + value.type());
        }
        String printed = GoPrint.display(execution.environment, value);
        write(marksBraces ? DataBraces.mark(printed) : printed);
    }

    private void write(String bytes) {
        execution.environment.output(bytes.length());
        output.append(bytes);
    }

    private void call(Node.Call call, Place dot) throws TemplateFailure {
        execution.at(call);
        Tree called = execution.lookup(call.name());
        if (called == null) {
            throw execution.failure("template " + GoQuote.quote(call.name()) + " not defined");
        }
        execution.environment.enter();
        Value data = call.data() == null ? Absent.ABSENT : evaluator.pipeline(dot, call.data());
        Tree caller = execution.enter(called);
        Place newDot = Place.of(data);
        int callersVariables = execution.variables.enter(newDot);
        all(called.body(), newDot);
        execution.variables.leave(callersVariables);
        execution.enter(caller);
        execution.environment.leave();
    }

    private Flow range(Node.Range range, Place dot) throws TemplateFailure {
        Value subject = Reflection.followed(evaluator.pipeline(dot, range.subject()));
        boolean ran =
                switch (subject) {
                    case Slice slice -> overItems(range, slice);
                    case MapValue map -> overEntries(range, map);
                    case Int number -> overNumbers(range, number);
                    case Absent _ -> false;
                    default ->
                        throw execution.failure(
                                "range can't iterate over " + GoPrint.sprint(execution.environment, List.of(subject)));
                };
        if (ran) {
            return Flow.NEXT;
        }
        // A break in the else branch ends this range, although the parser counts it to the one around; a continue is
        // the
        // outer one's indeed.
        Flow flow = all(range.otherwise(), dot);
        return flow == Flow.BREAK ? Flow.NEXT : flow;
    }

    private boolean overItems(Node.Range range, Slice slice) throws TemplateFailure {
        List<Value> items = slice.elements();
        Type type = slice.type().elem();
        // The length is that from before, as in Go, even if the body adds to the list.
        int length = items.size();
        for (int i = 0; i < length; i++) {
            Place index = range.subject().variables().size() > 1 ? new Place(Int.of(i), Type.INT) : NO_INDEX;
            if (iteration(range, index, new Place(items.get(i), type)) == Flow.BREAK) {
                break;
            }
        }
        return length > 0;
    }

    private boolean overEntries(Node.Range range, MapValue map) throws TemplateFailure {
        if (map.length() == 0) {
            return false;
        }
        Type keyType = map.type().key();
        Type elemType = map.type().elem();
        execution.environment.charge(map.length(), 8L * map.length());
        for (Map.Entry<Value, Value> entry : MapOrder.sorted(map)) {
            Flow flow = iteration(range, new Place(entry.getKey(), keyType), new Place(entry.getValue(), elemType));
            if (flow == Flow.BREAK) {
                break;
            }
        }
        return true;
    }

    private boolean overNumbers(Node.Range range, Int count) throws TemplateFailure {
        if (range.subject().variables().size() > 1) {
            throw execution.failure("can't use " + GoPrint.sprint(execution.environment, List.of(count))
                    + " to iterate over more than one variable");
        }
        Type type = count.type();
        boolean unsigned = type.kind().isUnsigned();
        boolean ran = false;
        for (long i = 0; unsigned ? Long.compareUnsigned(i, count.value()) < 0 : i < count.value(); i++) {
            ran = true;
            Value number = type == Type.INT ? Int.of(i) : new Int(type, i);
            if (iteration(range, NO_INDEX, new Place(number, type)) == Flow.BREAK) {
                break;
            }
        }
        return ran;
    }

    private Flow iteration(Node.Range range, Place index, Place item) throws TemplateFailure {
        execution.environment.charge(1, 0);
        List<Node.Variable> declared = range.subject().variables();
        if (!declared.isEmpty()) {
            setVariables(range.subject(), declared, index, item);
        }
        int mark = execution.variables.mark();
        Flow flow = all(range.body(), item);
        execution.variables.reset(mark);
        return flow;
    }

    /** With two variables the first is the index; a single one is the item. */
    private void setVariables(Node.Pipeline subject, List<Node.Variable> declared, Place index, Place item)
            throws TemplateFailure {
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
