package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.contract.ApiCaller.Reply;
import org.junit.jupiter.api.Test;

/** The part of the contract on CustomResourceDefinitions and the kinds that they define. */
public abstract class DefinitionContract extends ContractCase {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String MERGE = "merge-patch+json";

    @Test
    void aDefinedKindIsServedAndDiscovered() {
        String widgets = widgets();
        String group = namespace + ".example.com";

        Reply created = created(api.create(widgets, widget("w", ",\"spec\":{\"size\":1}")));
        Reply resources = ok(api.get("/apis/%s/v1".formatted(group)));

        assertThat(created.text("/kind")).isEqualTo("Widget");
        assertThat(created.text("/apiVersion")).isEqualTo(group + "/v1");
        assertThat(created.text("/metadata/generation")).isEqualTo("1");
        assertThat(resources.body().path("resources")).anySatisfy(resource -> {
            assertThat(resource.path("name").asText()).isEqualTo("widgets");
            assertThat(resource.at("/shortNames/0").asText()).isEqualTo("wg");
        });
        assertThat(resources.body().path("resources"))
                .anySatisfy(
                        resource -> assertThat(resource.path("name").asText()).isEqualTo("widgets/status"));
        assertThat(ok(api.get("/apis/" + group)).text("/versions/0/groupVersion"))
                .isEqualTo(group + "/v1");
    }

    @Test
    void aDefinitionSaysThatItIsEstablished() {
        widgets();

        Reply definition = ok(api.get(DEFINITIONS + "/widgets.%s.example.com".formatted(namespace)));

        assertThat(definition.text("/status/storedVersions/0")).isEqualTo("v1");
        assertThat(definition.text("/status/acceptedNames/kind")).isEqualTo("Widget");
        for (JsonNode condition : definition.body().at("/status/conditions")) {
            assertThat(condition.path("status").asText()).isEqualTo("True");
        }
        assertThat(definition.body().at("/status/conditions").findValuesAsText("type"))
                .contains("Established", "NamesAccepted");
    }

