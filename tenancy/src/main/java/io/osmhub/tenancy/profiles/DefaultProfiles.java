package io.osmhub.tenancy.profiles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the default profiles in a namespace, and brings those that it installed to a newer version. What somebody edited, what
 * is newer and what another put there under the same name is never touched. Waits for answers: for a virtual thread.
 */
public final class DefaultProfiles {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultProfiles.class);

    private final KubeApi management;
    private final Profiles stored;
    private final Supplier<List<PackedProfile>> packed;

    /** What there is to say about one profile. */
    public record Remark(String profile, Diagnosis diagnosis) {}

    /** @param packed is asked when there is something to install */
    public DefaultProfiles(KubeApi management, Profiles stored, Supplier<List<PackedProfile>> packed) {
        this.management = management;
        this.stored = stored;
        this.packed = packed;
    }

    /**
     * Brings a namespace up to date, as far as it may.
     *
     * @return those that were kept or could not be installed
     * @throws ApiFailure for a failure that may pass: to be tried again
     */
    public List<Remark> install(String namespace) throws ApiFailure {
        List<Remark> remarks = new ArrayList<>();
        for (PackedProfile profile : packed.get()) {
            Remark remark = install(namespace, profile);
            if (remark != null) {
                remarks.add(remark);
            }
        }
        return remarks;
    }

    private @Nullable Remark install(String namespace, PackedProfile profile) throws ApiFailure {
        StoredProfile found = stored.in(namespace).get(profile.name());
        if (found != null && !found.isDefault()) {
            // Somebody's own, of the same name.
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
            // Closed: this replica may not write yet, or not any more.
            if (e.mayPass() || e.why() == ApiFailure.Cause.CLOSED) {
                throw e;
            }
            return notInstalled(namespace, profile, e.text(), cure(namespace, e));
        }
    }

    private static String cure(String namespace, ApiFailure failure) {
        return switch (failure.code()) {
            case 404 -> "run: kubectl create namespace " + namespace;
            case 422 -> "another CustomResourceDefinition rejects it: hub install crds --take-over";
            default -> "allow create and patch on operatingsystemprofiles";
        };
    }

    private void create(String namespace, PackedProfile profile) throws ApiFailure {
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
            // Another replica was quicker.
            if (!e.isAlreadyExists()) {
                throw e;
            }
        }
    }

    private void upgrade(StoredProfile found, PackedProfile profile) throws ApiFailure {
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
                "Default profile {} in {} brought from {} to {}",
                found.name(),
                found.namespace(),
                found.version(),
                profile.version());
    }

    /** Adds what is not there and replaces what is. */
    private static void replace(ArrayNode patch, String path, JsonNode value) {
        patch.addObject().put("op", "add").put("path", path).set("value", value);
    }

    private static ObjectNode annotations(PackedProfile profile) {
        ObjectNode annotations = WireJson.object();
        profile.object()
                .at("/metadata/annotations")
                .properties()
                .forEach(annotation -> annotations.set(annotation.getKey(), annotation.getValue()));
        return annotations.put(ProfileAnnotations.INSTALLED_HASH, profile.contentHash());
    }

    /** The API server fills in defaults, so that what is stored has another hash than what was sent. */
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
            return stored.taken(answer);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(
                    ApiFailure.Cause.UNREADABLE, "unexpected response: not an OperatingSystemProfile");
        }
    }

    private static boolean isNewer(String packed, String installed) {
        try {
            return SemanticVersion.parse(packed).compareTo(SemanticVersion.parse(installed)) > 0;
        } catch (InvalidVersion e) {
            return false;
        }
    }

    private static Remark kept(String namespace, PackedProfile profile, StoredProfile found) {
        return new Remark(
                profile.name(),
                diagnosis(
                        Reason.DefaultProfileKept,
                        Map.of(
                                "tenant",
                                namespace,
                                "osp",
                                namespace + "/" + profile.name(),
                                "version",
                                found.version(),
                                "version2",
                                profile.version())));
    }

    private static Remark notInstalled(String namespace, PackedProfile profile, String cause, String cure) {
        return new Remark(
                profile.name(),
                diagnosis(
                        Reason.DefaultProfilesNotInstalled,
                        Map.of(
                                "tenant", namespace,
                                "osp", namespace + "/" + profile.name(),
                                "cause", cause,
                                "cure", cure)));
    }

    private static Diagnosis diagnosis(Reason reason, Map<String, String> values) {
        return new Diagnosis(reason, Message.of(reason, values));
    }
}
