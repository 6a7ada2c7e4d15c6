package io.osmhub.core.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.schema.ObjectValidator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The CustomResourceDefinitions of deploy/packaging/manifests/crds, packaged into this module: the contract of the hub's kinds. */
public enum ShippedDefinition {
    WORKER_CLUSTERS("workerclusters.osmhub.io"),
    OPERATING_SYSTEM_PROFILES("operatingsystemprofiles.operatingsystemmanager.k8c.io"),
    PROFILE_EXTENSIONS("operatingsystemprofileextensions.osmhub.io"),
    OPERATING_SYSTEM_CONFIGS("operatingsystemconfigs.operatingsystemmanager.k8c.io");

    private static final Map<ShippedDefinition, JsonNode> MANIFESTS = new ConcurrentHashMap<>();

    private final String definitionName;

    ShippedDefinition(String definitionName) {
        this.definitionName = definitionName;
    }

    /** Object name, for example {@code workerclusters.osmhub.io}. */
    public String definitionName() {
        return definitionName;
    }

    /** The manifest as YAML. */
    public String yaml() {
        String resource = "/crds/" + definitionName + ".yaml";
        try (InputStream in = ShippedDefinition.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The manifest as JSON, which must not be changed. Read on first use. */
    public JsonNode manifest() {
        return MANIFESTS.computeIfAbsent(
                this,
                definition -> SourceDocument.json(YamlDocumentReader.read(definitionName, yaml(), Reason.InternalError)
                        .getFirst()
                        .root()));
    }

    /** The schema of the whole object, which must not be changed. */
    public JsonNode schema() {
        return manifest().at("/spec/versions/0/schema/openAPIV3Schema");
    }

    /**
     * Validates an object without an API server.
     *
     * @param before the object before an update; null if it is new
     */
    public List<Problem> check(JsonNode object, @Nullable JsonNode before, Reason reason) {
        ProblemObject about = ProblemObject.of(
                manifest().at("/spec/names/kind").asText(),
                object.path("metadata").path("name").asText());
        return ObjectValidator.check(schema(), Map.of(), object, before, reason, about);
    }
}
