package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.DecodeResult;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.yaml.YamlNode.Entry;
import io.osmhub.core.emit.yaml.YamlNode.Style;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the first document of a text as Go's {@code yaml.v3} does. All text is bytes as chars. */
public final class YamlDecoder {
    private YamlDecoder() {}

    /**
     * The document as an {@code any}; nil for a text without one.
     *
     * @throws GoCallException with the Go library's words for what it refuses
     */
    public static GoValue decode(String bytes) throws GoCallException {
        return decode(bytes, null);
    }

    /** The same, charged to {@code environment}. */
    public static GoValue decode(String bytes, @Nullable ExecutionEnvironment environment) throws GoCallException {
        NestingTracker nesting = new NestingTracker(environment);
        YamlNode root = YamlNodeParser.parse(bytes, nesting);
        if (root == null) {
            return GoNil.ANY;
        }
        YamlNodeDecoder values = new YamlNodeDecoder(nesting);
        GoValue value = values.decodeAny(root);
        String error = values.error();
        if (error != null) {
            throw new GoCallException(error);
        }
        return value;
    }

    /** The document as a {@code map[string]interface {}}; beside an error, with the entries that could be read. */
    public static DecodeResult decodeMap(String bytes, @Nullable ExecutionEnvironment environment) {
        Map<GoValue, GoValue> entries = new HashMap<>();
        return decodeInto(
                GoMap.of(entries),
                new GoMap(GoType.DICT, null),
                (values, root) -> values.decodeMap(root, entries),
                bytes,
                environment);
    }

    /** The document as a {@code []interface {}}; beside an error, with the items that could be read. */
    public static DecodeResult decodeList(String bytes, @Nullable ExecutionEnvironment environment) {
        List<GoValue> items = new ArrayList<>();
        return decodeInto(
                GoSlice.of(items),
                new GoSlice(GoType.LIST, null),
                (values, root) -> values.decodeList(root, items),
                bytes,
                environment);
    }

    /** Puts a document's parts where they belong; says whether the document is something else than nil. */
    @FunctionalInterface
    private interface Filler {
        boolean fill(YamlNodeDecoder values, YamlNode root) throws GoCallException;
    }

    private static DecodeResult decodeInto(
            GoValue target, GoValue nil, Filler filler, String bytes, @Nullable ExecutionEnvironment environment) {
        try {
            NestingTracker nesting = new NestingTracker(environment);
            YamlNode root = YamlNodeParser.parse(bytes, nesting);
            if (root == null) {
                return new DecodeResult(target, null);
            }
            YamlNodeDecoder values = new YamlNodeDecoder(nesting);
            boolean some = filler.fill(values, root);
            return new DecodeResult(some ? target : nil, values.error());
        } catch (GoCallException e) {
            return new DecodeResult(target, e.text());
        }
    }

    /**
     * The document's tree, within the limits of {@link NestingTracker#ofDocument}; null for a text without one.
     *
     * @throws GoCallException with the Go library's words when the text is not YAML
     * @throws LimitExceededException for more parts than a document may have
     */
    public static @Nullable YamlNode parse(String bytes) throws GoCallException {
        return YamlNodeParser.parse(bytes, NestingTracker.ofDocument());
    }

    /**
     * Turns a document's tree into values.
     *
     * <p>Two kinds of errors: those that end it, thrown; and those about the type of a part, which are collected while the rest goes
     * on, and for which a method gives null instead of a value.
     */
    private static final class YamlNodeDecoder {
        private static final GoType ANY_MAP = GoType.mapOf(GoType.ANY, GoType.ANY);

        /** Below so many nodes nearly all of them may come from aliases; above the other number only a tenth. */
        private static final double FEW_NODES = 400_000;

        private static final double MANY_NODES = 4_000_000;

        private final NestingTracker nesting;
        private final List<String> typeErrors = new ArrayList<>();
        private final Set<YamlNode.Alias> active = Collections.newSetFromMap(new IdentityHashMap<>());
        private int nodes;
        private int aliasedNodes;
        /** While maps are merged: the keys that are taken. */
        private @Nullable Set<GoValue> taken;

        YamlNodeDecoder(NestingTracker nesting) {
            this.nesting = nesting;
        }

        /** What is wrong with parts of the document; null when nothing is. */
        @Nullable String error() {
            return typeErrors.isEmpty() ? null : "yaml: unmarshal errors:\n  " + String.join("\n  ", typeErrors);
        }

        /** The document as an {@code any}; nil where nothing of it fits. */
        GoValue decodeAny(YamlNode root) throws GoCallException {
            GoValue value = value(root);
            return value == null ? GoNil.ANY : value;
        }

        /** The document's entries put into a map with string keys; false when the document is nil. */
        boolean decodeMap(YamlNode root, Map<GoValue, GoValue> target) throws GoCallException {
            count();
            switch (root) {
                case YamlNode.Mapping mapping -> entries(mapping, target, true);
                case YamlNode.Scalar scalar -> {
                    if (resolve(scalar) instanceof GoNil) {
                        return false;
                    }
                    mismatch(scalar, GoType.DICT);
                }
                case YamlNode.Sequence sequence -> mismatch(sequence, GoType.DICT);
                case YamlNode.Alias alias ->
                    throw new IllegalArgumentException("an alias cannot be a document: " + alias);
            }
            return true;
        }

