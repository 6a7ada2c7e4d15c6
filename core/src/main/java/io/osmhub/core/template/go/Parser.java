package io.osmhub.core.template.go;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.go.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes trees of a source: the main template, and one for each {@code define} and {@code block}. Functions and variables are
 * checked here; templates and fields only when they are reached.
 *
 * <p>One instance reads one template; a definition within is read by another that shares the lexer and the trees found.
 */
final class Parser {
    /** Far deeper nesting would need more stack than a thread has. Go has its limit at 10000, for parentheses only. */
    private static final int DEEPEST_NESTING = 300;

    private final String sourceName;
    private final String source;
    private final FunctionTable functions;
    private final Map<String, Tree> trees;
    private final TokenStream tokens;
    private final List<String> variables = new ArrayList<>(List.of("$"));
    private int nesting;
    private int ranges;
    /** Line of the action being read, for the message about its missing end; 0 outside. */
    private int actionLine;

    private Parser(
            String sourceName, String source, FunctionTable functions, Map<String, Tree> trees, TokenStream tokens) {
        this.sourceName = sourceName;
        this.source = source;
        this.functions = functions;
        this.trees = trees;
        this.tokens = tokens;
    }

    /** All trees of the source by name; the main one has the source's name. */
    static Map<String, Tree> parse(String name, String source, FunctionTable functions) throws TemplateFailure {
        Map<String, Tree> trees = new LinkedHashMap<>();
        Parser parser = new Parser(name, source, functions, trees, new TokenStream(new Lexer(source, functions)));
        parser.add(name, parser.main());
        return trees;
    }

    private Parser forDefinition() {
        Parser inner = new Parser(sourceName, source, functions, trees, new TokenStream(tokens.lexer()));
        inner.nesting = nesting;
        return inner;
    }

    private void add(String name, List<Node.Statement> body) throws TemplateFailure {
        Tree tree = new Tree(name, source, body);
        Tree earlier = trees.get(name);
        if (earlier == null || earlier.isEmpty()) {
            trees.put(name, tree);
        } else if (!tree.isEmpty()) {
            throw failure("template: multiple definition of template " + GoQuote.quote(name));
        }
    }

