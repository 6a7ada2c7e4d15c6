package io.osmhub.sim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.objects.WriteScope;
import io.osmhub.sim.patch.MergePatchApplier;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.resource.ResourceType.ScalePaths;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.StoredObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The scale subresource of custom kinds: an object of autoscaling/v1 that shows and changes the number of replicas. */
final class ScaleVerbs {
    private final ObjectOperations objects;
    private final ResourceType type;
    private final ScalePaths paths;

    ScaleVerbs(ObjectOperations objects, ResourceType type, ScalePaths paths) {
        this.objects = objects;
        this.type = type;
        this.paths = paths;
    }

    SimulatedResponse get(ApiPath path) {
        return SimulatedResponse.json(200, scale(objects.get(type, path.namespace(), path.name())));
    }

    /** {@code change} turns the Scale as it is into the one that is wanted. */
    SimulatedResponse write(ApiPath path, UnaryOperator<ObjectNode> change, WriteOptions options) {
        StoredObject before = objects.get(type, path.namespace(), path.name());
        ObjectNode wanted = change.apply(scale(before));
        JsonNode replicas = JsonTrees.at(wanted, "spec", "replicas");
        if (!replicas.isIntegralNumber() || replicas.asInt() < 0) {
            ApiError.Cause cause = new ApiError.Cause(
                    "spec.replicas",
                    "FieldValueInvalid",
                    "Invalid value: %s: must be greater than or equal to 0".formatted(replicas));
            throw ApiError.invalid("autoscaling", "Scale", path.name(), List.of(cause));
        }
        ObjectNode patch = JsonTrees.object();
        String revision = JsonTrees.text(wanted, "metadata", "resourceVersion");
        if (!revision.isEmpty()) {
            patch.putObject("metadata").put("resourceVersion", revision);
        }
        String[] steps = steps(paths.specReplicasPath());
        ObjectNode parent = patch;
        for (String step : Arrays.copyOf(steps, steps.length - 1)) {
            parent = JsonTrees.child(parent, step);
        }
        parent.set(steps[steps.length - 1], replicas);
        return SimulatedResponse.json(
                200,
                scale(objects.patch(
                        type,
                        path.namespace(),
                        path.name(),
                        WriteScope.MAIN,
                        body -> MergePatchApplier.apply(body, patch),
                        options)));
    }

    private ObjectNode scale(StoredObject object) {
        ObjectNode tree = object.tree();
        ObjectNode scale = JsonTrees.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        scale.putObject("metadata")
                .put("name", object.name())
                .put("namespace", object.namespace())
                .put("uid", object.uid())
                .put("resourceVersion", Long.toString(object.revision()))
                .put("creationTimestamp", JsonTrees.text(tree, "metadata", "creationTimestamp"));
        scale.putObject("spec")
                .put(
                        "replicas",
                        JsonTrees.at(tree, steps(paths.specReplicasPath())).asInt());
        scale.putObject("status")
                .put(
                        "replicas",
                        JsonTrees.at(tree, steps(paths.statusReplicasPath())).asInt());
        return scale;
    }

    private static String[] steps(String path) {
        return path.substring(1).split("\\.");
    }
}