        /** The document's items put into a list; false when the document is nil. */
        boolean decodeList(YamlNode root, List<GoValue> target) throws GoCallException {
            count();
            switch (root) {
                case YamlNode.Sequence sequence -> target.addAll(items(sequence));
                case YamlNode.Scalar scalar -> {
                    if (resolve(scalar) instanceof GoNil) {
                        return false;
                    }
                    mismatch(scalar, GoType.LIST);
                }
                case YamlNode.Mapping mapping -> mismatch(mapping, GoType.LIST);
                case YamlNode.Alias alias ->
                    throw new IllegalArgumentException("an alias cannot be a document: " + alias);
            }
            return true;
        }

        private void count() throws GoCallException {
            nesting.charge(0);
            nodes++;
            if (!active.isEmpty()) {
                aliasedNodes++;
            }
            if (aliasedNodes > 100 && nodes > 1000 && (double) aliasedNodes / nodes > allowedAliasRatio()) {
                throw new GoCallException("yaml: document contains excessive aliasing");
            }
        }

        private double allowedAliasRatio() {
            double place = Math.clamp((nodes - FEW_NODES) / (MANY_NODES - FEW_NODES), 0.0, 1.0);
            return 0.99 - 0.89 * place;
        }

        private @Nullable GoValue value(YamlNode node) throws GoCallException {
            count();
            return switch (node) {
                case YamlNode.Scalar scalar -> resolve(scalar);
                case YamlNode.Sequence sequence -> GoSlice.of(items(sequence));
                case YamlNode.Mapping mapping -> mapping(mapping);
                case YamlNode.Alias alias -> {
                    enterAlias(alias);
                    GoValue value = value(alias.anchor().node());
                    leaveAlias(alias);
                    yield value;
                }
            };
        }

        private void enterAlias(YamlNode.Alias alias) throws GoCallException {
            if (!active.add(alias)) {
                throw new GoCallException("yaml: anchor '" + alias.name() + "' value contains itself");
            }
            if (!nesting.enter(alias)) {
                throw nesting.newLimitException();
            }
        }

        private void leaveAlias(YamlNode.Alias alias) {
            active.remove(alias);
            nesting.leave();
        }

        private static boolean isText(YamlNode.Scalar scalar) {
            return scalar.tag().equals("!!str") || (scalar.tag().isEmpty() && scalar.style() != Style.PLAIN);
        }

        private GoValue resolve(YamlNode.Scalar scalar) throws GoCallException {
            nesting.charge(scalar.text().length());
            return isText(scalar)
                    ? GoString.ofBytes(scalar.text())
                    : ImplicitTagResolver.resolve(scalar.tag(), scalar.text());
        }

        private List<GoValue> items(YamlNode.Sequence sequence) throws GoCallException {
            enter(sequence);
            List<GoValue> items = new ArrayList<>(sequence.items().size());
            for (YamlNode item : sequence.items()) {
                GoValue value = value(item);
                if (value != null) {
                    items.add(value);
                }
            }
            nesting.leave();
            return items;
        }

        private @Nullable GoValue mapping(YamlNode.Mapping mapping) throws GoCallException {
            if (hasEqualKeys(mapping)) {
                return null;
            }
            boolean stringKeys = true;
            for (Entry entry : mapping.entries()) {
                String tag = entry.key().tag();
                stringKeys &= tag.equals("!!str") || tag.equals("!!merge");
            }
            Map<GoValue, GoValue> target = new HashMap<>();
            fill(mapping, target, stringKeys);
            return new GoMap(stringKeys ? GoType.DICT : ANY_MAP, target);
        }

        private void entries(YamlNode.Mapping mapping, Map<GoValue, GoValue> target, boolean stringKeys)
                throws GoCallException {
            if (!hasEqualKeys(mapping)) {
                fill(mapping, target, stringKeys);
            }
        }

        private void fill(YamlNode.Mapping mapping, Map<GoValue, GoValue> target, boolean stringKeys)
                throws GoCallException {
            enter(mapping);
            Set<GoValue> takenHere = taken;
            taken = null;
            YamlNode merge = null;
            for (Entry entry : mapping.entries()) {
                if (isMerge(entry.key())) {
                    merge = entry.value();
                    continue;
                }
                GoValue key = stringKeys ? stringKey(entry.key()) : value(entry.key());
                if (key == null || (takenHere != null && !takenHere.add(key))) {
                    continue;
                }
                if (key instanceof GoMap || key instanceof GoSlice) {
                    throw new GoCallException("yaml: invalid map key: " + GoPrint.sprintf("%#v", List.of(key)));
                }
                GoValue value = value(entry.value());
                if (value != null) {
                    target.put(key, value);
                }
            }
            taken = takenHere;
            if (merge != null) {
                merge(mapping, merge, target, stringKeys);
            }
            nesting.leave();
        }

