package io.osmhub.core.template.go;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoBool;
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
import io.osmhub.core.template.go.TemplateNode.Branch.Keyword;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses a source into trees: the main template, and one for each {@code define} and {@code block}. Functions and variables are
 * checked here; templates and fields only when they are executed. One instance parses one source.
 */
final class TemplateParser {
    /** Much deeper nesting would overflow a thread's stack. Go's limit is 10000, for parentheses only. */
    private static final int DEEPEST_NESTING = 300;

    private final String sourceName;
    private final String source;
    private final FunctionRegistry functions;
    private final TemplateLexer lexer;
    private final Map<String, TemplateTree> trees = new LinkedHashMap<>();

    /** The tokens read so far, possibly by lookahead, and the position of the next one. */
    private final List<TemplateToken> tokens = new ArrayList<>();

    private int cursor;

    /** The variables of the template being parsed. */
    private List<String> variables = new ArrayList<>(List.of("$"));

    /** How many loops of the template being parsed are open. */
    private int ranges;

    private int nesting;

    /** Line of the action being read, for the message about its missing end; 0 outside. */
    private int actionLine;

    private TemplateParser(String sourceName, String source, FunctionRegistry functions) {
        this.sourceName = sourceName;
        this.source = source;
        this.functions = functions;
        this.lexer = new TemplateLexer(source, functions);
    }

    /** All trees of the source by name; the main one has the source's name. */
    static Map<String, TemplateTree> parse(String name, String source, FunctionRegistry functions)
            throws TemplateException {
        TemplateParser parser = new TemplateParser(name, source, functions);
        parser.add(name, parser.main());
        return parser.trees;
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
        while (!peek().hasKind(Kind.EOF)) {
            int mark = cursor;
            boolean isAction = next().hasKind(Kind.LEFT_DELIMITER);
            if (isAction && nextNonSpace().hasKind(Kind.DEFINE)) {
                String context = "define clause";
                String name = templateName(nextNonSpace(), context);
                expect(Kind.RIGHT_DELIMITER, context);
                define(name, context);
                continue;
            }
            cursor = mark;
            Kind closing = statement(body);
            if (closing != null) {
                throw failure("unexpected " + shown(closing));
            }
        }
        return body;
    }

    /** Parses the body of a definition or block, which has its own variables and loops. */
    private void define(String name, String context) throws TemplateException {
        List<String> outerVariables = variables;
        int outerRanges = ranges;
        variables = new ArrayList<>(List.of("$"));
        ranges = 0;
        List<TemplateNode.Statement> body = new ArrayList<>();
        if (body(body) == Kind.ELSE) {
            throw failure("unexpected {{else}} in " + context);
        }
        add(name, body);
        variables = outerVariables;
        ranges = outerRanges;
    }

    /** Parses statements up to the word that ends them, {@code end} or {@code else}, and returns that. */
    private Kind body(List<TemplateNode.Statement> to) throws TemplateException {
        if (++nesting > DEEPEST_NESTING) {
            throw failure("more than " + DEEPEST_NESTING + " levels of nesting");
        }
        while (!peekNonSpace().hasKind(Kind.EOF)) {
            Kind closing = statement(to);
            if (closing != null) {
                nesting--;
                return closing;
            }
        }
        throw failure("unexpected EOF");
    }

    private static String shown(Kind closing) {
        return closing == Kind.ELSE ? "{{else}}" : "{{end}}";
    }

    /** Adds the next statement; returns {@code end} or {@code else} if that is next, otherwise null. */
    private @Nullable Kind statement(List<TemplateNode.Statement> to) throws TemplateException {
        TemplateToken token = nextNonSpace();
        if (token.hasKind(Kind.TEXT)) {
            to.add(new TemplateNode.Text(token.position(), token.text()));
            return null;
        }
        if (!token.hasKind(Kind.LEFT_DELIMITER)) {
            throw unexpected(token, "input");
        }
        actionLine = token.line();
        TemplateToken word = nextNonSpace();
        int position = word.position();
        switch (word.kind()) {
            case ELSE -> {
                // "else if" and "else with" leave their second word to the parser of the control structure.
                TemplateToken second = peekNonSpace();
                if (!second.hasKind(Kind.IF) && !second.hasKind(Kind.WITH)) {
                    expect(Kind.RIGHT_DELIMITER, "else");
                }
            }
            case END -> expect(Kind.RIGHT_DELIMITER, "end");
            case BLOCK -> to.add(block());
            case BREAK, CONTINUE -> {
                checkLoopExit("{{" + word.text() + "}}");
                to.add(new TemplateNode.LoopExit(position, word.hasKind(Kind.BREAK)));
            }
            case IF -> to.add(branch(Keyword.IF));
            case RANGE -> to.add(branch(Keyword.RANGE));
            case WITH -> to.add(branch(Keyword.WITH));
            case TEMPLATE -> to.add(call());
            default -> {
                cursor--;
                to.add(new TemplateNode.Action(peek().position(), pipeline("command", Kind.RIGHT_DELIMITER)));
            }
        }
        actionLine = 0;
        return word.hasKind(Kind.ELSE) || word.hasKind(Kind.END) ? word.kind() : null;
    }

