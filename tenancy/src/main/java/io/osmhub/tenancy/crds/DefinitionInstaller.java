package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.resource.SchemaRevision;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.profiles.ProfileFieldMigration;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the hub's CustomResourceDefinitions in the management cluster. Never changes newer ones or those of other managers.
 * Blocks; call it on a virtual thread.
 */
public final class DefinitionInstaller {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionInstaller.class);

    private final KubeApi management;
    private final int shippedRevision;

    public DefinitionInstaller(KubeApi management) {
        this(management, SchemaRevision.CURRENT);
    }

    /** @param shippedRevision schema revision to use instead of this version's own */
    DefinitionInstaller(KubeApi management, int shippedRevision) {
        this.management = management;
        this.shippedRevision = shippedRevision;
    }

    /** Read-only. */
    public InstalledDefinitions readDefinitions() throws ApiFailure {
        Map<ShippedDefinition, InstalledDefinition> found = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition one = find(definition);
            if (one != null) {
                found.put(definition, one);
            }
        }
        return new InstalledDefinitions(found);
    }

    /**
     * Applies the policy; a created definition may not be served yet. Safe to run on several replicas.
     *
     * @throws ApiFailure for the first definition that could not be read, created or changed
     */
    public void install(InstallPolicy policy) throws ApiFailure {
        if (policy == InstallPolicy.NEVER) {
            return;
        }
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            InstalledDefinition found = find(definition);
            if (found == null) {
                create(definition);
            } else if (policy == InstallPolicy.UPGRADE && !found.isForeign() && found.revision() < shippedRevision) {
                upgrade(definition, found.revision());
            }
        }
    }

    /** One that cannot be read is assumed as shipped, and not changed: it must not stop the hub. */
    private @Nullable InstalledDefinition find(ShippedDefinition definition) throws ApiFailure {
        try {
            JsonNode found = WireJson.read(management.send(
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
            management.send(
                    ApiRequest.create(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WireJson.text(manifest(definition))));
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
            ProfileFieldMigration.migrateAll(management);
        }
        SortedMap<String, String> query = new TreeMap<>();
        query.put("fieldManager", ApiRequest.FIELD_MANAGER);
        // Takes the fields that an earlier version of the hub wrote.
        query.put("force", "true");
        management.send(new ApiRequest(
                Verb.PATCH,
                Resource.CUSTOM_RESOURCE_DEFINITIONS,
                "",
                definition.definitionName(),
                "",
                query,
                ApiRequest.APPLY_PATCH,
                WireJson.text(manifest(definition))));
        LOG.info(
                "CustomResourceDefinition {} upgraded from schema revision {} to {}",
                definition.definitionName(),
                from,
                shippedRevision);
    }

    static JsonNode manifest(ShippedDefinition definition) {
        return SourceDocument.json(YamlDocumentReader.read(definition.definitionName(), definition.yaml(), "HubBug")
                .getFirst()
                .root());
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
