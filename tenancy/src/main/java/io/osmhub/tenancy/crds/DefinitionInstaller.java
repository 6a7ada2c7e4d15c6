package io.osmhub.tenancy.crds;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.resource.CustomResourceDefinition;
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
 * Makes the hub's kinds known to the management cluster. What is newer than this version, or somebody else's, is never touched.
 * Waits for answers: for a virtual thread.
 */
public final class DefinitionInstaller {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionInstaller.class);

    private final KubeApi management;
    private final int shippedRevision;

    public DefinitionInstaller(KubeApi management) {
        this(management, CustomResourceDefinition.REVISION);
    }

    /** @param shippedRevision of the schemas, in place of this version's own */
    DefinitionInstaller(KubeApi management, int shippedRevision) {
        this.management = management;
        this.shippedRevision = shippedRevision;
    }

    /** Looks only. */
    public Definitions look() throws ApiFailure {
        Map<ShippedDefinition, FoundDefinition> found = new EnumMap<>(ShippedDefinition.class);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            FoundDefinition one = find(definition);
            if (one != null) {
                found.put(definition, one);
            }
        }
        return new Definitions(found);
    }

    /**
     * Does what the policy asks for; a definition that was made may not be served yet. May be run by several replicas at once.
     *
     * @throws ApiFailure for the first that could not be read, made or changed
     */
    public void install(InstallPolicy policy) throws ApiFailure {
        if (policy == InstallPolicy.NEVER) {
            return;
        }
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            FoundDefinition found = find(definition);
            if (found == null) {
                create(definition);
            } else if (policy == InstallPolicy.UPGRADE && !found.foreign() && found.revision() < shippedRevision) {
                upgrade(definition, found.revision());
            }
        }
    }

    private @Nullable FoundDefinition find(ShippedDefinition definition) throws ApiFailure {
        try {
            byte[] answer = management.send(
                    ApiRequest.get(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition.definitionName()));
            return FoundDefinition.of(definition, WireJson.read(answer));
        } catch (ApiFailure e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        } catch (IOException e) {
            throw ApiFailure.noAnswer(
                    ApiFailure.Cause.UNREADABLE, "unexpected response: not a CustomResourceDefinition");
        }
    }

    private void create(ShippedDefinition definition) throws ApiFailure {
        try {
            management.send(
                    ApiRequest.create(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", WireJson.text(manifest(definition))));
            LOG.info("CustomResourceDefinition {} created", definition.definitionName());
        } catch (ApiFailure e) {
            // Another replica was quicker.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    private void upgrade(ShippedDefinition definition, int from) throws ApiFailure {
        SortedMap<String, String> query = new TreeMap<>();
        query.put("fieldManager", ApiRequest.FIELD_MANAGER);
        // The fields that an earlier version of the hub wrote are the hub's too.
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
                "CustomResourceDefinition {} brought from schema revision {} to {}",
                definition.definitionName(),
                from,
                shippedRevision);
    }

    static JsonNode manifest(ShippedDefinition definition) {
        return Document.json(YamlText.read(definition.definitionName(), definition.yaml(), "HubBug")
                .getFirst()
                .root());
    }
}
