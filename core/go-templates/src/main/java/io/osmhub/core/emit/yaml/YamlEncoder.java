package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextMarshaling;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.yaml.SigsYamlEncoder.NaturalKeyOrder;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Entry;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Mapping;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Scalar;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Sequence;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Style;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoComplex;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoOpaque;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes values as Go's {@code yaml.v3} does: levels of four columns, keys in natural order, nothing folded. */
public final class YamlEncoder {
    private YamlEncoder() {}

    /** The document with a line break at its end; bytes as chars. */
    public static String marshal(GoValue value) throws GoCallException {
        return marshal(value, null);
    }

    /**
     * The same, charged to {@code environment}.
     *
     * @throws GoCallException for functions and complex numbers, where the Go library panics
     */
    public static String marshal(GoValue value, @Nullable ExecutionEnvironment environment) throws GoCallException {
        return write(YamlLayout.V3, new YamlTreeBuilder(NaturalKeyOrder.V3, environment).buildTree(value));
    }

    static String write(YamlLayout dialect, YamlTree tree) {
        StringBuilder out = new StringBuilder();
        new YamlBlockWriter(dialect, out).writeDocument(tree);
        return out.toString();
    }

    /** A document that is to be written: what the styles and the layout are decided from. */
    sealed interface YamlTree {
        /** How a scalar is to be written if its text and its place allow it. */
        enum Style {
            PLAIN,
            DOUBLE_QUOTED,
            LITERAL
        }

        /** {@code text} is valid UTF-8; with {@code binary} it is base64 and tagged as such. */
        record Scalar(String text, Style style, boolean binary) implements YamlTree {
            static Scalar plain(String text) {
                return new Scalar(text, Style.PLAIN, false);
            }
        }

        record Sequence(List<YamlTree> items) implements YamlTree {}

        record Mapping(List<Entry> entries) implements YamlTree {}

        record Entry(YamlTree key, YamlTree value) {}
    }

    /**
     * The layouts of the two libraries.
     *
     * @param indent columns of one level
     * @param width column after which a line is folded at the next blank
     * @param listsUnderKeys whether a list that is a map's value is indented below its key
     * @param aligned whether levels stand at multiples of {@code indent}, and two columns further inside of a list item
     * @param tabsInBlocks whether text with tabs may be written as a block
     * @param breakAfterHeader whether a block begins on a separate line even when its text begins with a line break; without, that
     *     break is lost
     */
    record YamlLayout(
            int indent,
            int width,
            boolean listsUnderKeys,
            boolean aligned,
            boolean tabsInBlocks,
            boolean breakAfterHeader) {
        /** {@code gopkg.in/yaml.v3}. */
        static final YamlLayout V3 = new YamlLayout(4, Integer.MAX_VALUE, true, true, true, false);
        /** The version 2 that {@code sigs.k8s.io/yaml} uses. */
        static final YamlLayout V2 = new YamlLayout(2, 80, false, false, false, true);
    }

    /** Turns a value into the tree that is written. */
    static final class YamlTreeBuilder {
        private static final Scalar NULL = Scalar.plain("null");
        private static final Scalar TRUE = Scalar.plain("true");
        private static final Scalar FALSE = Scalar.plain("false");

        /** Lines of base64, as the Go library breaks them. */
        private static final int BASE64_LINE = 70;

        private final NaturalKeyOrder keyOrder;
        private final NestingTracker nesting;

        YamlTreeBuilder(NaturalKeyOrder keyOrder, @Nullable ExecutionEnvironment environment) {
            this.keyOrder = keyOrder;
            this.nesting = new NestingTracker(environment);
        }

        /** @throws GoCallException for functions and complex numbers */
        YamlTree buildTree(GoValue value) throws GoCallException {
            String text = TextMarshaling.marshalText(value);
            if (text != null) {
                return TextMarshaling.isTime(value) ? plain(text) : string(text);
            }
            return switch (value) {
                case GoNoValue a -> NULL;
                case GoNil n -> NULL;
                case GoBool bool -> bool.value() ? TRUE : FALSE;
                case GoInt integer -> plain(TextMarshaling.formatDecimal(integer));
                case GoFloat number -> plain(number(number));
                case GoString string -> string(string.bytes());
                case GoSlice slice -> sequence(slice);
                case GoMap map -> mapping(map);
                case GoStruct struct -> mapping(struct);
                case GoOpaque opaque -> new Mapping(List.of());
                case GoPointer pointer -> pointer(pointer);
                case GoComplex complex -> throw cannotMarshal(complex.type());
                case GoFunction function -> throw cannotMarshal(function.type());
            };
        }

