package io.osmhub.tenancy.credential;

import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Lifetime of a scoped token, and its renewal time. */
public record CredentialLifetime(Instant from, Instant until) {
    /** Spreads the renewal of tokens that were created together. */
    private static final int SPREAD = 30;

    /**
     * Lifetime of a kubeconfig's credential.
     *
     * @param user as the worker cluster knows it
     * @return null if it is not a short-lived token of the account
     */
    public static @Nullable CredentialLifetime of(
            ValidatedKubeconfig kubeconfig, String user, WorkerServiceAccount account) {
        Instant from = kubeconfig.validFrom();
        Instant until = kubeconfig.expiresAt();
        boolean scoped = kubeconfig.credential() instanceof WorkerCredential.Token
                && user.equals(account.user())
                && from != null
                && until != null
                && until.isAfter(from);
        return scoped && from != null && until != null ? new CredentialLifetime(from, until) : null;
    }

    /** After a third of the lifetime, plus up to a thirtieth. */
    public Instant renewalTime(RandomGenerator random) {
        Duration life = Duration.between(from, until);
        return from.plus(life.dividedBy(3))
                .plusMillis(random.nextLong(Math.max(1, life.dividedBy(SPREAD).toMillis())));
    }

    /** A third or less remains: the renewal is overdue. */
    public boolean isNearItsEnd(Instant now) {
        return Duration.between(now, until)
                        .compareTo(Duration.between(from, until).dividedBy(3))
                <= 0;
    }
}
