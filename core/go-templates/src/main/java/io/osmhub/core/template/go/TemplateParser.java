package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.functions.RefusedFunction;
import io.osmhub.core.template.go.GoTemplate.GoTemplateErrors;
import io.osmhub.core.template.go.GoTemplate.TemplateTree;
import io.osmhub.core.template.go.TemplateLexer.TemplateToken;
import io.osmhub.core.template.go.TemplateLexer.TemplateToken.Kind;
import io.osmhub.core.template.go.TemplateLexer.TemplateTokenStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses a source into trees: the main template, and one for each {@code define} and {@code block}. Functions and variables are
 * checked here; templates and fields only when they are executed.
 *
 * <p>One instance parses one template; a nested definition is parsed by another that shares the lexer and the trees found.
 */
final class TemplateParser {
    /** Much deeper nesting would overflow a thread's stack. Go's limit is 10000, for parentheses only. */
    private static final int DEEPEST_NESTING = 300;

    private final String sourceName;
    private final String source;
    private final FunctionRegistry functions;
    private final Map<String, TemplateTree> trees;
    private final TemplateTokenStream tokens;
    private final List<String> variables = new ArrayList<>(List.of("$"));
    private int nesting;
    private int ranges;
    /** Line of the action being read, for the message about its missing end; 0 outside. */
    private int actionLine;

    private TemplateParser(
            String sourceName,
            String source,
            FunctionRegistry functions,
            Map<String, TemplateTree> trees,
            TemplateTokenStream tokens) {
        this.sourceName = sourceName;
        this.source = source;
        this.functions = functions;
        this.trees = trees;
        this.tokens = tokens;
    }

    /** All trees of the source by name; the main one has the source's name. */
    static Map<String, TemplateTree> parse(String name, String source, FunctionRegistry functions)
            throws TemplateException {
        Map<String, TemplateTree> trees = new LinkedHashMap<>();
        TemplateParser parser = new TemplateParser(
                name, source, functions, trees, new TemplateTokenStream(new TemplateLexer(source, functions)));
        parser.add(name, parser.main());
        return trees;
    }

    private TemplateParser forDefinition() {
        TemplateParser inner =
                new TemplateParser(sourceName, source, functions, trees, new TemplateTokenStream(tokens.lexer()));
        inner.nesting = nesting;
        return inner;
    }

    private void add(String name, List<TemplateNode.Statement> body) throws TemplateException {
        TemplateTree tree = new TemplateTree(name, source, body);
        TemplateTree earlier = trees.get(name);
        if (earlier == null || earlier.isEmpty()) {
            trees.put(name, tree);
        } else if (!tree.isEmpty()) {
            throw failure("template: multiple definition of template " + GoQuote.quote(name));
        }
    }

    private List<TemplateNode.Statement> main() throws TemplateException {
        List<TemplateNode.Statement> body = new ArrayList<>();
        while (!tokens.peek().hasKind(Kind.EOF)) {
            if (tokens.peek().hasKind(Kind.LEFT_DELIMITER)) {
                int mark = tokens.mark();
                tokens.next();
                if (tokens.nextNonSpace().hasKind(Kind.DEFINE)) {
                    forDefinition().definition();
                    continue;
                }
                tokens.reset(mark);
            }
            Item item = item();
            if (item instanceof Item.Closing closing) {
                throw failure("unexpected " + closing.text());
            }
            body.add(((Item.Content) item).statement());
        }
        return body;
    }

    private void definition() throws TemplateException {
        String context = "define clause";
        String name = templateName(tokens.nextNonSpace(), context);
        expect(Kind.RIGHT_DELIMITER, context);
        Body body = body();
        if (body.closing().isElse()) {
            throw failure("unexpected " + body.closing().text() + " in " + context);
        }
        add(name, body.statements());
    }

    /** The next part of a body: a statement, or the word that ends it. */
    private sealed interface Item {
        record Content(TemplateNode.Statement statement) implements Item {}

