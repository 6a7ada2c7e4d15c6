package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.FunctionReference;
import io.osmhub.core.template.FunctionReference.Language;
import io.osmhub.core.template.FunctionReference.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The helpers by name: those that compute values and the four that control blocks. Immutable. */
final class HelperTable {
    private final Map<String, HelperDefinition> helpers;
    private final Map<String, BlockHelper> blocks;
    private final Map<String, String> families;
    private final Set<String> names;

    private HelperTable(
            Map<String, HelperDefinition> helpers, Map<String, BlockHelper> blocks, Map<String, String> families) {
        this.helpers = Map.copyOf(helpers);
        this.blocks = Map.copyOf(blocks);
        this.families = Map.copyOf(families);
        Set<String> all = new TreeSet<>(helpers.keySet());
        all.addAll(blocks.keySet());
        this.names = Collections.unmodifiableSet(all);
    }

    @Nullable HelperDefinition helper(String name) {
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
            HelperDefinition helper = helpers.get(name);
            BlockHelper block = blocks.get(name);
            if (helper != null) {
                String signature = (name + " " + helper.signature()).strip();
                reference.add(
                        entry(name, Origin.HUB, signature, helper.description(), helper.example(), helper.result()));
            } else if (block != null) {
                reference.add(entry(
                        name,
                        Origin.HANDLEBARS,
                        block.signature(),
                        block.description(),
                        block.example(),
                        block.result()));
            }
        }
        return List.copyOf(reference);
    }

    private FunctionReference entry(
            String name, Origin origin, String signature, String description, String example, String result) {
        String family = families.getOrDefault(name, "");
        return new FunctionReference(
                name, Language.HANDLEBARS, origin, family, signature, description, example, result, true, false);
    }

    /** Collects helpers with unique names. */
    static final class Builder {
        private final Map<String, HelperDefinition> helpers = new LinkedHashMap<>();
        private final Map<String, BlockHelper> blocks = new LinkedHashMap<>();
        private final Map<String, String> families = new LinkedHashMap<>();
        private String family = "";

        /** Sets the family of the helpers that are added next. */
        Builder family(String next) {
            family = next;
            return this;
        }

        Builder add(HelperDefinition helper) {
            if (helpers.put(helper.name(), helper) != null) {
                throw new IllegalArgumentException("two helpers named " + helper.name());
            }
            families.put(helper.name(), family);
            return this;
        }

        Builder add(BlockHelper block) {
            blocks.put(block.helperName(), block);
            families.put(block.helperName(), family);
            return this;
        }

        HelperTable build() {
            return new HelperTable(helpers, blocks, families);
        }
    }
}
