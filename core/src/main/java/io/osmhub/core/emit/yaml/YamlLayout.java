package io.osmhub.core.emit.yaml;

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
