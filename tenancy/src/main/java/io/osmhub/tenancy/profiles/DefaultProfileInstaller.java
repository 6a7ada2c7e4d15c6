package io.osmhub.tenancy.profiles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.wire.WireJson;
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

    private final KubeApi management;
    private final ProfileCache stored;
    private final Supplier<List<BundledProfile>> packed;

    /** A message about one profile. */
    public record InstallNotice(String profile, ReasonMessage diagnosis) {}

    /** @param packed called when there is something to install */
    public DefaultProfileInstaller(KubeApi management, ProfileCache stored, Supplier<List<BundledProfile>> packed) {
        this.management = management;
        this.stored = stored;
        this.packed = packed;
    }

    /**
     * Installs or upgrades the profiles of a namespace.
     *
     * @return those that were kept or could not be installed
     * @throws ApiFailure for a transient failure: retry
     */
    public List<InstallNotice> install(String namespace) throws ApiFailure {
        List<InstallNotice> remarks = new ArrayList<>();
        for (BundledProfile profile : packed.get()) {
            InstallNotice remark = install(namespace, profile);
            if (remark != null) {
                remarks.add(remark);
            }
        }
        return remarks;
    }

    private @Nullable InstallNotice install(String namespace, BundledProfile profile) throws ApiFailure {
        StoredProfile found = stored.in(namespace).get(profile.name());
        if (found != null && !found.isDefault()) {
            // Another profile of the same name.
            return null;
        }
        try {
            if (found == null) {
                create(namespace, profile);
                return null;
            }
            if (!found.pruned() && !isNewer(profile.version(), found.version())) {
                return null;
            }
            if (!found.pruned() && !found.contentHash().equals(found.installedHash())) {
                return kept(namespace, profile, found);
            }
            upgrade(found, profile);
            return null;
        } catch (ApiFailure e) {
            // Closed: this replica may not write now.
            if (e.isTransient() || e.kind() == ApiFailure.ApiFailureKind.CLOSED) {
                throw e;
            }
            return notInstalled(namespace, profile, e.text(), cure(namespace, e));
        }
    }

    private static String cure(String namespace, ApiFailure failure) {
        return switch (failure.code()) {
            case 404 ->
                "run: "
                        + (failure.isNamespaceNotFound()
                                ? "kubectl create namespace " + namespace
                                : "hub install crds");
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
            settle(management.send(
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
        settle(management.send(ApiRequest.patch(
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
        StoredProfile now = taken(answer);
        if (now != null && !now.contentHash().isEmpty() && !now.contentHash().equals(now.installedHash())) {
            ObjectNode patch = WireJson.object();
            patch.putObject("metadata")
                    .putObject("annotations")
                    .put(ProfileAnnotations.INSTALLED_HASH, now.contentHash());
            taken(management.send(ApiRequest.patch(
                    Resource.OPERATING_SYSTEM_PROFILES,
                    now.namespace(),
                    now.name(),
                    ApiRequest.MERGE_PATCH,
                    WireJson.text(patch))));
        }
    }

    private @Nullable StoredProfile taken(byte[] answer) throws ApiFailure {
        try {
            return stored.cacheResponse(answer);
        } catch (IOException e) {
            throw WireJson.unexpected("an OperatingSystemProfile");
        }
    }

    private static boolean isNewer(String packed, String installed) {
        try {
            return SemanticVersion.parse(packed).compareTo(SemanticVersion.parse(installed)) > 0;
        } catch (InvalidVersionException e) {
            return false;
        }
    }

    private static InstallNotice kept(String namespace, BundledProfile profile, StoredProfile found) {
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

    private static InstallNotice notInstalled(String namespace, BundledProfile profile, String cause, String cure) {
        return new InstallNotice(
                profile.name(),
                Reason.DefaultProfilesNotInstalled.with(
                        "tenant", namespace,
                        "osp", namespace + "/" + profile.name(),
                        "cause", cause,
                        "cure", cure));
    }
}
