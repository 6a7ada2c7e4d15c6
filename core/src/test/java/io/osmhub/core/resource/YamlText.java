package io.osmhub.core.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.RepresentToNode;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/** YAML between files and JSON trees, for tests and for the generator of manifests. */
public final class YamlText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private YamlText() {}

    /** The documents of a file on the test class path. */
    public static List<JsonNode> documents(String resource) {
        return parse(text(resource));
    }

    public static String text(String resource) {
        try (InputStream in = YamlText.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Documents of a text, in order. */
    public static List<JsonNode> parse(String yaml) {
        List<JsonNode> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(yaml)
                .forEach(document -> documents.add(JSON.valueToTree(document)));
        return documents;
    }

    /** Block style, one line for a text, however long. */
    public static String write(JsonNode node) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSplitLines(false)
                .setIndicatorIndent(2)
                .setIndentWithIndicator(true)
                .build();
        return new Dump(settings, new CarefulRepresenter(settings)).dumpToString(JSON.convertValue(node, Map.class));
    }

    /** Quotes what a reader of YAML 1.1, as kubectl is, would take for a boolean. */
    private static final class CarefulRepresenter extends StandardRepresenter {
        private static final Pattern BOOLEAN =
                Pattern.compile("y|n|yes|no|on|off|true|false", Pattern.CASE_INSENSITIVE);

        CarefulRepresenter(DumpSettings settings) {
            super(settings);
            RepresentToNode plain = Objects.requireNonNull(representers.get(String.class));
            representers.put(
                    String.class,
                    data -> BOOLEAN.matcher((String) data).matches()
                            ? representScalar(Tag.STR, (String) data, ScalarStyle.SINGLE_QUOTED)
                            : plain.representData(data));
        }
    }
}
