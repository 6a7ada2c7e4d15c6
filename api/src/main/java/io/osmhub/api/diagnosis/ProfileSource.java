package io.osmhub.api.diagnosis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.Access;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.time.Duration;

/**
 * A profile as YAML to begin an edit with, for who may read it. For pages: programs read it where it is stored. It is no part of the
 * contract, so that no request reaches it.
 */
public final class ProfileSource {
    /** As pages ask for it. */
    public static final String ID = "profileSource";

    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** Characters that YAML takes for something else are escaped. */
    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final KubeApi management;
    private final Access access;

    public ProfileSource(KubeApi management, Access access) {
        this.management = management;
        this.access = access;
    }

    public Operation operation() {
        return Operation.of(ID, this::source);
    }

    /** The text, which is large at times. */
    public record Answer(String text) {}

    private Reply source(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        ApiProblem notThere = ApiProblem.notFound("OperatingSystemProfile " + name + " in namespace " + namespace);
        if (!access.may(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_PROFILES, namespace, name)) {
            throw notThere;
        }
        try {
            return Reply.ok(new Answer(text(WireJson.read(
                    management.send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, namespace, name))))));
        } catch (ApiFailure e) {
            throw e.isNotFound()
                    ? notThere
                    : ApiProblem.unavailable("the management cluster does not answer; try again in 2 s", AGAIN);
        } catch (IOException e) {
            throw new IllegalStateException("unexpected response: not an object", e);
        }
    }

    /** What somebody would edit: not what the API server keeps beside it, nor the status. */
    private static String text(JsonNode stored) {
        ObjectNode object = WireJson.object()
                .put("apiVersion", Resource.OPERATING_SYSTEM_PROFILES.apiVersion())
                .put("kind", "OperatingSystemProfile");
        JsonNode head = stored.path("metadata");
        object.putObject("metadata")
                .put("namespace", head.path("namespace").asText())
                .put("name", head.path("name").asText());
        object.set("spec", stored.path("spec"));
        try {
            return Str.text(SigsYaml.fromJson(ASCII.writeValueAsString(object)));
        } catch (CallFailure | JsonProcessingException e) {
            throw new IllegalStateException("a stored profile is not valid YAML", e);
        }
    }
}