        private static GoCallException cannotMarshal(GoType type) {
            return new GoCallException("cannot marshal type: " + type);
        }

        private Scalar plain(String text) {
            nesting.charge(text.length());
            return Scalar.plain(text);
        }

        private static String number(GoFloat number) {
            double value = number.value();
            if (Double.isNaN(value)) {
                return ".nan";
            }
            if (Double.isInfinite(value)) {
                return value > 0 ? ".inf" : "-.inf";
            }
            return GoNumbers.formatFloat(value, 'g', -1, number.kind().bits());
        }

        private Scalar string(String bytes) {
            nesting.charge(2 * bytes.length());
            boolean binary = !Utf8Bytes.isValid(bytes);
            String text = binary ? base64(bytes) : bytes;
            if (text.indexOf('\n') >= 0) {
                return new Scalar(text, Style.LITERAL, binary);
            }
            boolean quoted = !binary && ImplicitTagResolver.isNonString(text);
            return new Scalar(text, quoted ? Style.DOUBLE_QUOTED : Style.PLAIN, binary);
        }

        private static String base64(String bytes) {
            String text = new String(
                    Base64.getEncoder().encode(bytes.getBytes(StandardCharsets.ISO_8859_1)),
                    StandardCharsets.ISO_8859_1);
            if (text.length() <= BASE64_LINE) {
                return text;
            }
            StringBuilder lines = new StringBuilder(text.length() + text.length() / BASE64_LINE + 1);
            for (int i = 0; i < text.length(); i += BASE64_LINE) {
                lines.append(text, i, Math.min(i + BASE64_LINE, text.length())).append('\n');
            }
            return lines.toString();
        }

        private YamlTree sequence(GoSlice slice) throws GoCallException {
            enter(slice.elements());
            List<YamlTree> items = new ArrayList<>(slice.length());
            for (GoValue item : slice.elements()) {
                items.add(buildTree(item));
            }
            nesting.leave();
            return new Sequence(items);
        }

        private YamlTree mapping(GoMap map) throws GoCallException {
            enter(map.elements());
            List<Map.Entry<GoValue, GoValue>> sorted =
                    new ArrayList<>(map.elements().entrySet());
            sorted.sort(Map.Entry.comparingByKey(keyOrder));
            List<Entry> entries = new ArrayList<>(sorted.size());
            for (Map.Entry<GoValue, GoValue> entry : sorted) {
                entries.add(new Entry(buildTree(entry.getKey()), buildTree(entry.getValue())));
            }
            nesting.leave();
            return new Mapping(entries);
        }

        private YamlTree mapping(GoStruct struct) throws GoCallException {
            enter(struct);
            List<GoType.Field> fields = struct.type().fields();
            List<Entry> entries = new ArrayList<>(fields.size());
            Set<String> keys = new HashSet<>();
            for (int i = 0; i < fields.size(); i++) {
                String name = fields.get(i).name();
                if (fields.get(i).embedded()) {
                    // yaml.v3 has no test for this and panics; templates see the panic as an error of toYaml.
                    throw new GoCallException(
                            "reflect.Value.Interface: cannot return value obtained from unexported field or method");
                }
                if (!Character.isUpperCase(name.charAt(0))) {
                    continue;
                }
                String key = GoString.bytes(name.toLowerCase(Locale.ROOT));
                if (!keys.add(key)) {
                    throw new GoCallException("duplicated key '" + key + "' in struct " + struct.type());
                }
                entries.add(new Entry(string(key), buildTree(struct.field(i))));
            }
            nesting.leave();
            return new Mapping(entries);
        }

        private YamlTree pointer(GoPointer pointer) throws GoCallException {
            GoValue target = pointer.target();
            if (target == null) {
                return NULL;
            }
            enter(pointer);
            YamlTree tree = buildTree(target);
            nesting.leave();
            return tree;
        }

        private void enter(Object container) {
            if (!nesting.enter(container)) {
                throw nesting.newLimitException();
            }
        }
    }
}
