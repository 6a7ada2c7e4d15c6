package io.osmhub.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.tenancy.client.TypedClient;
import io.osmhub.tenancy.crds.FoundDefinition;
import io.osmhub.tenancy.crds.ShippedDefinition;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings the CustomResourceDefinitions of a management cluster to the schema of this version, with the rights of a command's user. */
public final class DefinitionUpgrade {
    private static final String FIELD_MANAGER = "osm-hub-cli";

    private final TypedClient management;

    public DefinitionUpgrade(TypedClient management) {
        this.management = management;
    }

    /**
     * What is done about one definition.
     *
     * @param found null when the definition does not exist
     */
    public record Step(
            ShippedDefinition definition,
            What what,
            @Nullable FoundDefinition found) {
        /** The act. */
        public enum What {
            CREATED,
            UPGRADED,
            TAKEN_OVER,
            /** The definition has this version's schema already. */
            UNCHANGED,
            /** Another product manages the definition. */
            LEFT
        }

        /** Who manages the definition, or which schema it has; empty when it does not exist. */
        public String from() {
            return found == null ? "" : found.foreign() ? found.manager() : "revision " + found.revision();
        }

        /** One line for people. */
        public String words(boolean dryRun) {
            String would = dryRun ? "would be " : "";
            return switch (what) {
                case CREATED -> would + "created     " + definition.definitionName();
                case UPGRADED -> would + "upgraded    " + definition.definitionName() + " from " + from();
                case TAKEN_OVER -> would + "taken over  " + definition.definitionName() + " from " + from();
                case UNCHANGED -> "unchanged   " + definition.definitionName();
                case LEFT -> "left alone  " + definition.definitionName() + ", managed by " + from();
            };
        }
    }

    /**
     * Creates and upgrades definitions; waits for answers.
     *
     * @param takeOver also those that another product manages
     * @param dryRun changes nothing
     * @throws ApiFailure for the first that could not be read or written
     */
    public List<Step> run(boolean takeOver, boolean dryRun) throws ApiFailure {
        List<Step> steps = new ArrayList<>();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            FoundDefinition found = find(definition);
            Step.What what = decide(found, takeOver);
            if (!dryRun && what != Step.What.UNCHANGED && what != Step.What.LEFT) {
                apply(definition);
            }
            steps.add(new Step(definition, what, found));
        }
        return List.copyOf(steps);
    }

    private static Step.What decide(@Nullable FoundDefinition found, boolean takeOver) {
        if (found == null) {
            return Step.What.CREATED;
        }
        if (found.foreign()) {
            return takeOver ? Step.What.TAKEN_OVER : Step.What.LEFT;
        }
        return found.revision() < CustomResourceDefinition.REVISION ? Step.What.UPGRADED : Step.What.UNCHANGED;
    }

    private @Nullable FoundDefinition find(ShippedDefinition definition) throws ApiFailure {
        return management.call(Verb.GET, Resource.CUSTOM_RESOURCE_DEFINITIONS, client -> {
            var found = client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(definition.definitionName())
                    .get();
            return found == null
                    ? null
                    : FoundDefinition.of(
                            definition, client.getKubernetesSerialization().convertValue(found, JsonNode.class));
        });
    }

    private void apply(ShippedDefinition definition) throws ApiFailure {
        management.call(
                Verb.PATCH,
                Resource.CUSTOM_RESOURCE_DEFINITIONS,
                // As it is shipped: fabric8's types may write a schema in another form.
                client -> client.resource(client.getKubernetesSerialization()
                                .unmarshal(definition.yaml(), GenericKubernetesResource.class))
                        .fieldManager(FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply());
    }
}
