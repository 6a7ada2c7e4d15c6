package io.osmhub.core.airgap;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses a bash script into commands, as far as {@link ShellTracer} needs them, in time that grows with its length. Accepts every
 * text that is not nested too deeply: what it does not understand becomes words of a command.
 */
final class ShellParser {
    sealed interface Node {
        /** Line of its first word, from 1. */
        int line();
    }

    /**
     * A command with its words. {@code assignments} precede the words; {@code name=(...)} and {@code name+=(...)} are arrays.
     *
     * @param conditional whether it runs only depending on the result of the command before it
     */
    record Simple(
            int line, List<Assignment> assignments, List<Word> words, List<Redirect> redirects, boolean conditional)
            implements Node {}

    record Assignment(String name, boolean append, boolean array, List<Word> values) {}

    /** Output into a file if {@code output}; otherwise, input from {@code text}. */
    record Redirect(boolean output, Word text) {}

    /** Commands connected by {@code |}. */
    record Pipeline(int line, List<Node> nodes) implements Node {}

    /** The contents of braces, parentheses, {@code if} and {@code while}. */
    record Group(int line, List<Node> nodes, List<Redirect> redirects, boolean conditional) implements Node {}

    record For(int line, String variable, List<Word> words, List<Node> body, List<Redirect> redirects)
            implements Node {}

    record Case(int line, Word subject, List<Branch> branches) implements Node {}

    record Branch(List<Word> patterns, List<Node> body) {}

    record Function(int line, String name, List<Node> body) implements Node {}

    record Word(List<Part> parts) {
        static Word literal(String text) {
            return new Word(List.of(new Literal(text, true)));
        }

        /** The text if it is literal and unquoted, as keywords are; otherwise null. */
        @Nullable String keyword() {
            return parts.size() == 1 && parts.getFirst() instanceof Literal(String text, boolean quoted) && !quoted
                    ? text
                    : null;
        }
    }

    sealed interface Part {
        boolean quoted();
    }

    record Literal(String text, boolean quoted) implements Part {}

    /** {@code $name} or {@code ${name...}}: {@code operation} is what follows the name, for example {@code :-default}. */
    record Variable(String name, String operation, boolean quoted) implements Part {}

    record Substitution(List<Node> nodes, String text, boolean quoted) implements Part {}

    private static final Set<String> GROUP_STARTS = Set.of("if", "while", "until", "then", "else", "elif", "do", "!");
    private static final Set<String> GROUP_ENDS = Set.of("fi", "done", "}", "esac", ")");

    /** {@code index} is the place of its text in {@code redirects}. */
    private record HereDocument(String delimiter, boolean quoted, List<Redirect> redirects, int index) {}

    static final int CHARS_PER_STEP = 64;

    private final String text;
    private final NestingTracker nesting;
    private final List<HereDocument> pending = new ArrayList<>();
    private int at;
    /** The line at the position {@code counted}. */
    private int line;

    private int counted;

    private ShellParser(String text, int firstLine, NestingTracker nesting) {
        this.text = text;
        this.line = firstLine;
        this.nesting = nesting;
        nesting.charge(text.length() / CHARS_PER_STEP, 0);
    }

    /** @throws LimitExceededException beyond the limits of {@code nesting} */
    static List<Node> parse(String text, NestingTracker nesting) {
        return parse(text, 1, nesting);
    }

    private static List<Node> parse(String text, int firstLine, NestingTracker nesting) {
        ShellParser parser = new ShellParser(text, firstLine, nesting);
        List<Node> nodes = new ArrayList<>();
        while (parser.at < text.length()) {
            nodes.addAll(parser.list());
            parser.at++; // an end without a start
        }
        return nodes;
    }

    /** Parts of a text in which variables are expanded, such as a here-document. */
    static Word expandable(String text, int firstLine, NestingTracker nesting) {
        ShellParser parser = new ShellParser(text, firstLine, nesting);
        List<Part> parts = new ArrayList<>();
        parser.quoted(parts, '\0');
        return new Word(parts);
    }

