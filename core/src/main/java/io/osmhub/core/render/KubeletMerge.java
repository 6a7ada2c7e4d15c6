package io.osmhub.core.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.document.YamlException;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Merges an extension's values into a KubeletConfiguration by RFC 7396. Remembers the last results: reading and writing YAML takes longer
 * than the rest of a rendering, and most MachineDeployments of a profile have the same configuration. Thread-safe.
 */
final class KubeletMerge {
    private static final int REMEMBERED = 64;
    /** A usual configuration has 3,000 characters; longer ones would need too much memory. */
    private static final int LONGEST_REMEMBERED = 16_384;

    /** Merged texts by text and changes. */
    private static final Map<List<Object>, String> MERGED =
            Collections.synchronizedMap(CompiledProfileCache.keepMostRecentlyUsed(REMEMBERED));

    private KubeletMerge() {}

    static boolean isConfiguration(String data) {
        return data.contains("KubeletConfiguration")
                && data.lines()
                        .anyMatch(line -> line.startsWith("kind:") && KubeletConfigRules.appliesTo(line.strip()));
    }

    /**
     * The merged text, with sorted keys.
     *
     * @throws IllegalArgumentException if {@code text} is not one YAML object
     */
    static String merge(String text, ObjectNode changes) {
        List<Object> key = List.of(text, changes);
        String known = MERGED.get(key);
        if (known != null) {
            return known;
        }
        String merged = mergeUnknown(text, changes);
        if (merged.length() <= LONGEST_REMEMBERED && text.length() <= LONGEST_REMEMBERED) {
            MERGED.put(key, merged);
        }
        return merged;
    }

    private static String mergeUnknown(String text, ObjectNode changes) {
        try {
            List<DocumentNode> documents = YamlDocumentReader.parse(text);
            if (documents.size() != 1 || !(SourceDocument.json(documents.getFirst()) instanceof ObjectNode target)) {
                throw new IllegalArgumentException("not one object");
            }
            apply(target, changes);
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(target.toString())));
        } catch (YamlException | GoCallException e) {
            // The message quotes the text, which may hold a credential.
            throw new IllegalArgumentException("not YAML");
        }
    }

    private static void apply(ObjectNode target, ObjectNode changes) {
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            JsonNode value = change.getValue();
            if (value.isNull()) {
                target.remove(change.getKey());
            } else if (value instanceof ObjectNode inner) {
                ObjectNode into = target.get(change.getKey()) instanceof ObjectNode known
                        ? known
                        : target.putObject(change.getKey());
                apply(into, inner);
            } else {
                target.set(change.getKey(), value);
            }
        }
    }
}
