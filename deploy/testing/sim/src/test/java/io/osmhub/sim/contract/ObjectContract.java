package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

/** Create, read, update, delete: the part of the contract on single objects. */
public abstract class ObjectContract extends ContractCase {
    @Test
    void createAnswers201WithWhatTheServerFillsIn() {
        Reply created = configMap("a", "1");

        assertThat(created.text("/kind")).isEqualTo("ConfigMap");
        assertThat(created.text("/apiVersion")).isEqualTo("v1");
        assertThat(created.text("/metadata/uid")).hasSize(36);
        assertThat(created.text("/metadata/namespace")).isEqualTo(namespace);
        assertThat(created.text("/metadata/creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(Long.parseLong(created.revision())).isPositive();
        assertThat(created.text("/metadata/managedFields/0/manager")).isEqualTo("contract");
        assertThat(created.text("/metadata/managedFields/0/operation")).isEqualTo("Update");
    }

    @Test
    void theFieldManagerParameterNamesTheWriter() {
        Reply created = created(api.create(
                path("configmaps") + "?fieldManager=me", "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"1\"}}"));

        assertThat(created.text("/metadata/managedFields/0/manager")).isEqualTo("me");
        assertThat(created.body()
                        .at("/metadata/managedFields/0/fieldsV1/f:data/f:v")
                        .isObject())
                .isTrue();
    }

    @Test
    void http11And2GiveTheSame() {
        configMap("a", "1");

        Reply second = ok(api.get(path("configmaps/a")));
        Reply first = ok(ApiCaller.of(target(), HttpClient.Version.HTTP_1_1).get(path("configmaps/a")));

        assertThat(second.response().version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(first.response().version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(first.body()).isEqualTo(second.body());
    }

    @Test
    void aSecondObjectOfTheSameNameIsRefused() {
        configMap("a", "1");

        Reply again = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\"}}");

        assertThat(again.errorSummary()).isEqualTo("409 AlreadyExists");
        assertThat(again.text("/message")).isEqualTo("configmaps \"a\" already exists");
        assertThat(again.text("/details/name")).isEqualTo("a");
        assertThat(again.text("/details/kind")).isEqualTo("configmaps");
    }

    @Test
    void whatDoesNotExistIsNotFound() {
        Reply missing = api.get(path("configmaps/nope"));

        assertThat(missing.errorSummary()).isEqualTo("404 NotFound");
        assertThat(missing.text("/kind")).isEqualTo("Status");
        assertThat(missing.text("/status")).isEqualTo("Failure");
        assertThat(missing.text("/message")).isEqualTo("configmaps \"nope\" not found");
        assertThat(missing.text("/details/kind")).isEqualTo("configmaps");
    }

    @Test
    void anUnknownResourceIsNotFound() {
        assertThat(api.get(path("gadgets")).code()).isEqualTo(404);
        assertThat(api.get("/apis/nobody.example.com/v1/gadgets").code()).isEqualTo(404);
    }

    @Test
    void aNamespaceThatIsMissingIsNotFound() {
        Reply refused = api.create(
                "/api/v1/namespaces/%s-nope/configmaps".formatted(namespace), "{\"metadata\":{\"name\":\"a\"}}");

        assertThat(refused.errorSummary()).isEqualTo("404 NotFound");
        assertThat(refused.text("/message")).isEqualTo("namespaces \"%s-nope\" not found".formatted(namespace));
    }

    @Test
    void namesAreChecked() {
        Reply refused = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"A_b\"}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/details/causes/0/field")).isEqualTo("metadata.name");
        assertThat(refused.text("/message"))
                .startsWith(
                        "ConfigMap \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain");
    }

    @Test
    void aNameIsRequired() {
        Reply refused = api.create(path("configmaps"), "{\"metadata\":{}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/details/causes/0/reason")).isEqualTo("FieldValueRequired");
    }

    @Test
    void whatIsInvalidIsToldBeforeWhatExists() {
        configMap("a", "1");

        Reply refused = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"labels\":{\"l\":\"-\"}}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
    }

    @Test
    void labelValuesHaveAtMost63Characters() {
        Reply refused = api.create(
                path("configmaps"),
                "{\"metadata\":{\"name\":\"a\",\"labels\":{\"l\":\"%s\"}}}".formatted("x".repeat(64)));

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/details/causes/0/field")).isEqualTo("metadata.labels");
    }