    private int line() {
        int end = Math.min(at, text.length());
        for (; counted < end; counted++) {
            line += text.charAt(counted) == '\n' ? 1 : 0;
        }
        for (; counted > end; counted--) {
            line -= text.charAt(counted - 1) == '\n' ? 1 : 0;
        }
        return line;
    }

    private <T> T nested(Supplier<T> part) {
        try {
            nesting.enter(part);
            return part.get();
        } finally {
            nesting.leave();
        }
    }

    // Lists and compound commands

    /** Commands up to a keyword or character that ends a compound command, which stays unread. */
    private List<Node> list() {
        return nested(this::commands);
    }

    private List<Node> commands() {
        List<Node> nodes = new ArrayList<>();
        boolean conditional = false;
        boolean piped = false;
        while (true) {
            skipSpace(true);
            if (at >= text.length() || isEnd()) {
                return nodes;
            }
            int before = at;
            Node node = command(conditional);
            if (node != null) {
                if (piped && !nodes.isEmpty()) {
                    if (nodes.getLast() instanceof Pipeline pipeline) {
                        pipeline.nodes().add(node);
                    } else {
                        Node first = nodes.removeLast();
                        nodes.add(new Pipeline(first.line(), new ArrayList<>(List.of(first, node))));
                    }
                } else {
                    nodes.add(node);
                }
            }
            skipSpace(false);
            conditional = false;
            piped = false;
            if (text.startsWith("&&", at) || text.startsWith("||", at)) {
                at += 2;
                conditional = true;
            } else if (text.startsWith(";;", at)) {
                return nodes;
            } else if (at < text.length() && text.charAt(at) == '|') {
                at += text.startsWith("|&", at) ? 2 : 1;
                piped = true;
            } else if (at < text.length() && ";&\n".indexOf(text.charAt(at)) >= 0) {
                newline();
            } else if (at == before) {
                return nodes;
            }
        }
    }

    private boolean isEnd() {
        return text.charAt(at) == ')' || text.startsWith(";;", at) || GROUP_ENDS.contains(peekKeyword());
    }

    private String peekKeyword() {
        int end = at;
        if (end < text.length() && "{}!".indexOf(text.charAt(end)) >= 0) {
            end++;
        } else {
            while (end < text.length() && Character.isLetter(text.charAt(end))) {
                end++;
            }
        }
        boolean ends = end >= text.length() || " \t\n;)&|<>".indexOf(text.charAt(end)) >= 0;
        return ends ? text.substring(at, end) : "";
    }

    private @Nullable Node command(boolean conditional) {
        int line = line();
        String keyword = peekKeyword();
        if (GROUP_STARTS.contains(keyword)) {
            at += keyword.length();
            return switch (keyword) {
                case "if" -> group(line, "fi");
                case "while", "until" -> group(line, "done");
                // Inside such a group: the list continues.
                default -> null;
            };
        }
        switch (keyword) {
            case "{" -> {
                at++;
                return group(line, "}", conditional);
            }
            case "for", "select" -> {
                return loop(line, keyword);
            }
            case "case" -> {
                return choice(line);
            }
            case "function" -> {
                at += keyword.length();
                skipSpace(false);
                String name = bare();
                skipSpace(false);
                if (text.startsWith("()", at)) {
                    at += 2;
                }
                return function(line, name);
            }
            default -> {}
        }
        if (text.startsWith("[[", at)) {
            skipPast("]]");
            return null;
        }
        if (text.startsWith("((", at)) {
            skipPast("))");
            return null;
        }
        if (text.charAt(at) == '(') {
            at++;
            return group(line, ")", conditional);
        }
        int start = at;
        String name = bare();
        int afterName = at;
        skipSpace(false);
        if (!name.isEmpty() && text.startsWith("(", at) && text.startsWith(")", afterBlanks(at + 1))) {
            at = afterBlanks(at + 1) + 1;
            return function(line, name);
        }
        at = afterName;
        at = start;
        return simple(line, conditional);
    }

    private Node group(int line, String end) {
        return group(line, end, true);
    }

    private Node group(int line, String end, boolean conditional) {
        List<Node> nodes = list();
        if (at < text.length()
                && (end.equals(")") ? text.charAt(at) == ')' : peekKeyword().equals(end))) {
            at += end.length();
        }
        return new Group(line, nodes, redirects(), conditional);
    }

