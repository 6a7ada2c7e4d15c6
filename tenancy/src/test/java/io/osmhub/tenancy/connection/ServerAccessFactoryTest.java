package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerAccessFactoryTest {
    @ParameterizedTest
    @CsvSource({
        "http://proxy.example.org:3128, http://proxy.example.org:3128",
        "http://proxy.example.org, http://proxy.example.org:80",
        "https://proxy.example.org, https://proxy.example.org:443"
    })
    void theProxyOfAnOperatorsFileIsTaken(String named, String taken) {
        assertThat(access("proxy-url: " + named).proxy()).hasToString(taken);
    }

    @Test
    void withoutAProxyTheServerIsReachedDirectly() {
        assertThat(access("tls-server-name: \"\"").proxy()).isNull();
    }

    private static ServerAccess access(String more) {
        KubeconfigValidation vetting =
                KubeconfigValidator.validateOperatorFile("worker.yaml", """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters:
                - name: c
                  cluster:
                    server: https://worker.example.org:6443
                    insecure-skip-tls-verify: true
                    %s
                users: [{name: u, user: {token: a-token}}]
                """.formatted(more), path -> {
                    throw new IOException("no file is named");
                });
        assertThat(vetting).isInstanceOf(KubeconfigValidation.Valid.class);
        return ServerAccessFactory.ofOperatorsFile(((KubeconfigValidation.Valid) vetting).kubeconfig());
    }
}
