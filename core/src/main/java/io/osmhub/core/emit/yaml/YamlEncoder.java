package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.yaml.SigsYamlEncoder.NaturalKeyOrder;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import java.util.List;
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
}
