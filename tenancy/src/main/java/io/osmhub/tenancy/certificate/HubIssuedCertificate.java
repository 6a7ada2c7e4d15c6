package io.osmhub.tenancy.certificate;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates of the hub's own authority, in two Secrets shared by all replicas: the first replica creates them, the first to notice
 * renews them, and all load what is stored. A write that conflicts with another replica's is dropped.
 */
public final class HubIssuedCertificate extends WebhookCertificate {
    /** Secret with the authority, its successor and its predecessor. */
    public static final String AUTHORITY_SECRET = "osm-hub-webhook-ca";
    /** Secret with the served certificate. */
    public static final String LEAF_SECRET = "osm-hub-webhook-tls";

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

    private final KubeApi management;
    private final String namespace;
    private final CertificateRotationPlanner plan;
    private final RuntimeContext around;
    private final BooleanSupplier mayWrite;
    private final RenewalLoop loop;
    private final SharedSecret authoritySecret;
    private final SharedSecret leafSecret;

    /** What was last read or written; a replica retains it even if the Secret is deleted. */
    private volatile @Nullable TrustedAuthorities remembered;

    /** The Secret that {@link #remembered} was read from, because parsing verifies signatures. */
    private @Nullable StoredSecret readAuthorities;

    private @Nullable StoredSecret readLeaf;
    private @Nullable CertificateKeyPair lastLeaf;
    private volatile @Nullable String failure;

    /**
     * An unloaded certificate.
     *
     * @param namespace of the Secrets: the hub's own
     * @param mayWrite false while this replica must not write; it then serves what others store
     */
    public HubIssuedCertificate(
            KubeApi management,
            String namespace,
            CertificateOptions terms,
            BooleanSupplier mayWrite,
            SecureRandom random,
            RuntimeContext around) {
        super(around.scheduler()::now);
        this.management = management;
        this.namespace = namespace;
        this.plan = new CertificateRotationPlanner(terms, new CertificateIssuer(random));
        this.mayWrite = mayWrite;
        this.around = around;
        this.loop = new RenewalLoop(
                "Webhook certificate renewal",
                () -> isLoaded() ? RENEWAL_RETRY : RETRY,
                this::renew,
                (cause, inARow) -> onFailed(cause),
                around);
        this.authoritySecret = shared(AUTHORITY_SECRET);
        this.leafSecret = shared(LEAF_SECRET);
    }

    private SharedSecret shared(String name) {
        return new SharedSecret(
                management, namespace, name, "kubernetes.io/tls", () -> loop.wake(), this::onFailed, around);
    }

    @Override
    public void start() {
        authoritySecret.start();
        leafSecret.start();
    }

    @Override
    public void stop() {
        loop.stop();
        authoritySecret.stop();
        leafSecret.stop();
    }

    /** Delay of the next run unless a change triggers it earlier. */
    private Duration renew() throws ApiFailure {
        if (!authoritySecret.isSynced() || !leafSecret.isSynced()) {
            return LONGEST_REST;
        }
        Duration rest = applyNextStep();
        failure = null;
        return rest;
    }

    private void onFailed(String cause) {
        if (failure == null) {
            LOG.atWarn().addKeyValue("cause", cause).log("Reading or storing webhook certificates failed");
        }
        failure = cause;
    }

    private Duration applyNextStep() throws ApiFailure {
        while (true) {
            StoredSecret storedAuthorities = authoritySecret.find();
            StoredSecret storedLeaf = leafSecret.find();
            TrustedAuthorities authorities = authorities(storedAuthorities);
            CertificateKeyPair leaf = leaf(storedLeaf);
            show(authorities, leaf);
            Instant now = around.scheduler().now();
            if (storedAuthorities == null && authorities != null && mayWrite.getAsBoolean()) {
                authoritySecret.store(StoredSecret.data(authorities), null);
                continue;
            }
            switch (plan.planNextStep(authorities, leaf, now)) {
                case CertificateRotationPlanner.RotationStep.Keep(Instant until) -> {
                    return nextDelay(now, until);
                }
                case CertificateRotationPlanner.RotationStep.StoreAuthorities step -> {
                    if (!mayWrite.getAsBoolean()) {
                        return RETRY.initialDelay();
                    }
                    authoritySecret.store(StoredSecret.data(step.authorities()), storedAuthorities);
                    LOG.atInfo().addKeyValue("because", step.because()).log("Webhook authorities stored");
                }
                case CertificateRotationPlanner.RotationStep.StoreLeaf step -> {
                    if (!mayWrite.getAsBoolean() || authorities == null) {
                        return RETRY.initialDelay();
                    }
                    leafSecret.store(StoredSecret.data(step.leaf(), authorities), storedLeaf);
                    LOG.atInfo().addKeyValue("because", step.because()).log("Webhook certificate stored");
                }
            }
        }
    }