    @Test
    void generateNameGivesDifferentNames() {
        String body = "{\"metadata\":{\"generateName\":\"gen-\"}}";

        String first = created(api.create(path("configmaps"), body)).text("/metadata/name");
        String second = created(api.create(path("configmaps"), body)).text("/metadata/name");

        assertThat(first).matches("gen-[a-z0-9]{5}").isNotEqualTo(second);
    }

    @Test
    void aBodyForAnotherNamespaceIsRefused() {
        Reply refused = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}");

        assertThat(refused.errorSummary()).isEqualTo("400 BadRequest");
    }

    @Test
    void aBodyOfAnotherKindIsRefused() {
        Reply refused = api.create(
                path("configmaps"), "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}");

        assertThat(refused.errorSummary()).isEqualTo("400 BadRequest");
        assertThat(refused.text("/message")).startsWith("Secret in version \"v1\" cannot be handled as a ConfigMap");
    }

    @Test
    void aNewObjectHasNoRevisionYet() {
        Reply refused = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"5\"}}");

        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.text("/message")).isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @Test
    void aBodyThatIsNotJsonIsRefused() {
        assertThat(api.create(path("configmaps"), "{\"metadata\":").code()).isEqualTo(400);
    }

    @Test
    void updateReplacesAndMovesTheRevision() {
        Reply before = configMap("a", "1");

        Reply after = ok(api.update(path("configmaps/a"), before.raw().replace("\"v\":\"1\"", "\"v\":\"2\"")));

        assertThat(after.text("/data/v")).isEqualTo("2");
        assertThat(after.text("/metadata/uid")).isEqualTo(before.text("/metadata/uid"));
        assertThat(Long.parseLong(after.revision())).isGreaterThan(Long.parseLong(before.revision()));
    }

    @Test
    void anUpdateFromAnOldRevisionConflicts() {
        Reply before = configMap("a", "1");
        ok(api.patch(path("configmaps/a"), "merge-patch+json", "{\"data\":{\"v\":\"2\"}}"));

        Reply refused = api.update(path("configmaps/a"), before.raw().replace("\"v\":\"1\"", "\"v\":\"3\""));

        assertThat(refused.errorSummary()).isEqualTo("409 Conflict");
        assertThat(refused.text("/message"))
                .isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been modified; "
                        + "please apply your changes to the latest version and try again");
    }

    @Test
    void anUpdateWithoutARevisionOverwritesBuiltInKinds() {
        configMap("a", "1");

        Reply after = ok(api.update(path("configmaps/a"), "{\"metadata\":{\"name\":\"a\"},\"data\":{\"v\":\"2\"}}"));

        assertThat(after.text("/data/v")).isEqualTo("2");
    }

    @Test
    void anUpdateThatChangesNothingKeepsTheRevision() {
        Reply before = configMap("a", "1");

        Reply after = ok(api.update(path("configmaps/a"), before.raw()));

        assertThat(after.revision()).isEqualTo(before.revision());
    }

    @Test
    void anUpdateOfWhatIsMissingIsNotFound() {
        assertThat(api.update(path("configmaps/a"), "{\"metadata\":{\"name\":\"a\"}}")
                        .errorSummary())
                .isEqualTo("404 NotFound");
    }

    @Test
    void anUpdateUnderAnotherNameIsRefused() {
        configMap("a", "1");

        assertThat(api.update(path("configmaps/a"), "{\"metadata\":{\"name\":\"b\"}}")
                        .errorSummary())
                .isEqualTo("400 BadRequest");
    }

    @Test
    void anUpdateWithAnotherUidConflicts() {
        configMap("a", "1");

        Reply refused = api.update(
                path("configmaps/a"),
                "{\"metadata\":{\"name\":\"a\",\"uid\":\"11111111-1111-1111-1111-111111111111\"},\"data\":{}}");

        assertThat(refused.errorSummary()).isEqualTo("409 Conflict");
    }

    @Test
    void deleteAnswersWithWhatIsGone() {
        String uid = configMap("a", "1").text("/metadata/uid");

        Reply deleted = ok(api.delete(path("configmaps/a")));

        assertThat(deleted.text("/kind")).isEqualTo("Status");
        assertThat(deleted.text("/status")).isEqualTo("Success");
        assertThat(deleted.text("/details/name")).isEqualTo("a");
        assertThat(deleted.text("/details/kind")).isEqualTo("configmaps");
        assertThat(deleted.text("/details/uid")).isEqualTo(uid);
        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(404);
        assertThat(api.delete(path("configmaps/a")).code()).isEqualTo(404);
    }

    @Test
    void deleteHoldsToItsPreconditions() {
        Reply created = configMap("a", "1");
        String options = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"%s\":\"%s\"}}";

        Reply byUid =
                api.delete(path("configmaps/a"), options.formatted("uid", "11111111-1111-1111-1111-111111111111"));
        Reply byRevision = api.delete(path("configmaps/a"), options.formatted("resourceVersion", "1"));
        Reply fitting = api.delete(path("configmaps/a"), options.formatted("resourceVersion", created.revision()));

        assertThat(byUid.errorSummary()).isEqualTo("409 Conflict");
        assertThat(byUid.text("/message"))
                .contains(
                        "the UID in the precondition (11111111-1111-1111-1111-111111111111) does not match the UID in record");
        assertThat(byRevision.errorSummary()).isEqualTo("409 Conflict");
        ok(fitting);
    }

    @Test
    void finalizersHoldADeletedObject() {
        created(api.create(
                path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}"));

        Reply marked = ok(api.delete(path("configmaps/a")));
        Reply held = ok(api.get(path("configmaps/a")));
        Reply added = api.patch(
                path("configmaps/a"),
                "merge-patch+json",
                "{\"metadata\":{\"finalizers\":[\"example.com/hold\",\"example.com/more\"]}}");
        ok(api.patch(path("configmaps/a"), "merge-patch+json", "{\"metadata\":{\"finalizers\":null}}"));

        assertThat(marked.text("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(held.text("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(held.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
        assertThat(added.errorSummary()).isEqualTo("422 Invalid");
        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(404);
    }

    @Test
    void aFinalizerWithoutADomainIsRefusedOrWarnedAboutButNotLost() {
        Reply reply = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"not valid!\"]}}");

        assertThat(reply.errorSummary()).isEqualTo("422 Invalid");
    }

    @Test
    void deleteOfACollectionTakesWhatIsSelected() {
        labelled("a", "\"x\":\"1\"");
        labelled("b", "\"x\":\"2\"");

        ok(api.delete(path("configmaps") + "?labelSelector=x%3D1"));

        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(404);
        assertThat(api.get(path("configmaps/b")).code()).isEqualTo(200);
    }

    @Test
    void aDryRunChangesNothing() {
        Reply dry = created(api.create(path("configmaps") + "?dryRun=All", "{\"metadata\":{\"name\":\"a\"}}"));

        assertThat(dry.text("/metadata/uid")).isNotEmpty();
        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(404);
    }

    @Test
    void theServersOwnNamespacesCannotBeDeleted() {
        assertThat(api.delete("/api/v1/namespaces/kube-system").errorSummary()).isEqualTo("403 Forbidden");
    }

    @Test
    void namespacesCarryTheirNameAsALabelAndTheirPhase() {
        Reply found = ok(api.get("/api/v1/namespaces/" + namespace));

        assertThat(found.body()
                        .at("/metadata/labels")
                        .path("kubernetes.io/metadata.name")
                        .asText())
                .isEqualTo(namespace);
        assertThat(found.text("/status/phase")).isEqualTo("Active");
        assertThat(found.text("/spec/finalizers/0")).isEqualTo("kubernetes");
    }

    @Test
    void aDeletedNamespaceTerminatesAndTakesNoNewObjects() {
        configMap("a", "1");
        ok(api.patch(
                path("configmaps/a"), "merge-patch+json", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}"));

        Reply deleted = ok(api.delete("/api/v1/namespaces/" + namespace));
        Reply refused = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"b\"}}");

        assertThat(deleted.text("/status/phase")).isEqualTo("Terminating");
        assertThat(refused.errorSummary()).isEqualTo("403 Forbidden");
        assertThat(refused.text("/message")).contains("because it is being terminated");
    }
}
