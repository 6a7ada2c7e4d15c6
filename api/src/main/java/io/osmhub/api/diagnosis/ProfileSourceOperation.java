package io.osmhub.api.diagnosis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.OspSource;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.time.Duration;

/** Returns a profile as YAML for editing, to callers who may read it. */
public final class ProfileSourceOperation {
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** Escapes characters that YAML interprets. */
    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final KubeApi managementApi;
    private final CallerAuthorizer authorizer;

    public ProfileSourceOperation(KubeApi managementApi, CallerAuthorizer authorizer) {
        this.managementApi = managementApi;
        this.authorizer = authorizer;
    }

    public Operation operation() {
        return Operation.of("getOspSource", this::source);
    }

    private Reply source(Call call) throws ApiProblem {
        String namespace = call.path("namespace");
        String name = call.path("name");
        ApiProblem notThere = ApiProblem.notFound("OperatingSystemProfile " + name + " in namespace " + namespace);
        if (!authorizer.isAllowed(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_PROFILES, namespace, name)) {
            throw notThere;
        }
        try {
            return Reply.ok(new OspSource(text(WireJson.read(
                    managementApi.send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, namespace, name))))));
        } catch (ApiFailure e) {
            throw e.isNotFound()
                    ? notThere
                    : ApiProblem.unavailable("the management cluster does not respond; try again in 2 s", AGAIN);
        } catch (IOException e) {
            throw new IllegalStateException("unexpected response: not an object", e);
        }
    }

    /** The editable part: without server-managed metadata and status, but with the annotations that decide how the spec is read. */
    static String text(JsonNode stored) {
        ObjectNode object = WireJson.object()
                .put("apiVersion", Resource.OPERATING_SYSTEM_PROFILES.apiVersion())
                .put("kind", "OperatingSystemProfile");
        JsonNode head = stored.path("metadata");
        ObjectNode metadata = object.putObject("metadata")
                .put("namespace", head.path("namespace").asText())
                .put("name", head.path("name").asText());
        head.path("annotations").properties().stream()
                .filter(annotation -> annotation.getKey().startsWith("osmhub.io/"))
                .forEach(annotation ->
                        metadata.withObjectProperty("annotations").set(annotation.getKey(), annotation.getValue()));
        object.set("spec", stored.path("spec"));
        try {
            return GoString.text(SigsYamlEncoder.fromJson(ASCII.writeValueAsString(object)));
        } catch (GoCallException | JsonProcessingException e) {
            throw new IllegalStateException("a stored profile is not valid YAML", e);
        }
    }
}
