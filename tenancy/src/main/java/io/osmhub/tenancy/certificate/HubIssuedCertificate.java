package io.osmhub.tenancy.certificate;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.certificate.CertificateRotationPlanner.RotationStep;
import io.osmhub.tenancy.certificate.SharedSecret.SecretContent;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of the hub's own authority, in one Secret shared by all replicas: the first replica creates it, the first to notice
 * renews it, and all load what is stored. A write that conflicts with another replica's is dropped.
 */
public final class HubIssuedCertificate extends WebhookCertificate {
    /** Secret with the served certificate and its authority. */
    public static final String SECRET = "osm-hub-webhook-tls";

    private static final Logger LOG = LoggerFactory.getLogger(HubIssuedCertificate.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofMinutes(1));
    /** With a certificate loaded, weeks remain for its renewal. */
    private static final ExponentialBackoff RENEWAL_RETRY =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofHours(2));
    /** The clock may be corrected meanwhile. */
    private static final Duration LONGEST_REST = Duration.ofDays(1);

    /** Fraction of the validity after which a missing renewal is reported. */
    private static final double LATE = 0.9;

    private final CertificateRotationPlanner rotationPlanner;
    private final RuntimeContext runtimeContext;
    private final BooleanSupplier mayWrite;
    private final RenewalLoop renewalLoop;
    private final SharedSecret sharedSecret;

    /** What was last read or written; a replica retains it even if the Secret is deleted. */
    private IssuedCertificate issuedCertificate = IssuedCertificate.NONE;

    /** The Secret that {@link #issuedCertificate} was read from, because parsing verifies signatures. */
    private @Nullable SecretContent secretContent;

    private volatile @Nullable String failure;

    /**
     * An unloaded certificate.
     *
     * @param namespace of the Secret: the hub's own
     * @param mayWrite false while this replica must not write; it then serves what others store
     */
    public HubIssuedCertificate(
            KubeApi management,
            String namespace,
            CertificateOptions options,
            BooleanSupplier mayWrite,
            SecureRandom random,
            RuntimeContext runtimeContext) {
        super(runtimeContext.scheduler()::now);
        this.rotationPlanner = new CertificateRotationPlanner(options, new CertificateIssuer(random));
        this.mayWrite = mayWrite;
        this.runtimeContext = runtimeContext;
        this.renewalLoop = new RenewalLoop(
                "Webhook certificate renewal",
                () -> isLoaded() ? RENEWAL_RETRY : RETRY,
                () -> renew(),
                (cause, inARow) -> onRenewalFailed(cause),
                runtimeContext);
        this.sharedSecret = new SharedSecret(
                management,
                namespace,
                SECRET,
                () -> renewalLoop.wake(),
                cause -> onRenewalFailed(cause),
                runtimeContext);
    }

    @Override
    public void start() {
        sharedSecret.start();
    }

    @Override
    public void stop() {
        renewalLoop.stop();
        sharedSecret.stop();
    }

    /** Delay of the next run unless a change triggers it earlier. */
    private Duration renew() throws ApiFailure {
        if (!sharedSecret.isSynced()) {
            return LONGEST_REST;
        }
        while (true) {
            SecretContent stored = sharedSecret.find();
            IssuedCertificate issued = read(stored);
            CertificateKeyPair leaf = issued.leaf();
            if (leaf != null && issued.isTrusted()) {
                activate(leaf, issued.bundle(), issued.authorityEnd());
            }
            Instant now = runtimeContext.scheduler().now();
            switch (rotationPlanner.planNextStep(issued, now)) {
                case RotationStep.Keep(Instant until) -> {
                    failure = null;
                    return nextDelay(now, until);
                }
                case RotationStep.Store step -> {
                    if (!mayWrite.getAsBoolean()) {
                        failure = null;
                        return RETRY.initialDelay();
                    }
                    sharedSecret.store("kubernetes.io/tls", step.certificate().data(), stored);
                    LOG.atInfo().addKeyValue("because", step.because()).log("Webhook certificate stored");
                }
            }
        }
    }

    /** Without a Secret, the authority is kept and issues another certificate. */
    private IssuedCertificate read(@Nullable SecretContent stored) {
        if (stored == null) {
            return issuedCertificate.withLeaf(null);
        }
        if (!stored.equals(secretContent)) {
            secretContent = stored;
            issuedCertificate = IssuedCertificate.of(stored);
        }
        return issuedCertificate;
    }

    private void onRenewalFailed(String cause) {
        if (failure == null) {
            LOG.atWarn().addKeyValue("cause", cause).log("Reading or storing the webhook certificate failed");
        }
        failure = cause;
    }

    private static Duration nextDelay(Instant now, Instant until) {
        Duration rest = Duration.between(now, until);
        return rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    public @Nullable String problem() {
        String cause = failure;
        CertificateKeyPair leaf = leaf();
        if (cause == null || leaf != null && runtimeContext.scheduler().now().isBefore(leaf.instantAtFraction(LATE))) {
            return null;
        }
        String end = leaf == null
                ? "now"
                : leaf.notAfter().truncatedTo(ChronoUnit.SECONDS).toString();
        return Reason.WebhookCertificateExpiring.with("secret", sharedSecret.toString(), "time", end, "cause", cause)
                .message();
    }
}
