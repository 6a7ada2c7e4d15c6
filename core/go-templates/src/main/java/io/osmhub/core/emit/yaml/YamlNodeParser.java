package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.yaml.YamlNode.Entry;
import io.osmhub.core.emit.yaml.YamlNode.Position;
import io.osmhub.core.emit.yaml.YamlNode.Style;
import io.osmhub.core.emit.yaml.YamlNode.YamlAnchor;
import io.osmhub.core.emit.yaml.YamlNode.YamlMark;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken.Kind;
import io.osmhub.core.golang.GoCallException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the tree of a text's first document. */
final class YamlNodeParser {
    private static final Set<Kind> DOCUMENT_BOUNDS =
            Set.of(Kind.VERSION_DIRECTIVE, Kind.TAG_DIRECTIVE, Kind.DOCUMENT_START, Kind.DOCUMENT_END, Kind.STREAM_END);

    private static final String STANDARD_TAGS = "tag:yaml.org,2002:";

    /** Anchor and tag that stand before a node. */
    private record Properties(YamlMark start, @Nullable YamlAnchor anchor, String tag, boolean present) {}

    private final YamlScanner scanner;
    private final NestingTracker nesting;
    private final Map<String, YamlAnchor> anchors = new HashMap<>();
    private final Map<String, String> tagPrefixes = new HashMap<>();
    private int depth;

    private YamlNodeParser(YamlScanner scanner, NestingTracker nesting) {
        this.scanner = scanner;
        this.nesting = nesting;
    }

    /** The first document; null when there is none. */
    static @Nullable YamlNode parse(String bytes, NestingTracker nesting) throws GoCallException {
        YamlNodeParser parser =
                new YamlNodeParser(new YamlScanner(new YamlCharacterReader(bytes), nesting.maxDepth()), nesting);
        parser.scanner.next();
        return parser.document();
    }

    /** All documents. */
    static List<YamlNode> parseAll(String bytes, NestingTracker nesting) throws GoCallException {
        YamlNodeParser parser =
                new YamlNodeParser(new YamlScanner(new YamlCharacterReader(bytes), nesting.maxDepth()), nesting);
        parser.scanner.next();
        List<YamlNode> documents = new ArrayList<>();
        YamlNode document = parser.document();
        while (document != null) {
            documents.add(document);
            parser.anchors.clear();
            parser.tagPrefixes.clear();
            boolean ended = parser.accept(Kind.DOCUMENT_END);
            while (parser.accept(Kind.DOCUMENT_END)) {
                // Several ends are as good as one.
                ended = true;
            }
            if (!ended && !parser.at(Kind.STREAM_END, Kind.DOCUMENT_START)) {
                YamlToken token = parser.scanner.peek();
                throw YamlMark.parserError(token.start(), token.start(), "did not find expected <document start>");
            }
            document = parser.document();
        }
        return documents;
    }

    private @Nullable YamlNode document() throws GoCallException {
        YamlToken token = scanner.peek();
        if (token.kind() == Kind.STREAM_END) {
            return null;
        }
        YamlNode root;
        if (!DOCUMENT_BOUNDS.contains(token.kind()) || token.kind() == Kind.DOCUMENT_END) {
            root = node(true, false);
        } else {
            directives();
            token = scanner.peek();
            if (token.kind() != Kind.DOCUMENT_START) {
                throw YamlMark.parserError(token.start(), token.start(), "did not find expected <document start>");
            }
            scanner.next();
            token = scanner.peek();
            root = DOCUMENT_BOUNDS.contains(token.kind()) ? empty(token.start()) : node(true, false);
        }
        scanner.peek();
        return root;
    }

    private void directives() throws GoCallException {
        boolean version = false;
        for (YamlToken token = scanner.peek(); ; token = scanner.peek()) {
            if (token.kind() == Kind.VERSION_DIRECTIVE) {
                if (version) {
                    throw YamlMark.parserError(token.start(), token.start(), "found duplicate %YAML directive");
                }
                if (!token.text().equals("1.1")) {
                    throw YamlMark.parserError(token.start(), token.start(), "found incompatible YAML document");
                }
                version = true;
            } else if (token.kind() == Kind.TAG_DIRECTIVE) {
                if (tagPrefixes.putIfAbsent(token.handle(), token.text()) != null) {
                    throw YamlMark.parserError(token.start(), token.start(), "found duplicate %TAG directive");
                }
            } else {
                return;
            }
            scanner.next();
        }
    }

    private static Position position(YamlMark mark) {
        return new Position(mark.line() + 1, mark.column() + 1);
    }

