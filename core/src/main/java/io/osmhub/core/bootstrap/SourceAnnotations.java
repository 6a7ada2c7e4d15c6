package io.osmhub.core.bootstrap;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sha256;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The three annotations that record what an object was rendered from; on the OSC and on both secrets. */
public record SourceAnnotations(String revision, String annotationsHash, String profileVersion) {
    public static final String REVISION = "k8c.io/machine-deployment-revision";
    public static final String ANNOTATIONS_HASH = "k8c.io/mdannotations-hash";
    public static final String PROFILE_VERSION = "k8c.io/osp-version";

    public static SourceAnnotations of(MachineDeployment machineDeployment, String profileVersion) {
        return new SourceAnnotations(
                machineDeployment.revision(), hash(machineDeployment.annotations()), profileVersion);
    }

    public SortedMap<String, String> annotations() {
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(REVISION, revision);
        annotations.put(ANNOTATIONS_HASH, annotationsHash);
        annotations.put(PROFILE_VERSION, profileVersion);
        return Collections.unmodifiableSortedMap(annotations);
    }

    /** SHA-256 of the annotations' JSON. Without annotations it is of {@code null}, the JSON of Go's nil map. */
    static String hash(SortedMap<String, String> annotations) {
        JsonWriter json = new JsonWriter();
        if (annotations.isEmpty()) {
            json.nullValue();
        } else {
            json.beginObject();
            for (Map.Entry<String, String> annotation : annotations.entrySet()) {
                json.field(annotation.getKey(), annotation.getValue());
            }
            json.endObject();
        }
        return Sha256.hex(json.toString());
    }
}
