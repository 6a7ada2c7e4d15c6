package io.osmhub.tenancy.registration;

import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTest;
import io.osmhub.tenancy.connection.ConnectionTests;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.connection.TestReport.Check;
import io.osmhub.tenancy.connection.TestReport.Outcome;
import io.osmhub.tenancy.connection.TestReport.Step;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.fake.FakeApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tests against a worker cluster in memory, whose outcome is said before. */
final class FakeTests implements ConnectionTests {
    final List<VettedKubeconfig> tried = new ArrayList<>();
    String clusterId = "cluster-1";

    @Nullable Step failing;

    private final FakeApiServer worker;

    FakeTests(FakeApiServer worker) {
        this.worker = worker;
    }

    @Override
    public ConnectionTest test(ConnectionSubject subject, VettedKubeconfig kubeconfig, EgressPolicy egress) {
        tried.add(kubeconfig);
        List<Check> checks = new ArrayList<>();
        for (Step step : Step.values()) {
            checks.add(new Check(step, step == failing ? Outcome.FAILED : Outcome.OK, null, "tried", "", null));
        }
        TestReport report = new TestReport(
                checks,
                List.of(),
                kubeconfig.server().toString(),
                "203.0.113.10",
                "v1.34.1",
                user(kubeconfig),
                kubeconfig.expiresAt(),
                Duration.ZERO,
                clusterId);
        return new ConnectionTest(report, failing == null ? worker : null, () -> {});
    }

    /** A token that is a JSON Web Token says whose it is. */
    private static String user(VettedKubeconfig kubeconfig) {
        if (kubeconfig.credential() instanceof WorkerCredential.Token(var token)
                && token.reveal().split("\\.").length == 3) {
            byte[] claims = Base64.getUrlDecoder().decode(token.reveal().split("\\.")[1]);
            return new String(claims, StandardCharsets.UTF_8).replaceAll(".*\"sub\":\"([^\"]*)\".*", "$1");
        }
        return "admin";
    }
}