        record Closing(boolean isElse) implements Item {
            String text() {
                return isElse ? "{{else}}" : "{{end}}";
            }
        }
    }

    private record Body(List<TemplateNode.Statement> statements, Item.Closing closing) {}

    private Body body() throws TemplateException {
        if (++nesting > DEEPEST_NESTING) {
            throw failure("more than " + DEEPEST_NESTING + " levels of nesting");
        }
        List<TemplateNode.Statement> statements = new ArrayList<>();
        while (!tokens.peekNonSpace().hasKind(Kind.EOF)) {
            switch (item()) {
                case Item.Content content -> statements.add(content.statement());
                case Item.Closing closing -> {
                    nesting--;
                    return new Body(statements, closing);
                }
            }
        }
        throw failure("unexpected EOF");
    }

    private Item item() throws TemplateException {
        TemplateToken token = tokens.nextNonSpace();
        switch (token.kind()) {
            case TEXT -> {
                return new Item.Content(new TemplateNode.Text(token.position(), token.text()));
            }
            case LEFT_DELIMITER -> {
                actionLine = token.line();
                Item item = action();
                actionLine = 0;
                return item;
            }
            default -> throw unexpected(token, "input");
        }
    }

    private Item action() throws TemplateException {
        TemplateToken token = tokens.nextNonSpace();
        return switch (token.kind()) {
            case ELSE -> elseWord();
            case END -> {
                expect(Kind.RIGHT_DELIMITER, "end");
                yield new Item.Closing(false);
            }
            case BLOCK -> new Item.Content(block());
            case BREAK -> {
                loopWord("{{break}}");
                yield new Item.Content(new TemplateNode.Break(token.position()));
            }
            case CONTINUE -> {
                loopWord("{{continue}}");
                yield new Item.Content(new TemplateNode.Continue(token.position()));
            }
            case IF -> new Item.Content(control(Kind.IF));
            case RANGE -> new Item.Content(control(Kind.RANGE));
            case WITH -> new Item.Content(control(Kind.WITH));
            case TEMPLATE -> new Item.Content(call());
            default -> {
                tokens.backup();
                int position = tokens.peek().position();
                yield new Item.Content(new TemplateNode.Action(position, pipeline("command", Kind.RIGHT_DELIMITER)));
            }
        };
    }

    private void loopWord(String shown) throws TemplateException {
        TemplateToken token = tokens.nextNonSpace();
        if (!token.hasKind(Kind.RIGHT_DELIMITER)) {
            throw unexpected(token, shown);
        }
        if (ranges == 0) {
            throw failure(shown + " outside {{range}}");
        }
    }

    private Item elseWord() throws TemplateException {
        // "else if" and "else with" leave their second word to the parser of the control structure.
        TemplateToken token = tokens.peekNonSpace();
        if (!token.hasKind(Kind.IF) && !token.hasKind(Kind.WITH)) {
            expect(Kind.RIGHT_DELIMITER, "else");
        }
        return new Item.Closing(true);
    }

    private TemplateNode.Statement control(Kind word) throws TemplateException {
        int outerVariables = variables.size();
        String context =
                switch (word) {
                    case IF -> "if";
                    case WITH -> "with";
                    default -> "range";
                };
        TemplateNode.Pipeline pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
        ranges += word == Kind.RANGE ? 1 : 0;
        Body body = body();
        ranges -= word == Kind.RANGE ? 1 : 0;
        List<TemplateNode.Statement> otherwise = body.closing().isElse() ? otherwise(word) : List.of();
        variables.subList(outerVariables, variables.size()).clear();
        int position = pipeline.position();
        List<TemplateNode.Statement> then = List.copyOf(body.statements());
        return switch (word) {
            case IF -> new TemplateNode.If(position, pipeline, then, otherwise);
            case WITH -> new TemplateNode.With(position, pipeline, then, otherwise);
            default -> new TemplateNode.Range(position, pipeline, then, otherwise);
        };
    }