        private static boolean isMerge(YamlNode key) {
            return key instanceof YamlNode.Scalar scalar
                    && scalar.text().equals("<<")
                    && (scalar.tag().isEmpty() || scalar.tag().equals("!!merge"));
        }

        /** What was written in the map itself wins over what is merged, and the first map merged over later ones. */
        private void merge(YamlNode.Mapping parent, YamlNode merge, Map<GoValue, GoValue> target, boolean stringKeys)
                throws GoCallException {
            Set<GoValue> takenHere = taken;
            if (takenHere == null) {
                taken = new HashSet<>();
                for (Entry entry : parent.entries()) {
                    GoValue key = value(entry.key());
                    if (key != null && taken != null) {
                        taken.add(key);
                    }
                }
            }
            if (merge instanceof YamlNode.Sequence sequence) {
                for (YamlNode item : sequence.items()) {
                    mergeOne(item, target, stringKeys);
                }
            } else {
                mergeOne(merge, target, stringKeys);
            }
            taken = takenHere;
        }

        private void mergeOne(YamlNode node, Map<GoValue, GoValue> target, boolean stringKeys) throws GoCallException {
            count();
            switch (node) {
                case YamlNode.Mapping mapping -> entries(mapping, target, stringKeys);
                case YamlNode.Alias alias
                when alias.anchor().node() instanceof YamlNode.Mapping mapping -> {
                    enterAlias(alias);
                    count();
                    entries(mapping, target, stringKeys);
                    leaveAlias(alias);
                }
                case YamlNode.Alias a -> throw wantsMap();
                case YamlNode.Scalar s -> throw wantsMap();
                case YamlNode.Sequence s -> throw wantsMap();
            }
        }

        private static GoCallException wantsMap() {
            return new GoCallException("yaml: map merge requires map or sequence of maps as the value");
        }

        /** The key as text, as written; null for nil and for collections. */
        private @Nullable GoValue stringKey(YamlNode key) throws GoCallException {
            count();
            return switch (key) {
                case YamlNode.Scalar scalar -> {
                    GoValue value = resolve(scalar);
                    if (value instanceof GoNil) {
                        yield null;
                    }
                    yield scalar.tag().equals("!!binary") ? value : GoString.ofBytes(scalar.text());
                }
                case YamlNode.Sequence sequence -> mismatch(sequence, GoType.STRING);
                case YamlNode.Mapping mapping -> hasEqualKeys(mapping) ? null : mismatch(mapping, GoType.STRING);
                case YamlNode.Alias alias -> {
                    enterAlias(alias);
                    GoValue value = stringKey(alias.anchor().node());
                    leaveAlias(alias);
                    yield value;
                }
            };
        }

        /** Looks for keys of the same kind and text; those that are collections count as having an empty text. */
        private boolean hasEqualKeys(YamlNode.Mapping mapping) {
            Map<String, List<YamlNode>> seen = new HashMap<>();
            boolean found = false;
            for (Entry entry : mapping.entries()) {
                List<YamlNode> same = seen.computeIfAbsent(identity(entry.key()), key -> new ArrayList<>(1));
                found |= !same.isEmpty();
                same.add(entry.key());
            }
            if (found) {
                for (Entry entry : mapping.entries()) {
                    List<YamlNode> same = seen.getOrDefault(identity(entry.key()), List.of());
                    reportEqual(same.subList(same.indexOf(entry.key()), same.size()));
                }
            }
            return found;
        }

        private void reportEqual(List<YamlNode> keys) {
            YamlNode first = keys.getFirst();
            for (YamlNode other : keys.subList(1, keys.size())) {
                nesting.charge(64);
                typeErrors.add("line " + other.position().line() + ": mapping key " + GoQuote.quote(text(other))
                        + " already defined at line " + first.position().line());
            }
        }

        private static String text(YamlNode node) {
            return switch (node) {
                case YamlNode.Scalar scalar -> scalar.text();
                case YamlNode.Alias alias -> alias.name();
                case YamlNode.Sequence s -> "";
                case YamlNode.Mapping m -> "";
            };
        }

        private static String identity(YamlNode node) {
            return node.getClass().getSimpleName() + " " + text(node);
        }

        /** Notes that a node has another type than the one wanted; gives null for a value. */
        private @Nullable GoValue mismatch(YamlNode node, GoType wanted) {
            String text = "";
            if (node instanceof YamlNode.Scalar scalar) {
                boolean isLong = scalar.text().length() > 10;
                text = " `" + (isLong ? scalar.text().substring(0, 7) + "..." : scalar.text()) + "`";
            }
            typeErrors.add(
                    "line " + node.position().line() + ": cannot unmarshal " + node.tag() + text + " into " + wanted);
            return null;
        }

        private void enter(YamlNode node) {
            if (!nesting.enter(node)) {
                throw nesting.newLimitException();
            }
        }
    }
}
