package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.crds.ProfileFieldMigration;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upgrades the CustomResourceDefinitions of a management cluster to this version's schema, as the command's user. */
public record DefinitionUpgrade(KubeApi managementApi) {
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
            JsonNode stored =
                    WireJson.find(managementApi, Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName());
            InstalledDefinition found = stored == null ? null : InstalledDefinition.of(definition, stored);
            Step.UpgradeAction what = decide(found, takeOver);
            if (!dryRun && what != Step.UpgradeAction.UNCHANGED && what != Step.UpgradeAction.LEFT) {
                if (found != null && definition == ShippedDefinition.OPERATING_SYSTEM_PROFILES) {
                    ProfileFieldMigration.migrateAll(managementApi);
                }
                managementApi.send(ApiRequest.apply(
                        Resource.CUSTOM_RESOURCE_DEFINITIONS,
                        "",
                        definition.definitionName(),
                        WireJson.text(definition.manifest())));
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
}