    private void checkLoopExit(String shown) throws TemplateException {
        expect(Kind.RIGHT_DELIMITER, shown);
        if (ranges == 0) {
            throw failure(shown + " outside {{range}}");
        }
    }

    private TemplateNode.Branch branch(Keyword keyword) throws TemplateException {
        int outerVariables = variables.size();
        TemplateNode.Pipeline subject = pipeline(keyword.name().toLowerCase(Locale.ROOT), Kind.RIGHT_DELIMITER);
        List<TemplateNode.Statement> body = new ArrayList<>();
        ranges += keyword == Keyword.RANGE ? 1 : 0;
        Kind closing = body(body);
        ranges -= keyword == Keyword.RANGE ? 1 : 0;
        List<TemplateNode.Statement> otherwise = new ArrayList<>();
        Kind word = keyword == Keyword.IF ? Kind.IF : Kind.WITH;
        if (closing == Kind.ELSE && keyword != Keyword.RANGE && peek().hasKind(word)) {
            next();
            // Shares the end with the structure that it continues.
            nesting++;
            otherwise.add(branch(keyword));
            nesting--;
        } else if (closing == Kind.ELSE && body(otherwise) == Kind.ELSE) {
            throw failure("expected end; found {{else}}");
        }
        variables.subList(outerVariables, variables.size()).clear();
        return new TemplateNode.Branch(subject.position(), keyword, subject, List.copyOf(body), List.copyOf(otherwise));
    }

    private TemplateNode.Call block() throws TemplateException {
        String context = "block clause";
        TemplateToken token = nextNonSpace();
        String name = templateName(token, context);
        TemplateNode.Pipeline data = pipeline(context, Kind.RIGHT_DELIMITER);
        define(name, context);
        return new TemplateNode.Call(token.position(), name, data);
    }

    private TemplateNode.Call call() throws TemplateException {
        String context = "template clause";
        TemplateToken token = nextNonSpace();
        String name = templateName(token, context);
        if (nextNonSpace().hasKind(Kind.RIGHT_DELIMITER)) {
            return new TemplateNode.Call(token.position(), name, null);
        }
        cursor--;
        return new TemplateNode.Call(token.position(), name, pipeline(context, Kind.RIGHT_DELIMITER));
    }

    private String templateName(TemplateToken token, String context) throws TemplateException {
        if (!token.hasKind(Kind.STRING)) {
            throw unexpected(token, context);
        }
        return unquoted(token);
    }

    private TemplateNode.Pipeline pipeline(String context, Kind end) throws TemplateException {
        int position = peekNonSpace().position();
        List<TemplateNode.Variable> declared = new ArrayList<>(2);
        boolean assigns = declarations(declared, context);
        List<TemplateNode.Command> commands = new ArrayList<>();
        while (true) {
            TemplateToken token = nextNonSpace();
            if (token.hasKind(end)) {
                break;
            }
            if (!beginsOperand(token.kind())) {
                throw unexpected(token, context);
            }
            cursor--;
            commands.add(command());
        }
        if (commands.isEmpty()) {
            throw failure("missing value for " + context);
        }
        for (int i = 1; i < commands.size(); i++) {
            if (isConstant(commands.get(i).words().getFirst())) {
                throw failure("non executable command in pipeline stage " + (i + 1));
            }
        }
        return new TemplateNode.Pipeline(position, List.copyOf(declared), assigns, List.copyOf(commands));
    }

    /** Parses the variables that a pipeline declares or assigns; returns whether it assigns. */
    private boolean declarations(List<TemplateNode.Variable> declared, String context) throws TemplateException {
        while (peekNonSpace().hasKind(Kind.VARIABLE)) {
            int mark = cursor;
            TemplateToken variable = next();
            TemplateToken next = nextNonSpace();
            boolean isLast = next.hasKind(Kind.ASSIGN) || next.hasKind(Kind.DECLARE);
            if (!isLast && !(next.hasKind(Kind.CHARACTER) && next.text().equals(","))) {
                cursor = mark;
                return false;
            }
            declared.add(new TemplateNode.Variable(variable.position(), variable.text()));
            // Declared even if only assigned: a missing variable is reported on execution.
            variables.add(variable.text());
            if (isLast) {
                return next.hasKind(Kind.ASSIGN);
            }
            if (!context.equals("range") || declared.size() > 1) {
                throw failure("too many declarations in " + context);
            }
            switch (peekNonSpace().kind()) {
                case VARIABLE, RIGHT_DELIMITER, RIGHT_PAREN -> {
                    // The second variable, or a mistake that the caller reports.
                }
                default -> throw failure("range can only initialize variables");
            }
        }
        return false;
    }

