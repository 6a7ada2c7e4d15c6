package io.osmhub.api.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.osmhub.api.contract.ValidatedRequest.RawRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValidatedRequestTest {
    private static final ApiContract CONTRACT = ApiContract.load();
    private static final Map<String, String> SHOP = Map.of("namespace", "cluster-a", "name", "shop");

    @Test
    void theContractHasAllItsOperations() {
        assertThat(CONTRACT.operations()).hasSize(29);
        assertThat(CONTRACT.operation("signIn").anonymous()).isTrue();
        assertThat(CONTRACT.operation("getSummary").anonymous()).isFalse();
    }

    @Test
    void aGoodListRequestIsReadWithItsDefaults() throws ApiProblem {
        ValidatedRequest request = list("state=Degraded,Unreachable&search=a%20b");

        assertThat(request.query())
                .containsEntry("state", List.of("Degraded", "Unreachable"))
                .containsEntry("search", List.of("a b"))
                .containsEntry("limit", List.of("100"));
    }

    @Test
    void allMistakesOfAQueryAreToldAtOnce() {
        ApiProblem problem = catchThrowableOfType(
                ApiProblem.class,
                () -> list("limit=1000&stat=Degraded&state=Degradd&sort=a;b&search=1&search=2&x=%zz"));

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.mistakes())
                .extracting(RequestError::pointer, RequestError::detail, RequestError::cure)
                .contains(
                        tuple("limit", "limit is more than 500", "write 500 or less"),
                        tuple("stat", "stat is not a parameter of this operation", "did you mean state?"),
                        tuple("search", "search is given 2 times", "give it once"));
        assertThat(problem.mistakes()).extracting(RequestError::pointer).contains("state", "sort", "x");
        assertThat(problem.mistakes())
                .filteredOn(mistake -> mistake.pointer().equals("state"))
                .extracting(RequestError::cure)
                .containsExactly("did you mean Degraded?");
    }

    @Test
    void namesInThePathAreCheckedOnce() {
        ApiProblem problem = catchThrowableOfType(
                ApiProblem.class,
                () -> ValidatedRequest.validate(
                        CONTRACT.operation("getWorkerCluster"),
                        new RawRequest(
                                Map.of("namespace", "UPPER", "name", "a%2Fb"), "", name -> List.of(), new byte[0])));

        assertThat(problem.mistakes()).extracting(RequestError::in).containsOnly(RequestError.RequestPart.PATH);
        assertThat(problem.mistakes()).extracting(RequestError::pointer).containsExactlyInAnyOrder("namespace", "name");
    }

    @Test
    void unknownFieldsAreMistakesWithASuggestion() {
        ApiProblem problem = register(
                "{\"kubeconfg\":\"x\",\"scoped\":\"yes\",\"spec\":{\"provisioning\":{\"clusterDns\":[\"10.0.0.1\"]}}}");

        assertThat(problem.type().uri()).isEqualTo("urn:osmhub:problem:validation-failed");
        assertThat(problem.mistakes())
                .extracting(RequestError::pointer, RequestError::cure)
                .contains(
                        tuple("/kubeconfg", "did you mean kubeconfig?"),
                        tuple("/spec/provisioning/clusterDns", "did you mean clusterDNS?"));
        assertThat(problem.mistakes())
                .extracting(RequestError::detail)
                .contains("/scoped is not true or false", "/kubeconfg is not a known field");
    }

    @Test
    void noValueOfABodyIsRepeated() {
        ApiProblem problem = register("{\"kubeconfig\":12345678,\"labels\":{\"a\":{\"secret\":\"hunter2\"}}}");

        assertThat(problem.mistakes()).isNotEmpty();
        assertThat(problem.mistakes().toString() + problem.detail()).doesNotContain("hunter2", "12345678");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nul",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"spec\":1e400}",
                "[\"\\ud800\"]",
                "{\"x\":1"
                        + "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                        + "e99999999999}"
            })
    void malformedJsonIsRefused(String text) {
        assertThat(register(text).status()).isEqualTo(400);
    }

    @Test
    void badBytesAndDeepNestingAreRefused() {
        assertThat(register(new byte[] {'{', '"', (byte) 0xc3, '"', ':', '1', '}'})
                        .detail())
                .contains("not valid UTF-8");
        assertThat(register("[".repeat(100_000)).detail()).contains("nested deeper");
        assertThat(register("{\"spec\":" + "1".repeat(10_000) + "}").status()).isEqualTo(400);
    }

    @Test
    void aLongTextDoesNotExhaustThePatternsOfTheContract() {
        String dots = "a.".repeat(500_000) + "a";
        String body = "{\"spec\":{\"credentials\":{\"serviceAccount\":\"" + dots + "\"}}}";

        assertThatThrownBy(() -> {
                    throw register(body);
                })
                .isInstanceOf(ApiProblem.class);
    }

    private static ValidatedRequest list(String query) throws ApiProblem {
        return ValidatedRequest.validate(
                CONTRACT.operation("listWorkerClusters"),
                new RawRequest(Map.of(), query, name -> List.of(), new byte[0]));
    }

    private static ApiProblem register(String body) {
        return register(body.getBytes(UTF_8));
    }

    private static ApiProblem register(byte[] body) {
        return catchThrowableOfType(
                ApiProblem.class,
                () -> ValidatedRequest.validate(
                        CONTRACT.operation("putWorkerCluster"), new RawRequest(SHOP, "", name -> List.of(), body)));
    }
}
