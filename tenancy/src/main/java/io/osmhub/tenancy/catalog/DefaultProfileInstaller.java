package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.tenancy.crds.ProfileFieldMigration;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs and upgrades the default profiles in a namespace. Never changes edited or newer ones, or other profiles of the same
 * name. Blocks; call it on a virtual thread.
 */
public final class DefaultProfileInstaller {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultProfileInstaller.class);

    private final KubeApi managementApi;
    private final ProfileCache profileCache;
    private final Supplier<List<BundledProfile>> bundledProfiles;

    /** A message about one profile. */
    public record InstallNotice(String profile, Problem diagnosis) {}

    /** @param bundledProfiles called when there is something to install */
    public DefaultProfileInstaller(
            KubeApi managementApi, ProfileCache profileCache, Supplier<List<BundledProfile>> bundledProfiles) {
        this.managementApi = managementApi;
        this.profileCache = profileCache;
        this.bundledProfiles = bundledProfiles;
    }

    /**
     * Installs or upgrades the profiles of a namespace.
     *
     * @return those that were kept or could not be installed
     * @throws ApiFailure for a transient failure: retry
     */
    public List<InstallNotice> install(String namespace) throws ApiFailure {
        List<InstallNotice> notices = new ArrayList<>();
        for (BundledProfile profile : bundledProfiles.get()) {
            InstallNotice notice = install(namespace, profile);
            if (notice != null) {
                notices.add(notice);
            }
        }
        return notices;
    }

    /** Copies the hub's fields of a profile to its annotations; see {@link ProfileFieldMigration}. */
    void copyFields(StoredProfile profile) throws ApiFailure {
        cached(ProfileFieldMigration.annotate(
                managementApi,
                profile.namespace(),
                profile.name(),
                profile.resourceVersion(),
                profile.missingAnnotations()));
    }

    private @Nullable InstallNotice install(String namespace, BundledProfile profile) throws ApiFailure {
        StoredProfile found = profileCache.in(namespace).get(profile.name());
        if (found != null && !found.isDefault()) {
            // Another profile of the same name.
            return null;
        }
        try {
            if (found == null) {
                create(namespace, profile);
                return null;
            }
            if (found.pruned() || isNewer(profile.version(), found.version())) {
                if (!found.pruned() && !found.contentHash().equals(found.installedHash())) {
                    return new InstallNotice(
                            profile.name(),
                            Reason.DefaultProfileKept.with(
                                    "tenant",
                                    namespace,
                                    "osp",
                                    namespace + "/" + profile.name(),
                                    "version",
                                    found.version(),
                                    "version2",
                                    profile.version()));
                }
                upgrade(found, profile);
            }
            return null;
        } catch (ApiFailure e) {
            // Closed: this replica may not write now.
            if (e.isTransient() || e.kind() == ApiFailure.ApiFailureKind.CLOSED) {
                throw e;
            }
            return new InstallNotice(
                    profile.name(),
                    Reason.DefaultProfilesNotInstalled.with(
                            "tenant",
                            namespace,
                            "osp",
                            namespace + "/" + profile.name(),
                            "cause",
                            e.text(),
                            "fix",
                            fix(namespace, e)));
        }
    }

    private static String fix(String namespace, ApiFailure failure) {
        return switch (failure.code()) {
            case 404 ->
                failure.isNamespaceNotFound()
                        ? "create namespace " + namespace
                        : "install the CustomResourceDefinitions (hub install crds)";
            case 422 ->
                "the CustomResourceDefinition of another product does not allow its operating system, which is then not used";
            default -> "allow create and patch on operatingsystemprofiles";
        };
    }

    private void create(String namespace, BundledProfile profile) throws ApiFailure {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", ProfileReader.API_VERSION).put("kind", ProfileReader.KIND);
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("namespace", namespace).put("name", profile.name());
        metadata.putObject("labels").put("app.kubernetes.io/managed-by", "osm-hub");
        metadata.set("annotations", annotations(profile));
        object.set("spec", profile.object().path("spec"));
        try {
            settle(managementApi.send(
                    ApiRequest.create(Resource.OPERATING_SYSTEM_PROFILES, namespace, WireJson.text(object))));
            LOG.info("Default profile {} {} installed in {}", profile.name(), profile.version(), namespace);
        } catch (ApiFailure e) {
            // Another replica created it first.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    private void upgrade(StoredProfile found, BundledProfile profile) throws ApiFailure {
        ArrayNode patch = WireJson.object().putArray("patch");
        replace(patch, "/metadata/resourceVersion", TextNode.valueOf(found.resourceVersion()));
        annotations(profile)
                .properties()
                .forEach(annotation -> replace(
                        patch,
                        "/metadata/annotations/" + annotation.getKey().replace("/", "~1"),
                        annotation.getValue()));
        replace(patch, "/spec", profile.object().path("spec"));
        settle(managementApi.send(ApiRequest.patch(
                Resource.OPERATING_SYSTEM_PROFILES,
                found.namespace(),
                found.name(),
                ApiRequest.JSON_PATCH,
                WireJson.text(patch))));
        LOG.info(
                "Default profile {} in {} upgraded from {} to {}",
                found.name(),
                found.namespace(),
                found.version(),
                profile.version());
    }

    /** Adds or replaces a field. */
    private static void replace(ArrayNode patch, String path, JsonNode value) {
        patch.addObject().put("op", "add").put("path", path).set("value", value);
    }

    private static ObjectNode annotations(BundledProfile profile) {
        ObjectNode annotations = WireJson.object();
        profile.object()
                .at("/metadata/annotations")
                .properties()
                .forEach(annotation -> annotations.set(annotation.getKey(), annotation.getValue()));
        return annotations.put(ProfileAnnotations.INSTALLED_HASH, profile.contentHash());
    }

    /** The API server fills in defaults, so that the stored hash differs from the one sent. */
    private void settle(byte[] answer) throws ApiFailure {
        StoredProfile now = cached(answer);
        if (now != null && !now.contentHash().isEmpty() && !now.contentHash().equals(now.installedHash())) {
            ObjectNode patch = WireJson.object();
            patch.putObject("metadata")
                    .putObject("annotations")
                    .put(ProfileAnnotations.INSTALLED_HASH, now.contentHash());
            cached(managementApi.send(ApiRequest.patch(
                    Resource.OPERATING_SYSTEM_PROFILES,
                    now.namespace(),
                    now.name(),
                    ApiRequest.MERGE_PATCH,
                    WireJson.text(patch))));
        }
    }

    private @Nullable StoredProfile cached(byte[] answer) throws ApiFailure {
        try {
            return profileCache.putWritten(answer);
        } catch (IOException e) {
            throw WireJson.unexpected("an OperatingSystemProfile");
        }
    }

    private static boolean isNewer(String bundled, String installed) {
        try {
            return SemanticVersion.parse(bundled).compareTo(SemanticVersion.parse(installed)) > 0;
        } catch (InvalidVersionException e) {
            return false;
        }
    }
}