    private static boolean beginsOperand(Kind kind) {
        return switch (kind) {
            case BOOL, CHARACTER_CONSTANT, DOT, FIELD, IDENTIFIER, NUMBER, NIL, STRING, VARIABLE, LEFT_PAREN -> true;
            default -> false;
        };
    }

    private static boolean isConstant(TemplateNode.Operand operand) {
        return switch (operand) {
            case TemplateNode.Dot _, TemplateNode.Nil _, TemplateNode.Literal _ -> true;
            case TemplateNode.Pipeline _, TemplateNode.Identifier _, TemplateNode.Variable _, TemplateNode.Chain _ ->
                false;
        };
    }

    private TemplateNode.Command command() throws TemplateException {
        int position = peekNonSpace().position();
        List<TemplateNode.Operand> words = new ArrayList<>(4);
        while (true) {
            peekNonSpace();
            TemplateNode.Operand operand = operand();
            if (operand != null) {
                words.add(operand);
            }
            TemplateToken token = next();
            if (token.hasKind(Kind.SPACE)) {
                continue;
            }
            if (token.hasKind(Kind.RIGHT_DELIMITER) || token.hasKind(Kind.RIGHT_PAREN)) {
                cursor--;
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

    /** The next operand with its fields; null if there is none. */
    private TemplateNode.@Nullable Operand operand() throws TemplateException {
        TemplateNode.Operand term = term();
        if (term == null || !peek().hasKind(Kind.FIELD)) {
            return term;
        }
        if (isConstant(term)) {
            throw failure("unexpected . after term " + GoQuote.quote(term.toSource()));
        }
        int position = peek().position();
        List<GoString> fields = new ArrayList<>(4);
        TemplateNode.Operand head = term;
        if (term instanceof TemplateNode.Chain chain) {
            head = chain.head();
            fields.addAll(chain.fields());
        }
        while (peek().hasKind(Kind.FIELD)) {
            fields.add(fieldName(next()));
        }
        return new TemplateNode.Chain(position, head, List.copyOf(fields));
    }

    private static GoString fieldName(TemplateToken token) {
        return GoString.ofBytes(token.text().substring(1));
    }

    private TemplateNode.@Nullable Operand term() throws TemplateException {
        TemplateToken token = nextNonSpace();
        int position = token.position();
        return switch (token.kind()) {
            case IDENTIFIER -> new TemplateNode.Identifier(position, token.text(), function(token.text()));
            case DOT -> new TemplateNode.Dot(position);
            case NIL -> new TemplateNode.Nil(position);
            case VARIABLE -> {
                if (!variables.contains(token.text())) {
                    throw failure("undefined variable " + GoQuote.quote(token.text()));
                }
                yield new TemplateNode.Variable(position, token.text());
            }
            case FIELD -> new TemplateNode.Chain(position, new TemplateNode.Dot(position), List.of(fieldName(token)));
            case BOOL ->
                new TemplateNode.Literal(
                        position, token.text(), GoBool.of(token.text().equals("true")));
            case CHARACTER_CONSTANT, NUMBER -> new TemplateNode.Literal(position, token.text(), number(token));
            case STRING -> new TemplateNode.Literal(position, token.text(), GoString.ofBytes(unquoted(token)));
            case LEFT_PAREN -> {
                if (++nesting > DEEPEST_NESTING) {
                    throw failure("max expression depth exceeded");
                }
                TemplateNode.Pipeline inner = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
                nesting--;
                yield inner;
            }
            default -> {
                cursor--;
                yield null;
            }
        };
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
            return token.hasKind(Kind.CHARACTER_CONSTANT)
                    ? NumberLiteral.ofCharacter(token.text())
                    : NumberLiteral.ofNumber(token.text());
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

    private TemplateToken next() {
        TemplateToken token = peek();
        cursor++;
        return token;
    }

    /** Reads from the lexer only when needed, so that the first of two mistakes is reported. */
    private TemplateToken peek() {
        if (cursor == tokens.size()) {
            tokens.add(lexer.next());
        }
        return tokens.get(cursor);
    }

    private TemplateToken nextNonSpace() {
        TemplateToken token = next();
        while (token.hasKind(Kind.SPACE)) {
            token = next();
        }
        return token;
    }

    private TemplateToken peekNonSpace() {
        TemplateToken token = nextNonSpace();
        cursor--;
        return token;
    }

    private void expect(Kind kind, String context) throws TemplateException {
        TemplateToken token = nextNonSpace();
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
        // The last token that was read, possibly by lookahead, has the line of the mistake.
        TemplateToken last = tokens.isEmpty() ? new TemplateToken(Kind.EOF, "", 0, 0) : tokens.getLast();
        return GoTemplateErrors.parse(sourceName, source, last.position(), last.line(), cause, suggestion);
    }
}
