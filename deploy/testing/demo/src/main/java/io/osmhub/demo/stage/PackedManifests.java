package io.osmhub.demo.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifests packaged with the demo: those of deploy/packaging/manifests and docs/examples, and the default profiles. */
public final class PackedManifests {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PackedManifests() {}

    /** The objects of a packaged file. */
    static List<ObjectNode> of(String file) {
        try (InputStream in = PackedManifests.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the demo was built without " + file);
            }
            return read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The only object of a packaged file. */
    static ObjectNode one(String file) {
        return of(file).getFirst();
    }

    /** The objects of a YAML text. */
    public static List<ObjectNode> read(String yaml) {
        List<ObjectNode> objects = new ArrayList<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
            if (document != null) {
                objects.add(JSON.valueToTree(document));
            }
        }
        return objects;
    }
}