    private List<Node.Statement> main() throws TemplateFailure {
        List<Node.Statement> body = new ArrayList<>();
        while (!tokens.peek().is(Kind.EOF)) {
            if (tokens.peek().is(Kind.LEFT_DELIMITER)) {
                int mark = tokens.mark();
                tokens.next();
                if (tokens.nextNonSpace().is(Kind.DEFINE)) {
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

    private void definition() throws TemplateFailure {
        String context = "define clause";
        String name = templateName(tokens.nextNonSpace(), context);
        expect(Kind.RIGHT_DELIMITER, context);
        Body body = body();
        if (body.closing().isElse()) {
            throw failure("unexpected " + body.closing().text() + " in " + context);
        }
        add(name, body.statements());
    }

    /** What stands next in a body: a statement, or the word that ends it. */
    private sealed interface Item {
        record Content(Node.Statement statement) implements Item {}

        record Closing(boolean isElse) implements Item {
            String text() {
                return isElse ? "{{else}}" : "{{end}}";
            }
        }
    }

    private record Body(List<Node.Statement> statements, Item.Closing closing) {}

    private Body body() throws TemplateFailure {
        if (++nesting > DEEPEST_NESTING) {
            throw failure("more than " + DEEPEST_NESTING + " levels of nesting");
        }
        List<Node.Statement> statements = new ArrayList<>();
        while (!tokens.peekNonSpace().is(Kind.EOF)) {
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

    private Item item() throws TemplateFailure {
        Token token = tokens.nextNonSpace();
        switch (token.kind()) {
            case TEXT -> {
                return new Item.Content(new Node.Text(token.position(), token.text()));
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

    private Item action() throws TemplateFailure {
        Token token = tokens.nextNonSpace();
        return switch (token.kind()) {
            case ELSE -> elseWord();
            case END -> {
                expect(Kind.RIGHT_DELIMITER, "end");
                yield new Item.Closing(false);
            }
            case BLOCK -> new Item.Content(block());
            case BREAK -> {
                loopWord("{{break}}");
                yield new Item.Content(new Node.Break(token.position()));
            }
            case CONTINUE -> {
                loopWord("{{continue}}");
                yield new Item.Content(new Node.Continue(token.position()));
            }
            case IF -> new Item.Content(control(Kind.IF));
            case RANGE -> new Item.Content(control(Kind.RANGE));
            case WITH -> new Item.Content(control(Kind.WITH));
            case TEMPLATE -> new Item.Content(call());
            default -> {
                tokens.back();
                int position = tokens.peek().position();
                yield new Item.Content(new Node.Action(position, pipeline("command", Kind.RIGHT_DELIMITER)));
            }
        };
    }

    private void loopWord(String shown) throws TemplateFailure {
        Token token = tokens.nextNonSpace();
        if (!token.is(Kind.RIGHT_DELIMITER)) {
            throw unexpected(token, shown);
        }
        if (ranges == 0) {
            throw failure(shown + " outside {{range}}");
        }
    }

    private Item elseWord() throws TemplateFailure {
        // "else if" and "else with" leave their second word for whoever reads the control structure.
        Token token = tokens.peekNonSpace();
        if (!token.is(Kind.IF) && !token.is(Kind.WITH)) {
            expect(Kind.RIGHT_DELIMITER, "else");
        }
        return new Item.Closing(true);
    }

    private Node.Statement control(Kind word) throws TemplateFailure {
        int outerVariables = variables.size();
        String context =
                switch (word) {
                    case IF -> "if";
                    case WITH -> "with";
                    default -> "range";
                };
        Node.Pipeline pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
        ranges += word == Kind.RANGE ? 1 : 0;
        Body body = body();
        ranges -= word == Kind.RANGE ? 1 : 0;
        List<Node.Statement> otherwise = body.closing().isElse() ? otherwise(word) : List.of();
        variables.subList(outerVariables, variables.size()).clear();
        int position = pipeline.position();
        List<Node.Statement> then = List.copyOf(body.statements());
        return switch (word) {
            case IF -> new Node.If(position, pipeline, then, otherwise);
            case WITH -> new Node.With(position, pipeline, then, otherwise);
            default -> new Node.Range(position, pipeline, then, otherwise);
        };
    }

    private List<Node.Statement> otherwise(Kind word) throws TemplateFailure {
        if (word != Kind.RANGE && tokens.peek().is(word)) {
            tokens.next();
            // Shares the end with the structure it continues.
            nesting++;
            Node.Statement next = control(word);
            nesting--;
            return List.of(next);
        }
        Body body = body();
        if (body.closing().isElse()) {
            throw failure("expected end; found " + body.closing().text());
        }
        return List.copyOf(body.statements());
    }

    private Node.Statement block() throws TemplateFailure {
        String context = "block clause";
        Token token = tokens.nextNonSpace();
        String name = templateName(token, context);
        Node.Pipeline pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
        Parser inner = forDefinition();
        Body body = inner.body();
        if (body.closing().isElse()) {
            throw failure("unexpected " + body.closing().text() + " in " + context);
        }
        inner.add(name, body.statements());
        return new Node.Call(token.position(), name, pipeline);
    }

    private Node.Statement call() throws TemplateFailure {
        String context = "template clause";
        Token token = tokens.nextNonSpace();
        String name = templateName(token, context);
        if (tokens.nextNonSpace().is(Kind.RIGHT_DELIMITER)) {
            return new Node.Call(token.position(), name, null);
        }
        tokens.back();
        return new Node.Call(token.position(), name, pipeline(context, Kind.RIGHT_DELIMITER));
    }

    private String templateName(Token token, String context) throws TemplateFailure {
        if (!token.is(Kind.STRING) && !token.is(Kind.RAW_STRING)) {
            throw unexpected(token, context);
        }
        return unquoted(token);
    }

    private Node.Pipeline pipeline(String context, Kind end) throws TemplateFailure {
        int position = tokens.peekNonSpace().position();
        Declarations declared = declarations(context);
        List<Node.Command> commands = new ArrayList<>();
        while (true) {
            Token token = tokens.nextNonSpace();
            if (token.is(end)) {
                break;
            }
            if (!beginsOperand(token.kind())) {
                throw unexpected(token, context);
            }
            tokens.back();
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
        return new Node.Pipeline(position, declared.variables(), declared.assigns(), List.copyOf(commands));
    }

    private record Declarations(List<Node.Variable> variables, boolean assigns) {}

    private Declarations declarations(String context) throws TemplateFailure {
        List<Node.Variable> declared = new ArrayList<>(2);
        boolean assigns = false;
        while (tokens.peekNonSpace().is(Kind.VARIABLE)) {
            int mark = tokens.mark();
            Token variable = tokens.next();
            Token next = tokens.peekNonSpace();
            boolean assignment = next.is(Kind.ASSIGN) || next.is(Kind.DECLARE);
            boolean comma = next.is(Kind.CHARACTER) && next.text().equals(",");
            if (!assignment && !comma) {
                tokens.reset(mark);
                break;
            }
            tokens.nextNonSpace();
            declared.add(new Node.Variable(variable.position(), variable.text(), List.of()));
            // Known even when only assigned: that it does not exist shows when it is executed.
            variables.add(variable.text());
            if (assignment) {
                assigns = next.is(Kind.ASSIGN);
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

    private static boolean isLiteral(Node.Operand operand) {
        return switch (operand) {
            case Node.BoolWord _, Node.Dot _, Node.NilWord _, Node.NumberWord _, Node.StringWord _ -> true;
            case Node.Pipeline _, Node.Identifier _, Node.Variable _, Node.Field _, Node.Chain _ -> false;
        };
    }

    private Node.Command command() throws TemplateFailure {
        int position = tokens.peekNonSpace().position();
        List<Node.Operand> words = new ArrayList<>(4);
        while (true) {
            tokens.peekNonSpace();
            Node.Operand operand = operand();
            if (operand != null) {
                words.add(operand);
            }
            Token token = tokens.next();
            if (token.is(Kind.SPACE)) {
                continue;
            }
            if (token.is(Kind.RIGHT_DELIMITER) || token.is(Kind.RIGHT_PAREN)) {
                tokens.back();
            } else if (!token.is(Kind.PIPE)) {
                throw unexpected(token, "operand");
            }
            break;
        }
        if (words.isEmpty()) {
            throw failure("empty command");
        }
        return new Node.Command(position, List.copyOf(words));
    }

    private Node.@Nullable Operand operand() throws TemplateFailure {
        Node.Operand term = term();
        if (term == null || !tokens.peek().is(Kind.FIELD)) {
            return term;
        }
        int position = tokens.peek().position();
        List<Node.FieldName> fields = new ArrayList<>(4);
        while (tokens.peek().is(Kind.FIELD)) {
            fields.add(fieldName(tokens.next()));
        }
        return switch (term) {
            case Node.Field field -> new Node.Field(position, joined(field.fields(), fields));
            case Node.Variable variable ->
                new Node.Variable(position, variable.name(), joined(variable.fields(), fields));
            case Node.BoolWord _, Node.StringWord _, Node.NumberWord _, Node.NilWord _, Node.Dot _ ->
                throw failure("unexpected . after term " + GoQuote.quote(term.shown()));
            case Node.Pipeline _, Node.Identifier _, Node.Chain _ ->
                new Node.Chain(position, term, List.copyOf(fields));
        };
    }

    private static List<Node.FieldName> joined(List<Node.FieldName> first, List<Node.FieldName> then) {
        List<Node.FieldName> all = new ArrayList<>(first);
        all.addAll(then);
        return List.copyOf(all);
    }

    private static Node.FieldName fieldName(Token token) {
        return Node.FieldName.of(token.text().substring(1));
    }

    private Node.@Nullable Operand term() throws TemplateFailure {
        Token token = tokens.nextNonSpace();
        int position = token.position();
        switch (token.kind()) {
            case IDENTIFIER -> {
                return new Node.Identifier(position, token.text(), function(token.text()));
            }
            case DOT -> {
                return new Node.Dot(position);
            }
            case NIL -> {
                return new Node.NilWord(position);
            }
            case VARIABLE -> {
                if (!variables.contains(token.text())) {
                    throw failure("undefined variable " + GoQuote.quote(token.text()));
                }
                return new Node.Variable(position, token.text(), List.of());
            }
            case FIELD -> {
                return new Node.Field(position, List.of(fieldName(token)));
            }
            case BOOL -> {
                return new Node.BoolWord(position, token.text().equals("true"));
            }
            case CHARACTER_CONSTANT, COMPLEX, NUMBER -> {
                return new Node.NumberWord(position, number(token));
            }
            case LEFT_PAREN -> {
                if (++nesting > DEEPEST_NESTING) {
                    throw failure("max expression depth exceeded");
                }
                Node.Pipeline inner = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
                nesting--;
                return inner;
            }
            case STRING, RAW_STRING -> {
                return new Node.StringWord(position, token.text(), Str.ofBytes(unquoted(token)));
            }
            default -> {
                tokens.back();
                return null;
            }
        }
    }

    private Func function(String name) throws TemplateFailure {
        Func function = functions.get(name);
        if (function == null) {
            String suggestion = Suggestion.closest(name, functions.names())
                    .map(known -> "did you mean " + GoQuote.quote(known) + "?")
                    .orElse(null);
            throw failure("function " + GoQuote.quote(name) + " not defined", suggestion);
        }
        return function;
    }

    private NumberLiteral number(Token token) throws TemplateFailure {
        try {
            return switch (token.kind()) {
                case CHARACTER_CONSTANT -> NumberLiteral.ofCharacter(token.text());
                case COMPLEX -> NumberLiteral.ofComplex(token.text());
                default -> NumberLiteral.ofNumber(token.text());
            };
        } catch (CallFailure failure) {
            throw failure(failure.text());
        }
    }

    private String unquoted(Token token) throws TemplateFailure {
        try {
            return GoQuote.unquote(token.text());
        } catch (CallFailure failure) {
            throw failure(failure.text());
        }
    }

    private void expect(Kind kind, String context) throws TemplateFailure {
        Token token = tokens.nextNonSpace();
        if (!token.is(kind)) {
            throw unexpected(token, context);
        }
    }

    private TemplateFailure unexpected(Token token, String context) {
        if (!token.is(Kind.ERROR)) {
            return failure("unexpected " + token.shown() + " in " + context);
        }
        String where = "";
        if (actionLine != 0 && actionLine != token.line()) {
            where = " started at " + sourceName + ":" + actionLine;
            // Some problems say "action" themselves.
            where = token.text().endsWith(" action") ? where : " in action" + where;
        }
        return failure(token.text() + where);
    }

    private TemplateFailure failure(String cause) {
        return failure(cause, null);
    }

    private TemplateFailure failure(String cause, @Nullable String suggestion) {
        Token last = tokens.lastRead();
        return Failures.parse(sourceName, source, last.position(), last.line(), cause, suggestion);
    }
}