    private Node function(int line, String name) {
        skipSpace(true);
        List<Node> body = nested(() ->
                Stream.ofNullable(at < text.length() ? command(false) : null).toList());
        return new Function(line, name, body);
    }

    private Node loop(int line, String keyword) {
        at += keyword.length();
        skipSpace(false);
        if (text.startsWith("((", at)) {
            skipPast("))");
            return doBlock(line, "", List.of());
        }
        String variable = bare();
        skipSpace(true);
        List<Word> words = new ArrayList<>();
        if (peekKeyword().equals("in")) {
            at += 2;
            skipSpace(false);
            while (at < text.length() && ";\n".indexOf(text.charAt(at)) < 0) {
                words.add(word());
                skipSpace(false);
            }
        } else {
            words.add(new Word(List.of(new Variable("@", "", true))));
        }
        return doBlock(line, variable, words);
    }

    private Node doBlock(int line, String variable, List<Word> words) {
        skipSpace(true);
        if (at < text.length() && text.charAt(at) == ';') {
            at++;
            skipSpace(true);
        }
        if (peekKeyword().equals("do")) {
            at += 2;
        }
        List<Node> body = list();
        if (at < text.length() && peekKeyword().equals("done")) {
            at += 4;
        }
        return new For(line, variable, words, body, redirects());
    }

    private Node choice(int line) {
        at += 4;
        skipSpace(false);
        Word subject = word();
        skipSpace(true);
        if (peekKeyword().equals("in")) {
            at += 2;
        }
        List<Branch> branches = new ArrayList<>();
        while (true) {
            skipSpace(true);
            if (at >= text.length() || peekKeyword().equals("esac")) {
                at = Math.min(text.length(), at + 4);
                return new Case(line, subject, branches);
            }
            if (text.charAt(at) == '(') {
                at++;
            }
            List<Word> patterns = new ArrayList<>();
            while (at < text.length() && text.charAt(at) != ')') {
                int before = at;
                patterns.add(word());
                skipSpace(false);
                if (at < text.length() && text.charAt(at) == '|') {
                    at++;
                    skipSpace(false);
                } else if (at == before) {
                    at++;
                }
            }
            at++;
            branches.add(new Branch(patterns, list()));
            if (text.startsWith(";;", at)) {
                at += 2;
                if (at < text.length() && text.charAt(at) == '&') {
                    at++;
                }
            } else if (at < text.length() && !peekKeyword().equals("esac")) {
                at++;
            }
        }
    }

    // Simple commands

    private @Nullable Node simple(int line, boolean conditional) {
        List<Assignment> assignments = new ArrayList<>();
        List<Word> words = new ArrayList<>();
        List<Redirect> redirects = new ArrayList<>();
        while (true) {
            skipSpace(false);
            if (at >= text.length() || "\n;)|".indexOf(text.charAt(at)) >= 0) {
                break;
            }
            if (text.charAt(at) == '&' && !text.startsWith("&>", at)) {
                break;
            }
            if (redirect(redirects)) {
                continue;
            }
            Assignment assignment = assignment(words);
            if (assignment != null) {
                assignments.add(assignment);
                continue;
            }
            int before = at;
            words.add(word());
            if (at == before) {
                at++;
            }
        }
        return assignments.isEmpty() && words.isEmpty() && redirects.isEmpty()
                ? null
                : new Simple(line, assignments, words, redirects, conditional);
    }

