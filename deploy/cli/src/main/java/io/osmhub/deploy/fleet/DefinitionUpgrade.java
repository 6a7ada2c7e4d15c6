package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Upgrades the CustomResourceDefinitions of a management cluster to this version's schema, as the command's user. */
public final class DefinitionUpgrade {
    private final KubeApi managementApi;

    public DefinitionUpgrade(KubeApi managementApi) {
        this.managementApi = managementApi;
    }

    /**
     * The action for one definition.
     *
     * @param found null if the definition does not exist
     */
    public record Step(
            ShippedDefinition definition,
            UpgradeAction what,
            @Nullable InstalledDefinition found) {
        public enum UpgradeAction {
            CREATED,
            UPGRADED,
            TAKEN_OVER,
            /** The definition already has this version's schema. */
            UNCHANGED,
            /** Another product manages the definition. */
            LEFT
        }

        /** The manager of the definition or its schema revision; empty if it does not exist. */
        public String previousVersion() {
            return found == null ? "" : found.isForeign() ? found.manager() : "revision " + found.revision();
        }

        /** One line of output. */
        public String describe(boolean dryRun) {
            String would = dryRun ? "would be " : "";
            return switch (what) {
                case CREATED -> would + "created     " + definition.definitionName();
                case UPGRADED -> would + "upgraded    " + definition.definitionName() + " from " + previousVersion();
                case TAKEN_OVER -> would + "taken over  " + definition.definitionName() + " from " + previousVersion();
                case UNCHANGED -> "unchanged   " + definition.definitionName();
                case LEFT -> "unchanged   " + definition.definitionName() + ", managed by " + previousVersion();
            };
        }
    }

    /**
     * Creates and upgrades definitions. Blocks.
     *
     * @param takeOver include definitions that another product manages
     * @param dryRun change nothing
     * @throws ApiFailure on the first failed read or write
     */
    public List<Step> run(boolean takeOver, boolean dryRun) throws ApiFailure {
        List<Step> steps = new ArrayList<>();
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition found = find(definition);
            Step.UpgradeAction what = decide(found, takeOver);
            if (!dryRun && what != Step.UpgradeAction.UNCHANGED && what != Step.UpgradeAction.LEFT) {
                if (found != null && definition == ShippedDefinition.OPERATING_SYSTEM_PROFILES) {
                    copyProfileFields();
                }
                apply(definition);
            }
            steps.add(new Step(definition, what, found));
        }
        return List.copyOf(steps);
    }

    private static Step.UpgradeAction decide(@Nullable InstalledDefinition found, boolean takeOver) {
        if (found == null) {
            return Step.UpgradeAction.CREATED;
        }
        if (found.isForeign()) {
            return takeOver ? Step.UpgradeAction.TAKEN_OVER : Step.UpgradeAction.LEFT;
        }
        return found.revision() < SchemaRevision.CURRENT ? Step.UpgradeAction.UPGRADED : Step.UpgradeAction.UNCHANGED;
    }

    /** Copies fields that the new definition prunes to annotations; see {@link ProfileAnnotations#missing}. */
    private void copyProfileFields() throws ApiFailure {
        Resource kind = Resource.OPERATING_SYSTEM_PROFILES;
        List<GenericKubernetesResource> profiles = managementApi.call(
                client -> client.genericKubernetesResources(kind.apiVersion(), "OperatingSystemProfile")
                        .inAnyNamespace()
                        .list()
                        .getItems());
        for (GenericKubernetesResource profile : profiles) {
            managementApi.call(client -> {
                SortedMap<String, String> missing = ProfileAnnotations.missing(
                        client.getKubernetesSerialization().convertValue(profile, JsonNode.class));
                if (!missing.isEmpty()) {
                    // With the version read: another writer's change causes a conflict.
                    client.resource(profile).patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch(profile, missing));
                }
                return missing;
            });
        }
    }

    private static String mergePatch(GenericKubernetesResource profile, SortedMap<String, String> annotations) {
        ObjectNode patch = WireJson.object();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("resourceVersion", profile.getMetadata().getResourceVersion());
        annotations.forEach(metadata.putObject("annotations")::put);
        return WireJson.text(patch);
    }

    private @Nullable InstalledDefinition find(ShippedDefinition definition) throws ApiFailure {
        return managementApi.call(client -> {
            var found = client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(definition.definitionName())
                    .get();
            return found == null
                    ? null
                    : InstalledDefinition.of(
                            definition, client.getKubernetesSerialization().convertValue(found, JsonNode.class));
        });
    }

    private void apply(ShippedDefinition definition) throws ApiFailure {
        managementApi.call( // Unmodified: fabric8's types may serialize a schema differently.
                client -> client.resource(client.getKubernetesSerialization()
                                .unmarshal(definition.yaml(), GenericKubernetesResource.class))
                        .fieldManager(CommandClients.FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply());
    }
}
