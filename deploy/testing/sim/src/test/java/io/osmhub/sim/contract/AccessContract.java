package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** The part of the contract on who is asking and what they may do. The server has to run with RBAC and bootstrap tokens. */
public abstract class AccessContract extends ContractCase {
    private static final String REVIEW = "/apis/authentication.k8s.io/v1/";
    private static final String ACCESS = "/apis/authorization.k8s.io/v1/";

    @Test
    void anUnknownTokenIsUnauthorized() {
        Reply refused = api.as("nobody").get(path("configmaps"));

        assertThat(refused.errorSummary()).isEqualTo("401 Unauthorized");
        assertThat(refused.text("/message")).isEqualTo("Unauthorized");
    }

    @Test
    void withoutATokenOneIsAnonymous() {
        Reply refused = api.as("").get(path("secrets"));

        assertThat(refused.errorSummary()).isEqualTo("403 Forbidden");
        assertThat(refused.text("/message"))
                .contains("User \"system:anonymous\" cannot list resource \"secrets\" in API group \"\"");
        assertThat(api.as("").get("/healthz").code()).isEqualTo(200);
        assertThat(api.as("").get("/version").code()).isEqualTo(200);
    }

    @Test
    void aServiceAccountsTokenIsAccepted() {
        String token = accountToken("robot");

        Reply who = created(api.as(token).create(REVIEW + "selfsubjectreviews", "{}"));

        assertThat(who.text("/status/userInfo/username"))
                .isEqualTo("system:serviceaccount:%s:robot".formatted(namespace));
        assertThat(who.body().at("/status/userInfo/groups").toString())
                .contains("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
    }

    @Test
    void aTokenRequestTellsWhenTheTokenEnds() {
        created(api.create(path("serviceaccounts"), "{\"metadata\":{\"name\":\"robot\"}}"));

        Reply reply =
                created(api.create(path("serviceaccounts/robot/token"), "{\"spec\":{\"expirationSeconds\":600}}"));

        assertThat(reply.text("/kind")).isEqualTo("TokenRequest");
        assertThat(reply.text("/status/expirationTimestamp")).matches("\\d{4}-.*Z");
        String claims = new String(
                Base64.getUrlDecoder().decode(reply.text("/status/token").split("\\.")[1]), StandardCharsets.UTF_8);
        assertThat(claims)
                .contains("\"sub\":\"system:serviceaccount:%s:robot\"".formatted(namespace))
                .contains("\"exp\":");
    }

    @Test
    void aTokenRequestForLessThanTenMinutesIsRefused() {
        created(api.create(path("serviceaccounts"), "{\"metadata\":{\"name\":\"robot\"}}"));

        assertThat(api.create(path("serviceaccounts/robot/token"), "{\"spec\":{\"expirationSeconds\":60}}")
                        .errorSummary())
                .isEqualTo("422 Invalid");
    }

    @Test
    void aTokenEndsWithItsAccount() {
        String token = accountToken("robot");
        created(api.as(token).create(REVIEW + "selfsubjectreviews", "{}"));

        ok(api.delete(path("serviceaccounts/robot")));

        // The real server keeps its answer about a token for some seconds.
        ContractAwait.until(
                "the token is refused",
                () -> api.as(token).create(REVIEW + "selfsubjectreviews", "{}").code() == 401);
    }

    @Test
    void withoutARoleNothingIsAllowed() {
        Reply refused = api.as(accountToken("robot")).get(path("configmaps/a"));

        assertThat(refused.errorSummary()).isEqualTo("403 Forbidden");
        assertThat(refused.text("/message"))
                .isEqualTo(
                        "configmaps \"a\" is forbidden: User \"system:serviceaccount:%1$s:robot\" cannot get resource \"configmaps\" "
                                        .formatted(namespace)
                                + "in API group \"\" in the namespace \"%s\"".formatted(namespace));
    }

    @Test
    void aRoleAllowsWhatItNamesAndNothingElse() {
        ApiCaller robot = api.as(accountToken("robot"));
        configMap("a", "1");
        configMap("b", "1");
        grant("{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"],\"verbs\":[\"get\"],\"resourceNames\":[\"a\"]}");

        ContractAwait.until(
                "the role is in force", () -> robot.get(path("configmaps/a")).code() == 200);

        assertThat(robot.get(path("configmaps/b")).code()).isEqualTo(403);
        assertThat(robot.get(path("configmaps")).code()).isEqualTo(403);
        assertThat(robot.delete(path("configmaps/a")).code()).isEqualTo(403);
        assertThat(robot.get("/api/v1/namespaces/default/configmaps/a").code()).isEqualTo(403);
    }

