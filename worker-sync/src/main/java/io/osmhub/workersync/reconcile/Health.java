package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what happens to a node that starts now, from what is in the worker cluster after a run. */
final class Health {
    private static final Duration LEAST_VALIDITY = Duration.ofMinutes(20);

    private Health() {}

    /**
     * The first that applies: blocked, outdated, at risk, current.
     *
     * @param secrets as they are after the run
     * @param written all changes of the decision are made
     */
    static NewNodes newNodes(
            Facts facts, Decision decision, Map<SecretRole, StoredSecret> secrets, boolean written, Instant now) {
        if (decision.outcome() instanceof Decision.Outcome.Blocked || !canStart(facts, decision, secrets, now)) {
            return NewNodes.BLOCKED;
        }
        boolean wanted = decision.outcome() instanceof Decision.Outcome.Wanted;
        if (!wanted || !written || !decision.withheld().isEmpty()) {
            return NewNodes.OUTDATED;
        }
        Decision.Token token = decision.token();
        boolean ends = token != null && left(token, now).compareTo(LEAST_VALIDITY) < 0;
        return ends || !facts.mayWrite() ? NewNodes.AT_RISK : NewNodes.CURRENT;
    }

    private static boolean canStart(
            Facts facts, Decision decision, Map<SecretRole, StoredSecret> secrets, Instant now) {
        StoredSecret bootstrap = secrets.get(SecretRole.BOOTSTRAP);
        if (bootstrap == null || !secrets.containsKey(SecretRole.PROVISIONING)) {
            return false;
        }
        // machine-controller waits for the bootstrap secret of the revision that it makes machines of.
        String revision = bootstrap.annotations().getOrDefault(Stamps.REVISION, "");
        return revision.equals(facts.machineDeployment().revision()) && tokenWorks(facts, decision.token(), now);
    }

    private static boolean tokenWorks(Facts facts, Decision.@Nullable Token token, Instant now) {
        if (facts.tenant().settings().bootstrap().serviceAccount() != null) {
            return facts.serviceAccountToken().findings().isEmpty();
        }
        return token != null && left(token, now).isPositive();
    }

    private static Duration left(Decision.Token token, Instant now) {
        return Duration.between(now, token.expiration());
    }
}