    private List<TemplateNode.Statement> otherwise(Kind word) throws TemplateException {
        if (word != Kind.RANGE && tokens.peek().hasKind(word)) {
            tokens.next();
            // Shares the end with the structure that it continues.
            nesting++;
            TemplateNode.Statement next = control(word);
            nesting--;
            return List.of(next);
        }
        Body body = body();
        if (body.closing().isElse()) {
            throw failure("expected end; found " + body.closing().text());
        }
        return List.copyOf(body.statements());
    }

    private TemplateNode.Statement block() throws TemplateException {
        String context = "block clause";
        TemplateToken token = tokens.nextNonSpace();
        String name = templateName(token, context);
        TemplateNode.Pipeline pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
        TemplateParser inner = forDefinition();
        Body body = inner.body();
        if (body.closing().isElse()) {
            throw failure("unexpected " + body.closing().text() + " in " + context);
        }
        inner.add(name, body.statements());
        return new TemplateNode.Call(token.position(), name, pipeline);
    }

    private TemplateNode.Statement call() throws TemplateException {
        String context = "template clause";
        TemplateToken token = tokens.nextNonSpace();
        String name = templateName(token, context);
        if (tokens.nextNonSpace().hasKind(Kind.RIGHT_DELIMITER)) {
            return new TemplateNode.Call(token.position(), name, null);
        }
        tokens.backup();
        return new TemplateNode.Call(token.position(), name, pipeline(context, Kind.RIGHT_DELIMITER));
    }

    private String templateName(TemplateToken token, String context) throws TemplateException {
        if (!token.hasKind(Kind.STRING) && !token.hasKind(Kind.RAW_STRING)) {
            throw unexpected(token, context);
        }
        return unquoted(token);
    }

    private TemplateNode.Pipeline pipeline(String context, Kind end) throws TemplateException {
        int position = tokens.peekNonSpace().position();
        Declarations declared = declarations(context);
        List<TemplateNode.Command> commands = new ArrayList<>();
        while (true) {
            TemplateToken token = tokens.nextNonSpace();
            if (token.hasKind(end)) {
                break;
            }
            if (!beginsOperand(token.kind())) {
                throw unexpected(token, context);
            }
            tokens.backup();
            commands.add(command());
        }
        if (commands.isEmpty()) {
            throw failure("missing value for " + context);
        }
        for (int i = 1; i < commands.size(); i++) {
            if (isLiteral(commands.get(i).words().getFirst())) {
                throw failure("non executable command in pipeline stage " + (i + 1));
            }
        }
        return new TemplateNode.Pipeline(position, declared.variables(), declared.assigns(), List.copyOf(commands));
    }

    private record Declarations(List<TemplateNode.Variable> variables, boolean assigns) {}

    private Declarations declarations(String context) throws TemplateException {
        List<TemplateNode.Variable> declared = new ArrayList<>(2);
        boolean assigns = false;
        while (tokens.peekNonSpace().hasKind(Kind.VARIABLE)) {
            int mark = tokens.mark();
            TemplateToken variable = tokens.next();
            TemplateToken next = tokens.peekNonSpace();
            boolean assignment = next.hasKind(Kind.ASSIGN) || next.hasKind(Kind.DECLARE);
            boolean comma = next.hasKind(Kind.CHARACTER) && next.text().equals(",");
            if (!assignment && !comma) {
                tokens.reset(mark);
                break;
            }
            tokens.nextNonSpace();
            declared.add(new TemplateNode.Variable(variable.position(), variable.text(), List.of()));
            // Declared even if only assigned: a missing variable is reported on execution.
            variables.add(variable.text());
            if (assignment) {
                assigns = next.hasKind(Kind.ASSIGN);
                break;
            }
            if (!context.equals("range") || declared.size() > 1) {
                throw failure("too many declarations in " + context);
            }
            switch (tokens.peekNonSpace().kind()) {
                case VARIABLE, RIGHT_DELIMITER, RIGHT_PAREN -> {
                    continue;
                }
                default -> throw failure("range can only initialize variables");
            }
        }
        return new Declarations(List.copyOf(declared), assigns);
    }