    private static YamlNode empty(YamlMark mark) {
        return new YamlNode.Scalar(position(mark), "!!null", "", Style.PLAIN);
    }

    /** In a block, a list may stand at the indentation of the key it belongs to ({@code indentless}). */
    private YamlNode node(boolean block, boolean indentless) throws GoCallException {
        YamlToken token = scanner.peek();
        nesting.charge(token.text().length());
        if (token.kind() == Kind.ALIAS) {
            scanner.next();
            YamlAnchor anchor = anchors.get(token.text());
            if (anchor == null) {
                throw new GoCallException("yaml: unknown anchor '" + token.text() + "' referenced");
            }
            return new YamlNode.Alias(position(token.start()), token.text(), anchor);
        }
        if (++depth > nesting.maxDepth()) {
            throw new GoCallException("yaml: exceeded max depth of " + nesting.maxDepth());
        }
        Properties properties = properties(token.start());
        YamlNode node = content(properties, block, indentless);
        if (properties.anchor() != null) {
            properties.anchor().resolve(node);
        }
        depth--;
        return node;
    }

    private Properties properties(YamlMark start) throws GoCallException {
        YamlAnchor anchor = null;
        YamlToken tag = null;
        while (true) {
            YamlToken token = scanner.peek();
            if (token.kind() == Kind.ANCHOR && anchor == null) {
                anchor = new YamlAnchor();
                anchors.put(token.text(), anchor);
            } else if (token.kind() == Kind.TAG && tag == null) {
                tag = token;
            } else {
                String name = tag == null ? "" : tag(start, tag);
                return new Properties(start, anchor, name.equals("!") ? "" : name, anchor != null || tag != null);
            }
            scanner.next();
        }
    }

    private String tag(YamlMark start, YamlToken token) throws GoCallException {
        String handle = token.handle();
        String prefix = handle.isEmpty() ? "" : tagPrefixes.get(handle);
        if (prefix == null) {
            switch (handle) {
                case "!" -> prefix = "!";
                case "!!" -> prefix = STANDARD_TAGS;
                default -> throw YamlMark.parserError(start, token.start(), "found undefined tag handle");
            }
        }
        String tag = prefix + token.text();
        return tag.startsWith(STANDARD_TAGS) ? "!!" + tag.substring(STANDARD_TAGS.length()) : tag;
    }

    private YamlNode content(Properties properties, boolean block, boolean indentless) throws GoCallException {
        YamlToken token = scanner.peek();
        Position position = position(properties.start());
        if (indentless && token.kind() == Kind.BLOCK_ENTRY) {
            return new YamlNode.Sequence(position, collectionTag(properties, "!!seq"), indentlessItems());
        }
        switch (token.kind()) {
            case SCALAR -> {
                scanner.next();
                return scalar(position, properties.tag(), token);
            }
            case FLOW_SEQUENCE_START -> {
                return new YamlNode.Sequence(position, collectionTag(properties, "!!seq"), flowItems());
            }
            case FLOW_MAPPING_START -> {
                return new YamlNode.Mapping(position, collectionTag(properties, "!!map"), flowEntries());
            }
            default -> {}
        }
        if (block && token.kind() == Kind.BLOCK_SEQUENCE_START) {
            return new YamlNode.Sequence(position, collectionTag(properties, "!!seq"), blockItems());
        }
        if (block && token.kind() == Kind.BLOCK_MAPPING_START) {
            return new YamlNode.Mapping(position, collectionTag(properties, "!!map"), blockEntries());
        }
        if (properties.present()) {
            return new YamlNode.Scalar(
                    position, properties.tag().isEmpty() ? "!!null" : properties.tag(), "", Style.PLAIN);
        }
        throw YamlMark.parserError(properties.start(), token.start(), "did not find expected node content");
    }

    private static String collectionTag(Properties properties, String standard) {
        return properties.tag().isEmpty() ? standard : properties.tag();
    }

    private static YamlNode scalar(Position position, String explicitTag, YamlToken token) {
        String tag = explicitTag;
        if (tag.isEmpty()) {
            if (token.style() != Style.PLAIN) {
                tag = "!!str";
            } else {
                tag = token.text().equals("<<") ? "!!merge" : ImplicitTagResolver.resolveTag(token.text());
            }
        }
        return new YamlNode.Scalar(position, tag, token.text(), token.style());
    }

    /** Whether the next token is one of these. */
    private boolean at(Kind... kinds) throws GoCallException {
        Kind next = scanner.peek().kind();
        for (Kind kind : kinds) {
            if (next == kind) {
                return true;
            }
        }
        return false;
    }

