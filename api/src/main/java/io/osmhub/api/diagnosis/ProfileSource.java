package io.osmhub.api.diagnosis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.osmhub.api.access.Access;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.catalog.ProfileContent;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;

/**
 * A profile as YAML to begin an edit with, for who may read it. For pages: programs read it where it is stored. It is no part of the
 * contract, so that no request reaches it.
 */
public final class ProfileSource {
    /** As pages ask for it. */
    public static final String ID = "profileSource";

    /** Characters that YAML takes for something else are escaped. */
    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final LiveDetails details;
    private final Access access;

    public ProfileSource(LiveDetails details, Access access) {
        this.details = details;
        this.access = access;
    }

    public Operation operation() {
        return Operation.of(ID, this::source);
    }

    /** The text; empty when the profile cannot be read. */
    public record Answer(String text) {}

    private Reply source(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        ApiProblem notThere = ApiProblem.notFound("OperatingSystemProfile " + name + " in namespace " + namespace);
        if (!access.may(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_PROFILES, namespace, name)) {
            throw notThere;
        }
        StoredProfile profile = details.profile(namespace, name).orElseThrow(() -> notThere);
        ProfileContent content = profile.content();
        return Reply.ok(new Answer(content == null ? "" : text(profile, content)));
    }

    private static String text(StoredProfile profile, ProfileContent content) {
        var object = WireJson.object()
                .put("apiVersion", Resource.OPERATING_SYSTEM_PROFILES.apiVersion())
                .put("kind", "OperatingSystemProfile");
        object.putObject("metadata").put("namespace", profile.namespace()).put("name", profile.name());
        object.set("spec", WireJson.tree(content.spec()));
        try {
            return Str.text(SigsYaml.fromJson(ASCII.writeValueAsString(object)));
        } catch (CallFailure | JsonProcessingException e) {
            throw new IllegalStateException("a stored profile is no YAML", e);
        }
    }
}