    private static boolean beginsOperand(Kind kind) {
        return switch (kind) {
            case BOOL,
                    CHARACTER_CONSTANT,
                    COMPLEX,
                    DOT,
                    FIELD,
                    IDENTIFIER,
                    NUMBER,
                    NIL,
                    RAW_STRING,
                    STRING,
                    VARIABLE,
                    LEFT_PAREN -> true;
            default -> false;
        };
    }

    private static boolean isLiteral(TemplateNode.Operand operand) {
        return switch (operand) {
            case TemplateNode.BoolNode _,
                    TemplateNode.Dot _,
                    TemplateNode.NilNode _,
                    TemplateNode.NumberNode _,
                    TemplateNode.StringNode _ -> true;
            case TemplateNode.Pipeline _,
                    TemplateNode.Identifier _,
                    TemplateNode.Variable _,
                    TemplateNode.Field _,
                    TemplateNode.Chain _ -> false;
        };
    }

    private TemplateNode.Command command() throws TemplateException {
        int position = tokens.peekNonSpace().position();
        List<TemplateNode.Operand> words = new ArrayList<>(4);
        while (true) {
            tokens.peekNonSpace();
            TemplateNode.Operand operand = operand();
            if (operand != null) {
                words.add(operand);
            }
            TemplateToken token = tokens.next();
            if (token.hasKind(Kind.SPACE)) {
                continue;
            }
            if (token.hasKind(Kind.RIGHT_DELIMITER) || token.hasKind(Kind.RIGHT_PAREN)) {
                tokens.backup();
            } else if (!token.hasKind(Kind.PIPE)) {
                throw unexpected(token, "operand");
            }
            break;
        }
        if (words.isEmpty()) {
            throw failure("empty command");
        }
        return new TemplateNode.Command(position, List.copyOf(words));
    }

    private TemplateNode.@Nullable Operand operand() throws TemplateException {
        TemplateNode.Operand term = term();
        if (term == null || !tokens.peek().hasKind(Kind.FIELD)) {
            return term;
        }
        int position = tokens.peek().position();
        List<TemplateNode.FieldName> fields = new ArrayList<>(4);
        while (tokens.peek().hasKind(Kind.FIELD)) {
            fields.add(fieldName(tokens.next()));
        }
        return switch (term) {
            case TemplateNode.Field field -> new TemplateNode.Field(position, joined(field.fields(), fields));
            case TemplateNode.Variable variable ->
                new TemplateNode.Variable(position, variable.name(), joined(variable.fields(), fields));
            case TemplateNode.BoolNode _,
                    TemplateNode.StringNode _,
                    TemplateNode.NumberNode _,
                    TemplateNode.NilNode _,
                    TemplateNode.Dot _ -> throw failure("unexpected . after term " + GoQuote.quote(term.toSource()));
            case TemplateNode.Pipeline _, TemplateNode.Identifier _, TemplateNode.Chain _ ->
                new TemplateNode.Chain(position, term, List.copyOf(fields));
        };
    }

    private static List<TemplateNode.FieldName> joined(
            List<TemplateNode.FieldName> first, List<TemplateNode.FieldName> then) {
        List<TemplateNode.FieldName> all = new ArrayList<>(first);
        all.addAll(then);
        return List.copyOf(all);
    }

    private static TemplateNode.FieldName fieldName(TemplateToken token) {
        return TemplateNode.FieldName.of(token.text().substring(1));
    }

