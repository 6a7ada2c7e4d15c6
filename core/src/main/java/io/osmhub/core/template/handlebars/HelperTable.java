package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.FunctionReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The helpers by name, those that make values and the four that control blocks. Immutable. */
final class HelperTable {
    private final Map<String, Helper> helpers;
    private final Map<String, BlockHelper> blocks;
    private final Set<String> names;

    private HelperTable(Map<String, Helper> helpers, Map<String, BlockHelper> blocks) {
        this.helpers = Map.copyOf(helpers);
        this.blocks = Map.copyOf(blocks);
        Set<String> all = new TreeSet<>(helpers.keySet());
        all.addAll(blocks.keySet());
        this.names = Collections.unmodifiableSet(all);
    }

    @Nullable Helper helper(String name) {
        return helpers.get(name);
    }

    @Nullable BlockHelper block(String name) {
        return blocks.get(name);
    }

    /** All names, sorted. */
    Set<String> names() {
        return names;
    }

    List<FunctionReference> reference() {
        List<FunctionReference> reference = new ArrayList<>();
        for (String name : names) {
            Helper helper = helpers.get(name);
            BlockHelper block = blocks.get(name);
            if (helper != null) {
                reference.add(entry(
                        name,
                        (name + " " + helper.signature()).strip(),
                        helper.description(),
                        helper.example(),
                        helper.result()));
            } else if (block != null) {
                reference.add(entry(name, block.signature(), block.description(), block.example(), block.result()));
            }
        }
        return List.copyOf(reference);
    }

    private static FunctionReference entry(
            String name, String signature, String description, String example, String result) {
        return new FunctionReference(
                name, FunctionReference.Language.HANDLEBARS, signature, description, example, result, true);
    }

    /** Collects helpers; each name once. */
    static final class Builder {
        private final Map<String, Helper> helpers = new LinkedHashMap<>();
        private final Map<String, BlockHelper> blocks = new LinkedHashMap<>();

        Builder add(Helper helper) {
            if (helpers.put(helper.name(), helper) != null) {
                throw new IllegalArgumentException("two helpers named " + helper.name());
            }
            return this;
        }

        Builder add(BlockHelper block) {
            blocks.put(block.word(), block);
            return this;
        }

        HelperTable build() {
            return new HelperTable(helpers, blocks);
        }
    }
}
