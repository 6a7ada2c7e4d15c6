package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.Json;
import io.osmhub.sim.objects.Objects;
import io.osmhub.sim.objects.Part;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.patch.MergePatch;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.ResourceType.ScalePaths;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.StoredObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The scale subresource of custom kinds: an object of autoscaling/v1 that shows and changes the number of replicas. */
final class ScaleVerbs {
    private final Objects objects;
    private final ResourceType type;
    private final ScalePaths paths;

    ScaleVerbs(Objects objects, ResourceType type, ScalePaths paths) {
        this.objects = objects;
        this.type = type;
        this.paths = paths;
    }

    Answer get(ApiPath path) {
        return Answer.json(200, scale(objects.get(type, path.namespace(), path.name())));
    }

    /** {@code change} turns the Scale as it is into the one that is wanted. */
    Answer write(ApiPath path, UnaryOperator<ObjectNode> change, WriteOptions options) {
        StoredObject before = objects.get(type, path.namespace(), path.name());
        ObjectNode wanted = change.apply(scale(before));
        JsonNode replicas = Json.at(wanted, "spec", "replicas");
        if (!replicas.isIntegralNumber() || replicas.asInt() < 0) {
            ApiError.Cause cause = new ApiError.Cause(
                    "spec.replicas",
                    "FieldValueInvalid",
                    "Invalid value: %s: must be greater than or equal to 0".formatted(replicas));
            throw ApiError.invalid("autoscaling", "Scale", path.name(), List.of(cause));
        }
        ObjectNode patch = Json.object();
        String revision = Json.text(wanted, "metadata", "resourceVersion");
        if (!revision.isEmpty()) {
            patch.putObject("metadata").put("resourceVersion", revision);
        }
        String[] steps = steps(paths.wanted());
        ObjectNode parent = patch;
        for (String step : Arrays.copyOf(steps, steps.length - 1)) {
            parent = Json.child(parent, step);
        }
        parent.set(steps[steps.length - 1], replicas);
        return Answer.json(
                200,
                scale(objects.patch(
                        type,
                        path.namespace(),
                        path.name(),
                        Part.MAIN,
                        body -> MergePatch.apply(body, patch),
                        options)));
    }

    private ObjectNode scale(StoredObject object) {
        ObjectNode tree = object.tree();
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        scale.putObject("metadata")
                .put("name", object.name())
                .put("namespace", object.namespace())
                .put("uid", object.uid())
                .put("resourceVersion", Long.toString(object.revision()))
                .put("creationTimestamp", Json.text(tree, "metadata", "creationTimestamp"));
        scale.putObject("spec")
                .put("replicas", Json.at(tree, steps(paths.wanted())).asInt());
        scale.putObject("status")
                .put("replicas", Json.at(tree, steps(paths.found())).asInt());
        return scale;
    }

    private static String[] steps(String path) {
        return path.substring(1).split("\\.");
    }
}