    private TemplateNode.@Nullable Operand term() throws TemplateException {
        TemplateToken token = tokens.nextNonSpace();
        int position = token.position();
        switch (token.kind()) {
            case IDENTIFIER -> {
                return new TemplateNode.Identifier(position, token.text(), function(token.text()));
            }
            case DOT -> {
                return new TemplateNode.Dot(position);
            }
            case NIL -> {
                return new TemplateNode.NilNode(position);
            }
            case VARIABLE -> {
                if (!variables.contains(token.text())) {
                    throw failure("undefined variable " + GoQuote.quote(token.text()));
                }
                return new TemplateNode.Variable(position, token.text(), List.of());
            }
            case FIELD -> {
                return new TemplateNode.Field(position, List.of(fieldName(token)));
            }
            case BOOL -> {
                return new TemplateNode.BoolNode(position, token.text().equals("true"));
            }
            case CHARACTER_CONSTANT, COMPLEX, NUMBER -> {
                return new TemplateNode.NumberNode(position, number(token));
            }
            case LEFT_PAREN -> {
                if (++nesting > DEEPEST_NESTING) {
                    throw failure("max expression depth exceeded");
                }
                TemplateNode.Pipeline inner = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
                nesting--;
                return inner;
            }
            case STRING, RAW_STRING -> {
                return new TemplateNode.StringNode(position, token.text(), GoString.ofBytes(unquoted(token)));
            }
            default -> {
                tokens.backup();
                return null;
            }
        }
    }

    private GoFunction function(String name) throws TemplateException {
        GoFunction function = functions.get(name);
        if (function == null) {
            RefusedFunction refused = functions.refused(name);
            if (refused != null) {
                throw refused(refused);
            }
            String suggestion = SpellingSuggestion.findClosest(name, functions.names())
                    .map(known -> "did you mean " + GoQuote.quote(known) + "?")
                    .orElse(null);
            throw failure("function " + GoQuote.quote(name) + " not defined", suggestion);
        }
        return function;
    }

    private NumberLiteral number(TemplateToken token) throws TemplateException {
        try {
            return switch (token.kind()) {
                case CHARACTER_CONSTANT -> NumberLiteral.ofCharacter(token.text());
                case COMPLEX -> NumberLiteral.ofComplex(token.text());
                default -> NumberLiteral.ofNumber(token.text());
            };
        } catch (GoCallException failure) {
            throw failure(failure);
        }
    }

    private String unquoted(TemplateToken token) throws TemplateException {
        try {
            return GoQuote.unquote(token.text());
        } catch (GoCallException failure) {
            throw failure(failure);
        }
    }

    private void expect(Kind kind, String context) throws TemplateException {
        TemplateToken token = tokens.nextNonSpace();
        if (!token.hasKind(kind)) {
            throw unexpected(token, context);
        }
    }

    private TemplateException unexpected(TemplateToken token, String context) {
        if (!token.hasKind(Kind.ERROR)) {
            return failure("unexpected " + token.describe() + " in " + context);
        }
        String where = "";
        if (actionLine != 0 && actionLine != token.line()) {
            where = " started at " + sourceName + ":" + actionLine;
            // Some messages already contain "action".
            where = token.text().endsWith(" action") ? where : " in action" + where;
        }
        return failure(token.text() + where);
    }

    private TemplateException refused(RefusedFunction function) {
        String cause = "function " + GoQuote.quote(function.name()) + " is not supported: " + function.reason();
        return failure(cause, function.alternative()).withRefused(function.name());
    }

    private TemplateException failure(String cause) {
        return failure(cause, null);
    }

    private TemplateException failure(GoCallException cause) {
        return failure(cause.text()).withRefused(cause.refused());
    }

    private TemplateException failure(String cause, @Nullable String suggestion) {
        TemplateToken last = tokens.lastRead();
        return GoTemplateErrors.parse(sourceName, source, last.position(), last.line(), cause, suggestion);
    }
}