    @Test
    void aDefinitionIsNamedAfterPluralAndGroup() {
        Reply refused = api.create(DEFINITIONS, """
                {"metadata":{"name":"wrong"},"spec":{"group":"x.example.com","scope":"Namespaced","names":{"kind":"A","plural":"as"},
                 "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}""");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message")).contains("must be spec.names.plural+\".\"+spec.group");
    }

    @Test
    void aClusterScopedKindHasNoNamespace() {
        String widgets = widgets("Cluster", "");

        Reply created = created(api.create(widgets, widget("w", "")));

        assertThat(created.body().at("/metadata/namespace").isMissingNode()).isTrue();
        assertThat(api.get(widgets.replace("/widgets", "/namespaces/%s/widgets".formatted(namespace)))
                        .code())
                .isEqualTo(404);
    }

    @Test
    void aKindIsGoneWithItsDefinition() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", "")));

        ok(api.delete(DEFINITIONS + "/widgets.%s.example.com".formatted(namespace)));

        ContractAwait.until(
                "the kind is no longer served", () -> api.get(widgets).code() == 404);
    }

    @Test
    void theGenerationCountsChangesOfTheSpec() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", ",\"spec\":{\"size\":1}")));

        Reply spec = ok(api.patch(widgets + "/w", MERGE, "{\"spec\":{\"size\":2}}"));
        Reply label = ok(api.patch(widgets + "/w", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
        Reply status = ok(api.patch(widgets + "/w/status", MERGE, "{\"status\":{\"done\":true}}"));

        assertThat(spec.text("/metadata/generation")).isEqualTo("2");
        assertThat(label.text("/metadata/generation")).isEqualTo("2");
        assertThat(status.text("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void theMainResourceCannotWriteTheStatus() {
        String widgets = widgets();

        Reply created = created(api.create(widgets, widget("w", ",\"status\":{\"done\":true}")));
        Reply patched = ok(api.patch(widgets + "/w", MERGE, "{\"status\":{\"done\":true}}"));

        assertThat(created.body().has("status")).isFalse();
        assertThat(patched.body().has("status")).isFalse();
        assertThat(patched.revision()).isEqualTo(created.revision());
    }

    @Test
    void theStatusSubresourceWritesNothingElse() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", ",\"spec\":{\"size\":1}")));

        Reply patched = ok(api.patch(
                widgets + "/w/status",
                MERGE,
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"size\":2},\"status\":{\"done\":true}}"));

        assertThat(patched.text("/status/done")).isEqualTo("true");
        assertThat(patched.text("/spec/size")).isEqualTo("1");
        assertThat(patched.body().at("/metadata/labels").isMissingNode()).isTrue();
        assertThat(patched.body().at("/metadata/managedFields").findValuesAsText("subresource"))
                .contains("status");
    }

    @Test
    void aStatusCanBeReadAndReplaced() {
        String widgets = widgets();
        Reply created = created(api.create(widgets, widget("w", "")));

        Reply updated = ok(api.update(
                widgets + "/w/status",
                widget("w", ",\"status\":{\"done\":true}")
                        .replace(
                                "\"name\":\"w\"",
                                "\"name\":\"w\",\"resourceVersion\":\"%s\"".formatted(created.revision()))));

        assertThat(updated.text("/status/done")).isEqualTo("true");
        assertThat(ok(api.get(widgets + "/w/status")).text("/status/done")).isEqualTo("true");
    }

    @Test
    void withoutTheSubresourceTheStatusIsAFieldLikeAnyOther() {
        String widgets = widgets("Namespaced", "");

        Reply created = created(api.create(widgets, widget("w", ",\"status\":{\"done\":true}")));

        assertThat(created.text("/status/done")).isEqualTo("true");
        assertThat(api.get(widgets + "/w/status").code()).isEqualTo(404);
    }

    @Test
    void customResourcesAreUpdatedOnlyFromARevision() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", "")));

        Reply refused = api.update(widgets + "/w", widget("w", ",\"spec\":{\"size\":2}"));

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message"))
                .contains("metadata.resourceVersion")
                .contains("must be specified for an update");
    }

    @Test
    void aDeletionMovesTheGenerationWhenFinalizersHold() {
        String widgets = widgets();
        created(api.create(
                widgets,
                widget("w", "").replace("\"name\":\"w\"", "\"name\":\"w\",\"finalizers\":[\"example.com/hold\"]")));

        Reply marked = ok(api.delete(widgets + "/w"));
        ok(api.patch(widgets + "/w", MERGE, "{\"metadata\":{\"finalizers\":[]}}"));

        assertThat(marked.text("/metadata/generation")).isEqualTo("2");
        assertThat(api.get(widgets + "/w").code()).isEqualTo(404);
    }

    @Test
    void customResourcesAreWatched() {
        String widgets = widgets();
        String from = created(api.create(widgets, widget("w", ""))).revision();

        try (ApiCaller.OpenWatch watch = api.watch(widgets + "?watch=true&resourceVersion=" + from)) {
            ok(api.patch(widgets + "/w/status", MERGE, "{\"status\":{\"done\":true}}"));

            JsonNode modified = watch.next();
            assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(modified.at("/object/kind").asText()).isEqualTo("Widget");
            assertThat(modified.at("/object/status/done").asBoolean()).isTrue();
        }
    }

    @Test
    void aBodyOfAnotherKindOrVersionIsRefused() {
        String widgets = widgets();

        Reply kind = api.create(widgets, widget("w", "").replace("\"Widget\"", "\"Gadget\""));
        Reply version = api.create(widgets, widget("w", "").replace("/v1\"", "/v2\""));

        assertThat(kind.errorSummary()).isEqualTo("422 Invalid");
        assertThat(kind.text("/message")).contains("must be Widget");
        assertThat(version.errorSummary()).isEqualTo("400 BadRequest");
    }

    @Test
    void theSchemaIsEnforcedAndItsDefaultsAreFilledIn() {
        String group = namespace + ".example.com";
        created(api.create(DEFINITIONS, """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.%1$s"},
                 "spec":{"group":"%1$s","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},
                  "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","required":["spec"],
                   "properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},"spec":{"type":"object","required":["name"],"properties":{
                    "name":{"type":"string","pattern":"^[a-z]+$","maxLength":5},
                    "size":{"type":"integer","minimum":1,"default":3},
                    "color":{"type":"string","enum":["red","blue"]},
                    "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}}}}}}}]}}""".formatted(group)));
        String things = "/apis/%s/v1/namespaces/%s/things".formatted(group, namespace);
        ContractAwait.until("Thing is served", () -> api.get(things).code() == 200);

        Reply accepted = created(thing(things, "a", "{\"name\":\"abc\",\"stray\":1}"));

        assertThat(accepted.text("/metadata/name")).isEqualTo("a");
        assertThat(accepted.text("/metadata/uid")).isNotEmpty();
        assertThat(accepted.text("/spec/size")).isEqualTo("3");
        assertThat(accepted.body().path("spec").has("stray")).isFalse();
        assertThat(thing(things, "b", "{}").text("/message")).contains("spec.name: Required value");
        assertThat(thing(things, "b", "{\"name\":\"ABC\"}").text("/message"))
                .contains("spec.name in body should match '^[a-z]+$'");
        assertThat(thing(things, "b", "{\"name\":\"abcdef\"}").text("/message")).contains("spec.name: Too long");
        assertThat(thing(things, "b", "{\"name\":\"abc\",\"size\":0}").text("/message"))
                .contains("spec.size in body should be greater than or equal to 1");
        assertThat(thing(things, "b", "{\"name\":\"abc\",\"size\":\"x\"}").text("/message"))
                .contains("spec.size in body must be of type integer: \"string\"");
        assertThat(thing(things, "b", "{\"name\":\"abc\",\"color\":\"green\"}").text("/message"))
                .contains("Unsupported value: \"green\": supported values: \"red\", \"blue\"");
    }

    private Reply thing(String things, String name, String spec) {
        return api.create(
                things,
                "{\"apiVersion\":\"%s.example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}"
                        .formatted(namespace, name, spec));
    }

    @Test
    void theScaleSubresourceShowsAndChangesTheReplicas() {
        String widgets = widgets(
                "Namespaced",
                ",\"subresources\":{\"status\":{},\"scale\":{\"specReplicasPath\":\".spec.replicas\",\"statusReplicasPath\":\".status.replicas\"}}");
        created(api.create(widgets, widget("w", ",\"spec\":{\"replicas\":2}")));

        Reply before = ok(api.get(widgets + "/w/scale"));
        Reply after = ok(api.patch(widgets + "/w/scale", MERGE, "{\"spec\":{\"replicas\":5}}"));
        Reply updated = ok(api.update(widgets + "/w/scale", after.raw().replace("\"replicas\":5", "\"replicas\":6")));

        assertThat(before.text("/kind")).isEqualTo("Scale");
        assertThat(before.text("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(before.text("/spec/replicas")).isEqualTo("2");
        assertThat(before.text("/status/replicas")).isEqualTo("0");
        assertThat(updated.text("/spec/replicas")).isEqualTo("6");
        assertThat(ok(api.get(widgets + "/w")).text("/spec/replicas")).isEqualTo("6");
        assertThat(api.patch(widgets + "/w/scale", MERGE, "{\"spec\":{\"replicas\":-1}}")
                        .errorSummary())
                .isEqualTo("422 Invalid");
    }

    @Test
    void unknownFieldsArePruned() {
        String widgets = widgets();

        Reply created = created(api.create(widgets, widget("w", ",\"stray\":1,\"spec\":{\"kept\":1}")));

        assertThat(created.body().has("stray")).isFalse();
        assertThat(created.text("/spec/kept")).isEqualTo("1");
    }
}
