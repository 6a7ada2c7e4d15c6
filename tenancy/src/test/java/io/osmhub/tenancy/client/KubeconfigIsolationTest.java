package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.osmhub.tenancy.connection.ServerAccessFactory;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.HostileKubeconfigs;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigTexts;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing of a tenant's kubeconfig reaches the library's configuration, which could run a program or read a file. */
@ExtendWith(VertxExtension.class)
final class KubeconfigIsolationTest {
    /** Fields with a program, an issuer of tokens or a path. */
    private static final Pattern ACTS = Pattern.compile(
            "(?i).*\\.(exec|auth[-_]?provider|token-?file|client-(certificate|key)|certificate-?authority)");

    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    /** What an operator may allow at most. */
    private final KubeconfigValidator validator = new KubeconfigValidator(new EgressPolicy(
            new KubeconfigRules(Set.of(Allowance.values()), List.of(), List.of()), Set.of(), Set.of()));

    @BeforeAll
    static void use(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    private KubeconfigValidation validate(String kubeconfig) {
        String data = Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8));
        return validator.validate("cluster-x/kubeconfig", Map.of("kubeconfig", data), null);
    }

    @Test
    void aKubeconfigWithProgramsOrFilesIsRefusedBeforeThereIsAClient() {
        List<HostileKubeconfigs.Case> acting = HostileKubeconfigs.all("/nowhere", 6443).stream()
                .filter(hostile -> ACTS.matcher(hostile.field()).matches())
                .toList();

        assertThat(acting).hasSizeGreaterThan(25).allSatisfy(hostile -> assertThat(validate(hostile.text()))
                .isInstanceOf(KubeconfigValidation.Invalid.class));
    }

    /** Of all that the most permissive policy accepts, such as a server at any address. */
    @Test
    void clientsOfKubeconfigsShareAnEmptyConfiguration() throws ApiFailure {
        Config expected = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://server.invalid")
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(0)
                .build();
        List<String> texts = new ArrayList<>(List.of(KubeconfigTexts.of("https://worker.example", "t-1")));
        HostileKubeconfigs.all("/nowhere", 6443).forEach(hostile -> texts.add(hostile.text()));
        ClientPool pool = FIXTURE.pool();
        List<Config> configurations = new ArrayList<>();

        for (String text : texts) {
            if (validate(text) instanceof KubeconfigValidation.Valid(var kubeconfig)) {
                configurations.add(pool.worker(
                                ServerAccessFactory.of(kubeconfig),
                                ClientLimits.WORKER,
                                RequestObserver.NONE,
                                ConnectionObserver.NONE)
                        .api()
                        .call(KubernetesClient::getConfiguration));
            }
        }

        assertThat(configurations).hasSizeGreaterThan(5).allSatisfy(configuration -> assertThat(configuration)
                .isSameAs(configurations.getFirst()));
        assertThat(configurations.getFirst()).usingRecursiveComparison().isEqualTo(expected);
        assertThat(expected.getOauthToken()).as("empty").isNull();
    }
}