    /** From the Secret, or from memory if the Secret is missing or unreadable; null if both are empty. */
    private @Nullable TrustedAuthorities authorities(@Nullable StoredSecret stored) {
        if (stored != null) {
            if (stored.equals(readAuthorities)) {
                return remembered;
            }
            try {
                TrustedAuthorities read = stored.authorities();
                remembered = read;
                readAuthorities = stored;
                return read;
            } catch (GeneralSecurityException e) {
                LOG.atWarn()
                        .addKeyValue("cause", e.getMessage())
                        .log("Secret {} is unusable, replacing it", AUTHORITY_SECRET);
                return null;
            }
        }
        return remembered;
    }

    private @Nullable CertificateKeyPair leaf(@Nullable StoredSecret stored) {
        if (stored == null || stored.equals(readLeaf)) {
            return stored == null ? null : lastLeaf;
        }
        try {
            lastLeaf = stored.leaf();
            readLeaf = stored;
            return lastLeaf;
        } catch (GeneralSecurityException e) {
            LOG.atWarn().addKeyValue("cause", e.getMessage()).log("Secret {} is unusable, replacing it", LEAF_SECRET);
            return null;
        }
    }

    /** Serves nothing that clients of the authorities would reject. */
    private void show(@Nullable TrustedAuthorities authorities, @Nullable CertificateKeyPair leaf) {
        if (authorities == null || leaf == null || !isTrusted(authorities, leaf)) {
            return;
        }
        activate(leaf, authorities.bundle(), authorities.current().notAfter());
    }

    private static boolean isTrusted(TrustedAuthorities authorities, CertificateKeyPair leaf) {
        return CertificateIssuer.hasSigned(authorities.current().certificate(), leaf.certificate())
                || authorities.previous() != null
                        && CertificateIssuer.hasSigned(authorities.previous(), leaf.certificate());
    }

    private static Duration nextDelay(Instant now, Instant until) {
        Duration rest = Duration.between(now, until);
        return rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    public @Nullable String problem() {
        String cause = failure;
        if (cause == null) {
            return null;
        }
        Instant now = around.scheduler().now();
        CertificateKeyPair leaf = leaf();
        if (leaf != null && now.isBefore(leaf.instantAtFraction(LATE))) {
            return null;
        }
        return Reason.WebhookCertificateExpiring.with(
                        "secret",
                        namespace + "/" + LEAF_SECRET,
                        "time",
                        leaf == null
                                ? "now"
                                : leaf.notAfter()
                                        .truncatedTo(ChronoUnit.SECONDS)
                                        .toString(),
                        "cause",
                        cause)
                .message();
    }

    /**
     * The hub's authorities. A new one is created long before it signs, so that every API server trusts it by then; an old one stays
     * trusted while a certificate it signed is in use.
     * <pre>
     *   current ──► current + next (trusted, does not sign) ──► current (was next) + previous (trusted) ──► current
     * </pre>
     *
     * @param current signs
     * @param next will sign; null while none is needed
     * @param previous signed before; null if no longer needed
     */
    record TrustedAuthorities(
            CertificateKeyPair current,
            @Nullable CertificateKeyPair next,
            @Nullable X509Certificate previous) {

        static TrustedAuthorities only(CertificateKeyPair current) {
            return new TrustedAuthorities(current, null, null);
        }

        TrustedAuthorities withNext(CertificateKeyPair made) {
            return new TrustedAuthorities(current, made, previous);
        }

        /** Makes the next one the signing authority. */
        TrustedAuthorities withNextPromoted() {
            return next == null ? this : new TrustedAuthorities(next, null, current.certificate());
        }

        TrustedAuthorities withoutPrevious() {
            return new TrustedAuthorities(current, next, null);
        }

        /** PEM bundle for callers; the signing authority comes first. */
        String bundle() {
            List<X509Certificate> all = new ArrayList<>();
            all.add(current.certificate());
            if (next != null) {
                all.add(next.certificate());
            }
            if (previous != null) {
                all.add(previous);
            }
            return CertificatePem.encode(all);
        }
    }
}