    /** {@code name=value} before the command's words, or after declaring commands. */
    private @Nullable Assignment assignment(List<Word> words) {
        String command = words.isEmpty() ? "" : words.getFirst().keyword();
        if (command == null
                || !Set.of("", "export", "local", "readonly", "declare").contains(command)) {
            return null;
        }
        int end = at;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        boolean append = text.startsWith("+=", end);
        if (end == at || Character.isDigit(text.charAt(at)) || !append && !text.startsWith("=", end)) {
            return null;
        }
        String name = text.substring(at, end);
        at = end + (append ? 2 : 1);
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            List<Word> values = new ArrayList<>();
            skipSpace(true);
            while (at < text.length() && text.charAt(at) != ')') {
                int before = at;
                values.add(word());
                skipSpace(true);
                if (at == before) {
                    at++;
                }
            }
            at++;
            return new Assignment(name, append, true, values);
        }
        return new Assignment(name, append, false, List.of(word()));
    }

    private List<Redirect> redirects() {
        List<Redirect> redirects = new ArrayList<>();
        skipSpace(false);
        while (redirect(redirects)) {
            skipSpace(false);
        }
        return redirects;
    }

    private boolean redirect(List<Redirect> redirects) {
        int start = at;
        int position = at;
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
            position++;
        }
        boolean errors = position > at && text.charAt(at) != '1';
        if (position < text.length() && text.charAt(position) == '&' && text.startsWith("&>", position)) {
            position++;
        }
        if (position >= text.length() || "<>".indexOf(text.charAt(position)) < 0) {
            return false;
        }
        at = position;
        if (text.startsWith("<<<", at)) {
            at += 3;
            skipSpace(false);
            redirects.add(new Redirect(false, word()));
        } else if (text.startsWith("<<", at)) {
            at += text.startsWith("<<-", at) ? 3 : 2;
            skipSpace(false);
            boolean quoted = at < text.length() && "'\"\\".indexOf(text.charAt(at)) >= 0;
            redirects.add(new Redirect(false, Word.literal("")));
            pending.add(new HereDocument(plain(word()), quoted, redirects, redirects.size() - 1));
        } else if (text.startsWith("<(", at) || text.startsWith(">(", at)) {
            at = start;
            return false;
        } else {
            boolean output = text.charAt(at) == '>';
            at++;
            if (at < text.length() && ">|".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (at < text.length() && text.charAt(at) == '&') {
                at++;
                word();
                return true;
            }
            skipSpace(false);
            Word target = word();
            if (output && !errors) {
                redirects.add(new Redirect(true, target));
            }
        }
        return true;
    }

    private static String plain(Word word) {
        StringBuilder plain = new StringBuilder();
        word.parts()
                .forEach(part -> plain.append(part instanceof Literal(String literal, boolean ignored) ? literal : ""));
        return plain.toString();
    }

    /** Reads the end of a line and the here-documents that begin after it. */
    private void newline() {
        boolean ended = text.charAt(at) == '\n';
        at++;
        if (!ended) {
            return;
        }
        for (HereDocument document : pending) {
            int line = line();
            StringBuilder content = new StringBuilder();
            while (at < text.length()) {
                int end = text.indexOf('\n', at);
                String next = text.substring(at, end < 0 ? text.length() : end);
                at = end < 0 ? text.length() : end + 1;
                if (next.strip().equals(document.delimiter())) {
                    break;
                }
                content.append(next).append('\n');
            }
            Word word = document.quoted()
                    ? Word.literal(content.toString())
                    : expandable(content.toString(), line, nesting);
            document.redirects().set(document.index(), new Redirect(false, word));
        }
        pending.clear();
    }

    // Words

    private Word word() {
        List<Part> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (" \t\n;|&)".indexOf(c) >= 0 || "<>".indexOf(c) >= 0 && !text.startsWith("(", at + 1)) {
                break;
            }
            if (c == '(' || "<>".indexOf(c) >= 0) {
                // An unexpected parenthesis, or a process substitution.
                at += c == '(' ? 1 : 2;
                parts.add(substitution(')', false));
            } else if (c == '\\') {
                if (!text.startsWith("\n", at + 1)) {
                    plain.append(at + 1 < text.length() ? text.charAt(at + 1) : '\\');
                }
                at += 2;
            } else if (c == '\'') {
                flush(plain, parts);
                int end = text.indexOf('\'', at + 1);
                parts.add(new Literal(text.substring(at + 1, end < 0 ? text.length() : end), true));
                at = end < 0 ? text.length() : end + 1;
            } else if (c == '"') {
                flush(plain, parts);
                at++;
                quoted(parts, '"');
            } else if (c == '$' || c == '`') {
                flush(plain, parts);
                dollar(parts, false);
            } else {
                plain.append(c);
                at++;
            }
        }
        flush(plain, parts);
        at = Math.min(at, text.length());
        return new Word(parts);
    }

    private static void flush(StringBuilder plain, List<Part> parts) {
        if (!plain.isEmpty()) {
            parts.add(new Literal(plain.toString(), false));
            plain.setLength(0);
        }
    }

    /** Parts of a double-quoted text up to {@code end}, which is read too. */
    private void quoted(List<Part> parts, char end) {
        StringBuilder plain = new StringBuilder();
        int before = parts.size();
        while (at < text.length() && text.charAt(at) != end) {
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length()) {
                char next = text.charAt(at + 1);
                if (next != '\n') {
                    plain.append("$`\"\\".indexOf(next) >= 0 ? "" : "\\").append(next);
                }
                at += 2;
            } else if (c == '$' || c == '`') {
                if (!plain.isEmpty()) {
                    parts.add(new Literal(plain.toString(), true));
                    plain.setLength(0);
                }
                dollar(parts, true);
            } else {
                plain.append(c);
                at++;
            }
        }
        at = Math.min(text.length(), at + 1);
        if (!plain.isEmpty() || parts.size() == before) {
            parts.add(new Literal(plain.toString(), true));
        }
    }

    private void dollar(List<Part> parts, boolean quoted) {
        if (text.charAt(at) == '`') {
            int end = text.indexOf('`', at + 1);
            String inner = text.substring(at + 1, end < 0 ? text.length() : end);
            parts.add(new Substitution(parse(inner, line(), nesting), "`" + inner + "`", quoted));
            at = end < 0 ? text.length() : end + 1;
            return;
        }
        at++;
        if (text.startsWith("((", at)) {
            int start = at;
            skipPast("))");
            parts.add(new Variable("$" + text.substring(start, at), "", quoted));
        } else if (text.startsWith("(", at)) {
            at++;
            parts.add(substitution(')', quoted));
        } else if (text.startsWith("{", at)) {
            int end = brace(at);
            String inner = text.substring(at + 1, end);
            at = Math.min(text.length(), end + 1);
            int name = 0;
            while (name < inner.length()
                    && (Character.isLetterOrDigit(inner.charAt(name)) || inner.charAt(name) == '_')) {
                name++;
            }
            if (name == 0 && !inner.isEmpty() && "@*".indexOf(inner.charAt(0)) >= 0) {
                name = 1;
            }
            parts.add(new Variable(inner.substring(0, name), inner.substring(name), quoted));
        } else {
            int start = at;
            if (at < text.length() && "@*#?$!-0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            } else {
                while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                    at++;
                }
            }
            parts.add(at == start ? new Literal("$", true) : new Variable(text.substring(start, at), "", quoted));
        }
    }

    private int brace(int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return text.length();
    }

    private Part substitution(char end, boolean quoted) {
        int start = at;
        List<Node> nodes = list();
        while (at < text.length() && text.charAt(at) != end) {
            at++;
            nodes.addAll(list());
        }
        String inner = text.substring(start, Math.min(at, text.length()));
        at = Math.min(text.length(), at + 1);
        return new Substitution(nodes, "$(" + inner + ")", quoted);
    }

    // Characters

    private String bare() {
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "_-.:".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return text.substring(start, at);
    }

    /** Skips blanks, comments and continued lines, and with {@code lines} also line ends and semicolons. */
    private void skipSpace(boolean lines) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || c == '\r') {
                at++;
            } else if (c == '\\' && text.startsWith("\n", at + 1)) {
                at += 2;
            } else if (c == '#'
                    && (at == 0 || Character.isWhitespace(text.charAt(at - 1)) || text.charAt(at - 1) == ';')) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (lines && c == '\n') {
                newline();
            } else if (lines && c == ';' && !text.startsWith(";;", at)) {
                at++;
            } else {
                return;
            }
        }
    }

    private int afterBlanks(int start) {
        int end = start;
        while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private void skipPast(String end) {
        int found = text.indexOf(end, at);
        at = found < 0 ? text.length() : found + end.length();
    }
}
