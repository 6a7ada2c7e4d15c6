package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the hub's CustomResourceDefinitions in the management cluster. Never changes newer ones or those of other managers.
 * Blocks; call it on a virtual thread.
 */
public final class DefinitionInstaller {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionInstaller.class);

    /** Revision of the first schemas that were installed with that of extensions. */
    private static final int EXTENSIONS_REVISION = 7;

    private final KubeApi managementApi;
    private final int shippedRevision;

    public DefinitionInstaller(KubeApi managementApi) {
        this(managementApi, SchemaRevision.CURRENT);
    }

    /** @param shippedRevision schema revision to use instead of this version's own */
    DefinitionInstaller(KubeApi managementApi, int shippedRevision) {
        this.managementApi = managementApi;
        this.shippedRevision = shippedRevision;
    }

    /**
     * Applies the policy; a created definition may not be served yet. Safe to run on several replicas.
     *
     * @return what is installed now
     * @throws ApiFailure for the first definition that could not be read, created or changed
     */
    public InstalledDefinitions install(InstallPolicy policy) throws ApiFailure {
        Map<ShippedDefinition, InstalledDefinition> installed = new EnumMap<>(ShippedDefinition.class);
        int knownRevision = 0;
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition found;
            try {
                found = find(definition);
            } catch (ApiFailure e) {
                // A role of an earlier version of the hub does not name it.
                if (e.isForbidden() && definition == ShippedDefinition.PROFILE_EXTENSIONS) {
                    continue;
                }
                throw e;
            }
            if (definition == ShippedDefinition.WORKER_CLUSTERS && found != null) {
                knownRevision = found.revision();
            }
            if (found == null
                    && definition == ShippedDefinition.PROFILE_EXTENSIONS
                    && knownRevision >= EXTENSIONS_REVISION) {
                // Installed again without its objects, it would remove extensions from what is published.
                LOG.warn(
                        "CustomResourceDefinition {} was removed; restore it with its objects, or run hub install crds",
                        definition.definitionName());
                continue;
            }
            if (found == null && policy != InstallPolicy.NEVER) {
                create(definition);
                found = find(definition);
            } else if (found != null
                    && policy == InstallPolicy.UPGRADE
                    && !found.isForeign()
                    && found.revision() < shippedRevision) {
                upgrade(definition, found.revision());
                found = find(definition);
            }
            if (found != null) {
                installed.put(definition, found);
            }
        }
        return new InstalledDefinitions(installed);
    }

    /** One that cannot be read is assumed as shipped, and not changed: it must not stop the hub. */
    private @Nullable InstalledDefinition find(ShippedDefinition definition) throws ApiFailure {
        try {
            JsonNode found = WireJson.read(managementApi.send(
                    ApiRequest.get(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName())));
            return InstalledDefinition.of(definition, found);
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        } catch (IOException e) {
            if (e.getCause() instanceof StreamConstraintsException) {
                LOG.warn(
                        "CustomResourceDefinition {} has more levels or a longer number than the hub reads; it is used as"
                                + " shipped and not changed, apply the one of the release",
                        definition.definitionName());
                return InstalledDefinition.asShipped(definition, shippedRevision);
            }
            throw WireJson.unexpected("a CustomResourceDefinition");
        }
    }

    private void create(ShippedDefinition definition) throws ApiFailure {
        try {
            managementApi.send(
                    ApiRequest.create(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WireJson.text(definition.manifest())));
            LOG.info("CustomResourceDefinition {} created", definition.definitionName());
        } catch (ApiFailure e) {
            // Another replica created it first.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    private void upgrade(ShippedDefinition definition, int from) throws ApiFailure {
        if (definition == ShippedDefinition.OPERATING_SYSTEM_PROFILES) {
            ProfileFieldMigration.migrateAll(managementApi);
        }
        // By force: takes the fields that an earlier version of the hub wrote.
        managementApi.send(ApiRequest.apply(
                Resource.CUSTOM_RESOURCE_DEFINITIONS,
                definition.definitionName(),
                ApiRequest.FIELD_MANAGER,
                true,
                WireJson.text(definition.manifest())));
        LOG.info(
                "CustomResourceDefinition {} upgraded from schema revision {} to {}",
                definition.definitionName(),
                from,
                shippedRevision);
    }

    /** What the hub may do with CustomResourceDefinitions, as in {@code tenancy.installCRDs}. */
    public enum InstallPolicy {
        /** Creates missing ones. */
        @JsonProperty("IfAbsent")
        IF_ABSENT,
        /** Also upgrades its own to this version's schema. */
        @JsonProperty("Upgrade")
        UPGRADE,
        /** Leaves them to the operator. */
        @JsonProperty("Never")
        NEVER
    }
}