    /** Takes the next token if it is of that kind. */
    private boolean accept(Kind kind) throws GoCallException {
        boolean accepted = at(kind);
        if (accepted) {
            scanner.next();
        }
        return accepted;
    }

    private GoCallException expected(YamlMark context, String what) throws GoCallException {
        return YamlMark.parserError(context, scanner.peek().start(), "did not find expected " + what);
    }

    private List<YamlNode> blockItems() throws GoCallException {
        YamlMark start = scanner.next().start();
        List<YamlNode> items = new ArrayList<>();
        while (at(Kind.BLOCK_ENTRY)) {
            YamlMark end = scanner.next().end();
            items.add(at(Kind.BLOCK_ENTRY, Kind.BLOCK_END) ? empty(end) : node(true, false));
        }
        if (!accept(Kind.BLOCK_END)) {
            throw expected(start, "'-' indicator");
        }
        return items;
    }

    private List<YamlNode> indentlessItems() throws GoCallException {
        List<YamlNode> items = new ArrayList<>();
        while (at(Kind.BLOCK_ENTRY)) {
            YamlMark end = scanner.next().end();
            boolean none = at(Kind.BLOCK_ENTRY, Kind.KEY, Kind.VALUE, Kind.BLOCK_END);
            items.add(none ? empty(end) : node(true, false));
        }
        return items;
    }

    private List<Entry> blockEntries() throws GoCallException {
        YamlMark start = scanner.next().start();
        List<Entry> entries = new ArrayList<>();
        while (at(Kind.KEY)) {
            YamlMark end = scanner.next().end();
            YamlNode key = at(Kind.KEY, Kind.VALUE, Kind.BLOCK_END) ? empty(end) : node(true, true);
            YamlNode value;
            if (at(Kind.VALUE)) {
                end = scanner.next().end();
                value = at(Kind.KEY, Kind.VALUE, Kind.BLOCK_END) ? empty(end) : node(true, true);
            } else {
                value = empty(scanner.peek().start());
            }
            entries.add(new Entry(key, value));
        }
        if (!accept(Kind.BLOCK_END)) {
            throw expected(start, "key");
        }
        return entries;
    }

    private List<YamlNode> flowItems() throws GoCallException {
        YamlMark start = scanner.next().start();
        List<YamlNode> items = new ArrayList<>();
        while (!at(Kind.FLOW_SEQUENCE_END)) {
            if (!items.isEmpty() && !accept(Kind.FLOW_ENTRY)) {
                throw expected(start, "',' or ']'");
            }
            if (at(Kind.KEY)) {
                items.add(pair());
            } else if (!at(Kind.FLOW_SEQUENCE_END)) {
                items.add(node(false, false));
            }
        }
        scanner.next();
        return items;
    }

    /** A mapping of one entry, written within a list without braces. */
    private YamlNode pair() throws GoCallException {
        YamlToken keyToken = scanner.next();
        YamlNode key;
        if (at(Kind.VALUE, Kind.FLOW_ENTRY, Kind.FLOW_SEQUENCE_END)) {
            key = empty(scanner.next().end()); // the Go library drops this token too
        } else {
            key = node(false, false);
        }
        YamlNode value = null;
        if (accept(Kind.VALUE) && !at(Kind.FLOW_ENTRY, Kind.FLOW_SEQUENCE_END)) {
            value = node(false, false);
        }
        return new YamlNode.Mapping(
                position(keyToken.start()),
                "!!map",
                List.of(new Entry(key, value == null ? empty(scanner.peek().start()) : value)));
    }

    private List<Entry> flowEntries() throws GoCallException {
        YamlMark start = scanner.next().start();
        List<Entry> entries = new ArrayList<>();
        while (!at(Kind.FLOW_MAPPING_END)) {
            if (!entries.isEmpty() && !accept(Kind.FLOW_ENTRY)) {
                throw expected(start, "',' or '}'");
            }
            if (accept(Kind.KEY)) {
                boolean none = at(Kind.VALUE, Kind.FLOW_ENTRY, Kind.FLOW_MAPPING_END);
                YamlNode key = none ? empty(scanner.peek().start()) : node(false, false);
                YamlNode value = null;
                if (accept(Kind.VALUE) && !at(Kind.FLOW_ENTRY, Kind.FLOW_MAPPING_END)) {
                    value = node(false, false);
                }
                entries.add(new Entry(key, value == null ? empty(scanner.peek().start()) : value));
            } else if (!at(Kind.FLOW_MAPPING_END)) {
                YamlNode key = node(false, false);
                entries.add(new Entry(key, empty(scanner.peek().start())));
            }
        }
        scanner.next();
        return entries;
    }
}
