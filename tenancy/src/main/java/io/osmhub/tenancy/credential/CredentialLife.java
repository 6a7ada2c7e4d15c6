package io.osmhub.tenancy.credential;

import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * From when to when a scoped token lasts, and when it is time for another one.
 *
 * @param from when it was made
 * @param until when it ends
 */
public record CredentialLife(Instant from, Instant until) {
    /** Tokens of one day's registrations are not all renewed in one second. */
    private static final int SPREAD = 30;

    /**
     * The life of the credential of a kubeconfig.
     *
     * @param user as whom the worker cluster knows it
     * @return null when it is no short-lived token of the account
     */
    public static @Nullable CredentialLife of(VettedKubeconfig kubeconfig, String user, WorkerAccount account) {
        Instant from = kubeconfig.validFrom();
        Instant until = kubeconfig.expiresAt();
        boolean scoped = kubeconfig.credential() instanceof WorkerCredential.Token
                && user.equals(account.user())
                && from != null
                && until != null
                && until.isAfter(from);
        return scoped && from != null && until != null ? new CredentialLife(from, until) : null;
    }

    /** When a third of it has passed, and up to a thirtieth later. */
    public Instant renewal(RandomGenerator random) {
        Duration life = Duration.between(from, until);
        return from.plus(life.dividedBy(3))
                .plusMillis(random.nextLong(Math.max(1, life.dividedBy(SPREAD).toMillis())));
    }

    /** A third of it or less is left: it was not renewed when it should have been. */
    public boolean isNearItsEnd(Instant now) {
        return Duration.between(now, until)
                        .compareTo(Duration.between(from, until).dividedBy(3))
                <= 0;
    }
}
