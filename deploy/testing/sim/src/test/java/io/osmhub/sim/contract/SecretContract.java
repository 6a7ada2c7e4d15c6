package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import org.junit.jupiter.api.Test;

/** The part of the contract on Secrets, Leases, Events and bindings: the built-in kinds that a hub writes. */
public abstract class SecretContract extends ContractCase {
    @Test
    void stringDataBecomesData() {
        Reply created = created(
                api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"value\"}}"));

        assertThat(created.text("/data/k")).isEqualTo("dmFsdWU=");
        assertThat(created.body().has("stringData")).isFalse();
        assertThat(created.text("/type")).isEqualTo("Opaque");
    }

    @Test
    void dataMustBeBase64() {
        Reply refused = api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"data\":{\"k\":\"!\"}}");

        assertThat(refused.errorSummary()).isEqualTo("400 BadRequest");
    }

    @Test
    void keysAreChecked() {
        Reply refused = api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"data\":{\"a/b\":\"\"}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/details/causes/0/field")).isEqualTo("data[a/b]");
    }

    @Test
    void moreThanAMebibyteIsRefused() {
        String value = "QUFB".repeat(1024 * 1024 / 3 + 1);

        Reply refused =
                api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"data\":{\"k\":\"%s\"}}".formatted(value));

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message")).contains("Too long").contains("1048576");
    }

    @Test
    void anImmutableSecretKeepsItsData() {
        created(api.create(
                path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"immutable\":true,\"data\":{\"k\":\"dmFsdWU=\"}}"));

        Reply data = api.patch(path("secrets/s"), "merge-patch+json", "{\"data\":{\"k\":\"b3RoZXI=\"}}");
        Reply mutable = api.patch(path("secrets/s"), "merge-patch+json", "{\"immutable\":false}");
        Reply annotated =
                api.patch(path("secrets/s"), "merge-patch+json", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");

        assertThat(data.errorSummary()).isEqualTo("422 Invalid");
        assertThat(data.text("/message"))
                .isEqualTo("Secret \"s\" is invalid: data: Forbidden: field is immutable when `immutable` is set");
        assertThat(mutable.errorSummary()).isEqualTo("422 Invalid");
        ok(annotated);
    }

    @Test
    void theTypeOfASecretStays() {
        created(api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"type\":\"example.com/a\"}"));

        Reply refused = api.patch(path("secrets/s"), "merge-patch+json", "{\"type\":\"example.com/b\"}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message")).contains("field is immutable");
    }

    @Test
    void aTlsSecretNeedsItsKeys() {
        Reply refused = api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"type\":\"kubernetes.io/tls\"}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message")).contains("data[tls.crt]: Required value");
    }

    @Test
    void aServiceAccountTokenSecretNamesItsAccount() {
        Reply refused = api.create(
                path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"type\":\"kubernetes.io/service-account-token\"}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
    }

    @Test
    void secretsAreSelectedByType() {
        created(api.create(path("secrets"), "{\"metadata\":{\"name\":\"s\"},\"type\":\"example.com/a\"}"));
        created(api.create(path("secrets"), "{\"metadata\":{\"name\":\"t\"}}"));

        Reply found = ok(api.get(path("secrets") + "?fieldSelector=type%3Dexample.com%2Fa"));

        assertThat(found.body().path("items")).hasSize(1);
        assertThat(found.text("/items/0/metadata/name")).isEqualTo("s");
    }

    @Test
    void anImmutableConfigMapKeepsItsData() {
        created(api.create(
                path("configmaps"), "{\"metadata\":{\"name\":\"c\"},\"immutable\":true,\"data\":{\"k\":\"v\"}}"));

        assertThat(api.patch(path("configmaps/c"), "merge-patch+json", "{\"data\":{\"k\":\"w\"}}")
                        .errorSummary())
                .isEqualTo("422 Invalid");
    }

    @Test
    void aLeaseIsUpdatedOnlyFromARevision() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);
        Reply lease = created(api.create(
                leases,
                "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"a\",\"leaseDurationSeconds\":15,"
                        + "\"renewTime\":\"2026-01-01T00:00:00.000000Z\"}}"));

        Reply without =
                api.update(leases + "/l", "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"b\"}}");
        Reply with =
                api.update(leases + "/l", lease.raw().replace("\"holderIdentity\":\"a\"", "\"holderIdentity\":\"b\""));

        assertThat(without.errorSummary()).isEqualTo("422 Invalid");
        assertThat(ok(with).text("/spec/holderIdentity")).isEqualTo("b");
    }

    @Test
    void anUpdateOfAMissingLeaseCreatesIt() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);

        Reply lease = api.update(leases + "/l", "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"a\"}}");

        assertThat(created(lease).text("/spec/holderIdentity")).isEqualTo("a");
    }

    @Test
    void aRuleNeedsVerbs() {
        Reply refused = api.create(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles".formatted(namespace),
                "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[]}]}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message"))
                .contains("rules[0].verbs: Required value"); // the rest differs between versions
    }

    @Test
    void whatIsEmptyIsAbsent() {
        Reply created = created(api.create(
                path("secrets"), "{\"metadata\":{\"name\":\"s\",\"labels\":{},\"annotations\":{}},\"data\":{}}"));

        assertThat(created.body().has("data")).isFalse();
        assertThat(created.body().path("metadata").has("labels")).isFalse();
        assertThat(created.body().path("metadata").has("annotations")).isFalse();
    }

    @Test
    void aLeaseMayNotLastForLessThanASecond() {
        Reply refused = api.create(
                "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace),
                "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"leaseDurationSeconds\":0}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
    }

    @Test
    void anEventIsSeenUnderBothGroups() {
        String events = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
        created(api.create(events, """
                {"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"hub","reportingInstance":"hub-0",
                 "action":"Publish","reason":"Published","type":"Normal","note":"done",
                 "regarding":{"apiVersion":"v1","kind":"ConfigMap","name":"c","namespace":"%s"}}""".formatted(namespace)));

        Reply core = ok(api.get(path("events/e")));
        Reply selected = ok(api.get(path("events") + "?fieldSelector=involvedObject.name%3Dc,reason%3DPublished"));

        assertThat(core.text("/message")).isEqualTo("done");
        assertThat(core.text("/involvedObject/name")).isEqualTo("c");
        assertThat(core.text("/reportingComponent")).isEqualTo("hub");
        assertThat(selected.body().path("items")).hasSize(1);
        assertThat(ok(api.get(events + "/e")).text("/regarding/name")).isEqualTo("c");
    }

    @Test
    void aCoreEventIsSeenInTheOtherGroup() {
        created(api.create(path("events"), """
                {"metadata":{"name":"e"},"reason":"Published","type":"Warning","message":"done","count":2,
                 "involvedObject":{"kind":"ConfigMap","name":"c","namespace":"%s"},"source":{"component":"hub"}}""".formatted(namespace)));

        Reply other = ok(api.get("/apis/events.k8s.io/v1/namespaces/%s/events/e".formatted(namespace)));

        assertThat(other.text("/note")).isEqualTo("done");
        assertThat(other.text("/regarding/name")).isEqualTo("c");
        assertThat(other.text("/deprecatedCount")).isEqualTo("2");
    }

    @Test
    void anEventLiesWhereItsObjectIs() {
        Reply refused = api.create(
                path("events"),
                "{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"kind\":\"ConfigMap\",\"name\":\"c\",\"namespace\":\"default\"}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(refused.text("/message")).contains("does not match event.namespace");
    }

    @Test
    void aNewEventNeedsItsReporter() {
        Reply refused = api.create(
                "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace),
                "{\"metadata\":{\"name\":\"e\"},\"eventTime\":\"2026-01-01T00:00:00.000000Z\",\"reason\":\"R\",\"type\":\"Normal\",\"action\":\"A\",\"regarding\":{\"namespace\":\"%s\"}}"
                        .formatted(namespace));

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
    }

    @Test
    void whatARoleBindingBindsStays() {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/".formatted(namespace);
        created(api.create(rbac + "roles", "{\"metadata\":{\"name\":\"r\"},\"rules\":[]}"));
        String binding =
                "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":\"r\"}}";
        created(api.create(rbac + "rolebindings", binding));

        Reply refused = api.patch(rbac + "rolebindings/b", "merge-patch+json", "{\"roleRef\":{\"name\":\"other\"}}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        // "cannot change roleRef" until Kubernetes 1.36, "field is immutable" since.
        assertThat(refused.text("/message")).containsIgnoringCase("roleRef");
    }

    @Test
    void anEndpointSliceHasAnAddressType() {
        String slices = "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices".formatted(namespace);

        Reply refused = api.create(slices, "{\"metadata\":{\"name\":\"e\"},\"endpoints\":[]}");
        Reply accepted = api.create(
                slices,
                "{\"metadata\":{\"name\":\"e\"},\"addressType\":\"IPv4\",\"endpoints\":[{\"addresses\":[\"10.0.0.1\"]}],"
                        + "\"ports\":[{\"name\":\"https\",\"port\":6443}]}");

        assertThat(refused.errorSummary()).isEqualTo("422 Invalid");
        assertThat(created(accepted).text("/metadata/generation")).isEqualTo("1");
    }
}