    @Test
    void aRoleForOneObjectAllowsListsAndWatchesThatSelectIt() {
        ApiCaller robot = api.as(accountToken("robot"));
        configMap("a", "1");
        configMap("b", "1");
        grant(
                "{\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"],\"verbs\":[\"list\",\"watch\"],\"resourceNames\":[\"a\"]}");
        String selected = path("configmaps") + "?fieldSelector=metadata.name%3D";

        ContractAwait.until(
                "the role is in force", () -> robot.get(selected + "a").code() == 200);

        assertThat(robot.get(selected + "a").body().path("items")).hasSize(1);
        assertThat(robot.get(selected + "a&watch=true&timeoutSeconds=1").code()).isEqualTo(200);
        String both = "?fieldSelector=metadata.namespace%3D" + namespace + ",metadata.name%3Da";
        assertThat(robot.get(path("configmaps") + both).code()).isEqualTo(200);
        assertThat(robot.get(selected + "b").code()).isEqualTo(403);
        assertThat(robot.get(path("configmaps") + "?fieldSelector=metadata.name!%3Db")
                        .code())
                .isEqualTo(403);
        assertThat(robot.get(path("configmaps")).code()).isEqualTo(403);
        assertThat(robot.delete(selected + "a").code()).isEqualTo(403);
    }

    @Test
    void aSubresourceNeedsARuleOfItsOwn() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", "")));
        ApiCaller robot = api.as(accountToken("robot"));
        grant("{\"apiGroups\":[\"%s.example.com\"],\"resources\":[\"widgets\"],\"verbs\":[\"*\"]}"
                .formatted(namespace));

        ContractAwait.until(
                "the role is in force", () -> robot.get(widgets + "/w").code() == 200);

        assertThat(robot.patch(widgets + "/w/status", "merge-patch+json", "{\"status\":{}}")
                        .code())
                .isEqualTo(403);
    }

    @Test
    void accessCanBeReviewedForOneself() {
        ApiCaller robot = api.as(accountToken("robot"));
        String review =
                "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"secrets\",\"namespace\":\"%s\"}}}"
                        .formatted(namespace);

        Reply before = created(robot.create(ACCESS + "selfsubjectaccessreviews", review));
        grant("{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]}");
        ContractAwait.until("the role is in force", () -> robot.create(ACCESS + "selfsubjectaccessreviews", review)
                .body()
                .at("/status/allowed")
                .asBoolean());

        assertThat(before.body().at("/status/allowed").asBoolean()).isFalse();
    }

    @Test
    void accessCanBeReviewedForOthers() {
        accountToken("robot");
        grant("{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]}");
        String review =
                "{\"spec\":{\"user\":\"system:serviceaccount:%1$s:robot\",\"resourceAttributes\":{\"verb\":\"%2$s\",\"resource\":\"secrets\",\"namespace\":\"%1$s\"}}}";

        ContractAwait.until("the role is in force", () -> api.create(
                        ACCESS + "subjectaccessreviews", review.formatted(namespace, "get"))
                .body()
                .at("/status/allowed")
                .asBoolean());
        Reply other = created(api.create(ACCESS + "subjectaccessreviews", review.formatted(namespace, "list")));

        assertThat(other.body().at("/status/allowed").asBoolean()).isFalse();
    }

    @Test
    void theRulesInForceCanBeListed() {
        ApiCaller robot = api.as(accountToken("robot"));
        grant("{\"apiGroups\":[\"example.com\"],\"resources\":[\"things\"],\"verbs\":[\"get\"]}");

        ContractAwait.until("the role is in force", () -> robot.create(
                        ACCESS + "selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"%s\"}}".formatted(namespace))
                .raw()
                .contains("things"));
        // How the hub asks what holds everywhere: a Role grants nothing in a namespace that cannot exist.
        Reply everywhere =
                created(robot.create(ACCESS + "selfsubjectrulesreviews", "{\"spec\":{\"namespace\":\"_\"}}"));
        assertThat(everywhere.raw()).contains("resourceRules").doesNotContain("things");
        assertThat(everywhere.body().at("/status/incomplete").asBoolean()).isFalse();
    }

    @Test
    void aTokenCanBeReviewed() {
        String token = accountToken("robot");

        Reply good = created(api.create(REVIEW + "tokenreviews", "{\"spec\":{\"token\":\"%s\"}}".formatted(token)));
        Reply bad = created(api.create(REVIEW + "tokenreviews", "{\"spec\":{\"token\":\"nobody\"}}"));

        assertThat(good.body().at("/status/authenticated").asBoolean()).isTrue();
        assertThat(good.text("/status/user/username")).isEqualTo("system:serviceaccount:%s:robot".formatted(namespace));
        assertThat(bad.body().at("/status/authenticated").asBoolean()).isFalse();
    }

    @Test
    void aBootstrapTokenIsAcceptedWhileItsSecretSaysSo() {
        String id = tokenId("a");
        String path = "/api/v1/namespaces/kube-system/secrets";
        created(api.create(path, """
                {"metadata":{"name":"bootstrap-token-%1$s"},"type":"bootstrap.kubernetes.io/token","stringData":{"token-id":"%1$s",
                 "token-secret":"0123456789abcdef","usage-bootstrap-authentication":"true","expiration":"%2$s",
                 "auth-extra-groups":"system:bootstrappers:machine-controller:default-node-token"}}""".formatted(id, "2126-01-01T00:00:00Z")));
        ApiCaller kubelet = api.as(id + ".0123456789abcdef");

        ContractAwait.until(
                "the token is accepted",
                () -> kubelet.create(REVIEW + "selfsubjectreviews", "{}").code() == 201);
        Reply who = created(kubelet.create(REVIEW + "selfsubjectreviews", "{}"));
        ok(api.delete(path + "/bootstrap-token-" + id));

        assertThat(who.text("/status/userInfo/username")).isEqualTo("system:bootstrap:" + id);
        assertThat(who.body().at("/status/userInfo/groups").toString())
                .contains("system:bootstrappers:machine-controller:default-node-token");
        ContractAwait.until(
                "the token is refused",
                () -> kubelet.create(REVIEW + "selfsubjectreviews", "{}").code() == 401);
    }

    @Test
    void anExpiredBootstrapTokenIsRefused() {
        String id = tokenId("z");
        created(api.create("/api/v1/namespaces/kube-system/secrets", """
                {"metadata":{"name":"bootstrap-token-%1$s"},"type":"bootstrap.kubernetes.io/token","stringData":{"token-id":"%1$s",
                 "token-secret":"0123456789abcdef","usage-bootstrap-authentication":"true","expiration":"2020-01-01T00:00:00Z"}}""".formatted(id)));

        assertThat(api.as(id + ".0123456789abcdef")
                        .create(REVIEW + "selfsubjectreviews", "{}")
                        .code())
                .isEqualTo(401);
    }

    /** Six characters that no other test uses. */
    private String tokenId(String first) {
        String digits = "000000" + Integer.toString(namespace.hashCode() & 0x7fffffff, 36);
        return first + digits.substring(digits.length() - 5);
    }

    /** A token of a new service account. */
    private String accountToken(String name) {
        created(api.create(path("serviceaccounts"), "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)));
        return created(api.create(path("serviceaccounts/%s/token".formatted(name)), "{\"spec\":{}}"))
                .text("/status/token");
    }

    /** Gives the account robot a role with this rule. */
    private void grant(String rule) {
        String rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/".formatted(namespace);
        created(api.create(rbac + "roles", "{\"metadata\":{\"name\":\"r\"},\"rules\":[%s]}".formatted(rule)));
        created(api.create(rbac + "rolebindings", """
                {"metadata":{"name":"r"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"},
                 "subjects":[{"kind":"ServiceAccount","name":"robot","namespace":"%s"}]}""".formatted(namespace)));
    }
}
