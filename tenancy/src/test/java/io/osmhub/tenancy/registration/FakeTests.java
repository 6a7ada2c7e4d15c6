package io.osmhub.tenancy.registration;

import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.connection.TestedConnection;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.fake.SimulatedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connection tests with scripted results. */
final class FakeTests implements ConnectionTester {
    final List<ValidatedKubeconfig> tried = new ArrayList<>();
    String clusterId = "cluster-1";

    @Nullable CheckStep failing;

    private final SimulatedServer worker;

    FakeTests(SimulatedServer worker) {
        this.worker = worker;
    }

    @Override
    public TestedConnection test(ConnectionSubject subject, ValidatedKubeconfig kubeconfig) {
        tried.add(kubeconfig);
        List<ConnectionCheck> checks = new ArrayList<>();
        for (CheckStep step : CheckStep.values()) {
            checks.add(new ConnectionCheck(
                    step, step == failing ? CheckOutcome.FAILED : CheckOutcome.OK, null, "tried", "", null));
        }
        ConnectionTestReport report = new ConnectionTestReport(
                checks,
                List.of(),
                kubeconfig.server().toString(),
                "203.0.113.10",
                "v1.34.1",
                user(kubeconfig),
                kubeconfig.expiresAt(),
                Duration.ZERO,
                clusterId);
        return new TestedConnection(report, failing == null ? worker.api() : null, () -> {});
    }

    /** User name from a JSON Web Token. */
    private static String user(ValidatedKubeconfig kubeconfig) {
        if (kubeconfig.credential() instanceof WorkerCredential.Token(var token)
                && token.reveal().split("\\.").length == 3) {
            byte[] claims = Base64.getUrlDecoder().decode(token.reveal().split("\\.")[1]);
            return new String(claims, StandardCharsets.UTF_8).replaceAll(".*\"sub\":\"([^\"]*)\".*", "$1");
        }
        return "admin";
    }
}
