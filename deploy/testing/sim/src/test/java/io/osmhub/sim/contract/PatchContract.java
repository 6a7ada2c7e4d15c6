package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import org.junit.jupiter.api.Test;

/** The part of the contract on patches and server-side apply. */
public abstract class PatchContract extends ContractCase {
    private static final String MERGE = "merge-patch+json";
    private static final String JSON = "json-patch+json";
    private static final String STRATEGIC = "strategic-merge-patch+json";
    private static final String APPLY = "apply-patch+yaml";

    @Test
    void aMergePatchSetsAndRemoves() {
        configMap("a", "1");

        Reply patched = ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":null,\"w\":\"2\"}}"));

        assertThat(patched.body().path("data").has("v")).isFalse();
        assertThat(patched.text("/data/w")).isEqualTo("2");
    }

    @Test
    void aPatchWithAnOldRevisionConflicts() {
        String old = configMap("a", "1").revision();
        ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":\"2\"}}"));

        Reply refused = api.patch(
                path("configmaps/a"),
                MERGE,
                "{\"metadata\":{\"resourceVersion\":\"%s\"},\"data\":{\"v\":\"3\"}}".formatted(old));

        assertThat(refused.errorSummary()).isEqualTo("409 Conflict");
    }

    @Test
    void aPatchThatChangesNothingKeepsTheRevision() {
        String before = configMap("a", "1").revision();

        assertThat(ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":\"1\"}}"))
                        .revision())
                .isEqualTo(before);
    }

    @Test
    void aPatchOfWhatIsMissingIsNotFound() {
        assertThat(api.patch(path("configmaps/a"), MERGE, "{}").errorSummary()).isEqualTo("404 NotFound");
    }

    @Test
    void aJsonPatchAddsReplacesAndRemoves() {
        configMap("a", "1");

        Reply patched = ok(api.patch(path("configmaps/a"), JSON, """
                [{"op":"test","path":"/data/v","value":"1"},
                 {"op":"replace","path":"/data/v","value":"2"},
                 {"op":"add","path":"/metadata/annotations","value":{"example.com/x":"y"}},
                 {"op":"add","path":"/data/w","value":"3"},
                 {"op":"copy","from":"/data/w","path":"/data/c"},
                 {"op":"remove","path":"/data/w"}]"""));

        assertThat(patched.text("/data/v")).isEqualTo("2");
        assertThat(patched.text("/data/c")).isEqualTo("3");
        assertThat(patched.body().path("data").has("w")).isFalse();
        assertThat(patched.text("/metadata/annotations/example.com~1x")).isEqualTo("y");
    }

    @Test
    void aJsonPatchWhoseTestFailsChangesNothing() {
        configMap("a", "1");

        Reply refused = api.patch(
                path("configmaps/a"),
                JSON,
                "[{\"op\":\"test\",\"path\":\"/data/v\",\"value\":\"x\"},{\"op\":\"remove\",\"path\":\"/data/v\"}]");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(ok(api.get(path("configmaps/a"))).text("/data/v")).isEqualTo("1");
    }

    @Test
    void aJsonPatchOfAMissingPathIsRefused() {
        configMap("a", "1");

        assertThat(api.patch(path("configmaps/a"), JSON, "[{\"op\":\"remove\",\"path\":\"/data/nope\"}]")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void aJsonPatchCanGuardTheFinalizersByTheRevision() {
        String revision = configMap("a", "1").revision();
        String patch = """
                [{"op":"test","path":"/metadata/resourceVersion","value":"%s"},
                 {"op":"add","path":"/metadata/finalizers","value":["example.com/hold"]}]""";

        Reply held = ok(api.patch(path("configmaps/a"), JSON, patch.formatted(revision)));
        Reply stale = api.patch(path("configmaps/a"), JSON, patch.formatted(revision));

        assertThat(held.text("/metadata/finalizers/0")).isEqualTo("example.com/hold");
        assertThat(stale.code()).isEqualTo(422);
        ok(api.patch(path("configmaps/a"), JSON, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]"));
    }

    @Test
    void aStrategicPatchMergesFinalizers() {
        created(api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/a\"]}}"));

        Reply merged =
                ok(api.patch(path("configmaps/a"), STRATEGIC, "{\"metadata\":{\"finalizers\":[\"example.com/b\"]}}"));
        Reply removed = ok(api.patch(
                path("configmaps/a"),
                STRATEGIC,
                "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"example.com/a\"]}}"));

        assertThat(merged.body().at("/metadata/finalizers")).hasSize(2);
        assertThat(removed.body().at("/metadata/finalizers")).hasSize(1);
        ok(api.patch(path("configmaps/a"), MERGE, "{\"metadata\":{\"finalizers\":null}}"));
    }

    @Test
    void aStrategicPatchMergesAnAccountsSecretsByName() {
        created(api.create(path("serviceaccounts"), "{\"metadata\":{\"name\":\"s\"},\"secrets\":[{\"name\":\"a\"}]}"));

        Reply merged = ok(api.patch(path("serviceaccounts/s"), STRATEGIC, "{\"secrets\":[{\"name\":\"b\"}]}"));
        Reply deleted = ok(api.patch(
                path("serviceaccounts/s"), STRATEGIC, "{\"secrets\":[{\"$patch\":\"delete\",\"name\":\"a\"}]}"));

        assertThat(merged.body().path("secrets")).hasSize(2);
        assertThat(deleted.body().path("secrets")).hasSize(1);
        assertThat(deleted.text("/secrets/0/name")).isEqualTo("b");
    }

    @Test
    void customResourcesTakeNoStrategicPatch() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", "")));

        Reply refused = api.patch(widgets + "/w", STRATEGIC, "{\"spec\":{}}");

        assertThat(refused.code()).isEqualTo(415);
    }

    @Test
    void aPatchOfAnUnknownKindIsRefused() {
        configMap("a", "1");

        assertThat(api.patch(path("configmaps/a"), "json", "{}").code()).isEqualTo(415);
    }

    @Test
    void applyCreatesAndThenChanges() {
        Reply first = api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"1\""));
        Reply second = api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"2\""));
        Reply third = api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"2\""));

        assertThat(created(first).text("/metadata/managedFields/0/operation")).isEqualTo("Apply");
        assertThat(ok(second).text("/data/v")).isEqualTo("2");
        assertThat(ok(third).revision()).isEqualTo(second.revision());
    }

    @Test
    void applyRemovesWhatTheManagerNoLongerNames() {
        created(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"1\",\"w\":\"1\"")));

        Reply applied = ok(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"w\":\"1\"")));

        assertThat(applied.body().path("data").has("v")).isFalse();
        assertThat(applied.text("/data/w")).isEqualTo("1");
    }

    @Test
    void applyLeavesWhatOthersWrote() {
        created(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"1\"")));
        created(api.patch(
                path("configmaps/b?fieldManager=me"),
                APPLY,
                configMapJson("\"v\":\"1\"").replace("\"a\"", "\"b\"")));
        ok(api.patch(path("configmaps/a?fieldManager=other"), MERGE, "{\"data\":{\"w\":\"2\"}}"));

        Reply applied = ok(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"3\"")));

        assertThat(applied.text("/data/v")).isEqualTo("3");
        assertThat(applied.text("/data/w")).isEqualTo("2");
    }

    @Test
    void applyOfAnothersFieldConflictsUnlessForced() {
        created(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"1\"")));

        Reply refused = api.patch(path("configmaps/a?fieldManager=other"), APPLY, configMapJson("\"v\":\"2\""));
        Reply forced =
                ok(api.patch(path("configmaps/a?fieldManager=other&force=true"), APPLY, configMapJson("\"v\":\"2\"")));

        assertThat(refused.errorSummary()).isEqualTo("409 Conflict");
        assertThat(refused.text("/details/causes/0/reason")).isEqualTo("FieldManagerConflict");
        assertThat(refused.text("/details/causes/0/field")).isEqualTo(".data.v");
        assertThat(forced.text("/data/v")).isEqualTo("2");
        assertThat(forced.body().at("/metadata/managedFields")).hasSize(1);
    }

    @Test
    void applyNeedsAManager() {
        assertThat(api.patch(path("configmaps/a"), APPLY, configMapJson("\"v\":\"1\""))
                        .code())
                .isIn(400, 422);
    }

    @Test
    void applyingTheSameValueIsSharedOwnership() {
        created(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("\"v\":\"1\"")));

        Reply shared = ok(api.patch(path("configmaps/a?fieldManager=other"), APPLY, configMapJson("\"v\":\"1\"")));
        Reply left = ok(api.patch(path("configmaps/a?fieldManager=me"), APPLY, configMapJson("")));

        assertThat(shared.body().at("/metadata/managedFields")).hasSize(2);
        assertThat(left.text("/data/v")).isEqualTo("1");
    }

    @Test
    void applyRemovesAFieldOfAListElementAndKeepsTheElement() {
        String path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/" + namespace;
        created(api.patch(path + "?fieldManager=me", APPLY, webhookJson("""
                ,"clientConfig":{"url":"https://localhost/"},"sideEffects":"None","admissionReviewVersions":["v1"]""")));
        ok(api.patch(path + "?fieldManager=other", APPLY, webhookJson(",\"timeoutSeconds\":7")));

        Reply applied = ok(api.patch(path + "?fieldManager=other", APPLY, webhookJson("")));

        ok(api.delete(path));
        assertThat(applied.body().path("webhooks")).hasSize(1);
        assertThat(applied.text("/webhooks/0/clientConfig/url")).isEqualTo("https://localhost/");
        assertThat(applied.text("/webhooks/0/timeoutSeconds")).isNotEqualTo("7");
    }

    private String webhookJson(String fields) {
        return """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
                 "metadata":{"name":"%s"},"webhooks":[{"name":"contract.example.com"%s}]}""".formatted(namespace, fields);
    }

    private static String configMapJson(String data) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{%s}}"
                .formatted(data);
    }
}
