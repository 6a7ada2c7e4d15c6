package io.osmhub.api.certificate;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates by an authority of the hub's own, kept in two Secrets that all replicas share: whichever comes first makes them,
 * whichever is first to see that it is time renews them, and all take over what is stored as soon as it is. A write that another
 * replica has overtaken is forgotten.
 */
public final class OwnCertificate extends WebhookCertificate {
    /** Secret with the authority, its successor and its predecessor. */
    public static final String AUTHORITY_SECRET = "osm-hub-webhook-ca";
    /** Secret with the certificate that is shown. */
    public static final String LEAF_SECRET = "osm-hub-webhook-tls";

    private static final Logger LOG = LoggerFactory.getLogger(OwnCertificate.class);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1));
    /** While a certificate is shown, weeks are left for its renewal. */
    private static final Backoff RENEWAL_RETRY = new Backoff(Duration.ofSeconds(10), Duration.ofHours(2));
    /** A clock may be put right meanwhile. */
    private static final Duration LONGEST_REST = Duration.ofDays(1);

    /** Part of a life after which people are told that it was not renewed. */
    private static final double LATE = 0.9;

    private final KubeApi management;
    private final String namespace;
    private final CertificatePlan plan;
    private final Surroundings around;
    private final BooleanSupplier mayWrite;
    private final ManagementWatch<StoredCertificate> authoritySecret;
    private final ManagementWatch<StoredCertificate> leafSecret;

    /** What was last read or written; whatever happens to the Secret, it is not lost while a replica lives. */
    private volatile @Nullable Authorities remembered;

    /** The Secret that {@link #remembered} was read from: reading it takes a few signatures. */
    private @Nullable StoredCertificate readAuthorities;

    private @Nullable StoredCertificate readLeaf;
    private @Nullable KeyedCertificate lastLeaf;
    private volatile @Nullable String failure;
    private volatile boolean stopped;
    private boolean looking;
    private boolean again;
    private int failures;
    private Timers.@Nullable Timer timer;

    /**
     * A certificate that is not loaded yet.
     *
     * @param namespace of the Secrets: the hub's own
     * @param mayWrite false while this replica must not write; it then shows what others store
     */
    public OwnCertificate(
            KubeApi management,
            String namespace,
            CertificateTerms terms,
            BooleanSupplier mayWrite,
            SecureRandom random,
            Surroundings around) {
        super(around.timers()::now);
        this.management = management;
        this.namespace = namespace;
        this.plan = new CertificatePlan(terms, new Authority(random));
        this.mayWrite = mayWrite;
        this.around = around;
        this.authoritySecret = watch(AUTHORITY_SECRET);
        this.leafSecret = watch(LEAF_SECRET);
    }

    private ManagementWatch<StoredCertificate> watch(String name) {
        return new ManagementWatch<>(
                Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                StoredCertificate::of,
                (key, before, after, origin) -> look(),
                new QuietListener() {
                    @Override
                    public void synced() {
                        look();
                    }

                    @Override
                    public void failed(ApiFailure cause, int inARow) {
                        OwnCertificate.this.failed(cause);
                    }

                    @Override
                    public void refused(ApiFailure cause) {
                        OwnCertificate.this.failed(cause);
                    }
                },
                around);
    }

    @Override
    public void start() {
        authoritySecret.start(management);
        leafSecret.start(management);
    }

    @Override
    public void stop() {
        stopped = true;
        authoritySecret.stop();
        leafSecret.stop();
    }

    /** Asks for a look; one at a time, and none that is asked for is left out. */
    private void look() {
        synchronized (this) {
            if (looking) {
                again = true;
                return;
            }
            looking = true;
        }
        around.waiting().execute(this::looks);
    }

    private void looks() {
        while (true) {
            Duration rest = stopped ? LONGEST_REST : lookOnce();
            synchronized (this) {
                if (again && !stopped) {
                    again = false;
                    continue;
                }
                looking = false;
                again = false;
                if (timer != null) {
                    timer.cancel();
                }
                timer = stopped ? null : around.timers().after(rest, this::look);
                return;
            }
        }
    }

    /** After how long to look again if nothing happens before. */
    private Duration lookOnce() {
        if (!authoritySecret.isSynced() || !leafSecret.isSynced()) {
            return LONGEST_REST;
        }
        try {
            Duration rest = bring();
            failure = null;
            failures = 0;
            return rest;
        } catch (ApiFailure e) {
            failed(e);
            return rest(e.retryAfter());
        } catch (RuntimeException e) {
            // It must not be the last look: the certificate would run out.
            LOG.error("the look at the webhook certificates failed", e);
            failure = "an internal error, which is in the log";
            return rest(null);
        }
    }

    private Duration rest(@Nullable Duration asked) {
        failures++;
        Backoff backoff = isLoaded() ? RENEWAL_RETRY : RETRY;
        return backoff.after(failures, asked, around.random());
    }

    private void failed(ApiFailure cause) {
        if (failure == null) {
            LOG.atWarn().addKeyValue("cause", cause.text()).log("Webhook certificates could not be read or stored");
        }
        failure = cause.text();
    }

    private Duration bring() throws ApiFailure {
        while (true) {
            StoredCertificate storedAuthorities = authoritySecret.find(namespace, AUTHORITY_SECRET);
            StoredCertificate storedLeaf = leafSecret.find(namespace, LEAF_SECRET);
            Authorities authorities = authorities(storedAuthorities);
            KeyedCertificate leaf = leaf(storedLeaf);
            show(authorities, leaf);
            Instant now = around.timers().now();
            if (storedAuthorities == null && authorities != null && mayWrite.getAsBoolean()) {
                store(authoritySecret, AUTHORITY_SECRET, StoredCertificate.data(authorities), null);
                continue;
            }
            switch (plan.decide(authorities, leaf, now)) {
                case CertificatePlan.Step.Keep(Instant until) -> {
                    return rest(now, until);
                }
                case CertificatePlan.Step.StoreAuthorities step -> {
                    if (!mayWrite.getAsBoolean()) {
                        return RETRY.first();
                    }
                    store(
                            authoritySecret,
                            AUTHORITY_SECRET,
                            StoredCertificate.data(step.authorities()),
                            storedAuthorities);
                    LOG.atInfo().addKeyValue("because", step.because()).log("Webhook authorities stored");
                }
                case CertificatePlan.Step.StoreLeaf step -> {
                    if (!mayWrite.getAsBoolean() || authorities == null) {
                        return RETRY.first();
                    }
                    store(leafSecret, LEAF_SECRET, StoredCertificate.data(step.leaf(), authorities), storedLeaf);
                    LOG.atInfo().addKeyValue("because", step.because()).log("Webhook certificate stored");
                }
            }
        }
    }

    /** Those of the Secret; of memory while the Secret is gone or cannot be read; null when nobody knows any. */
    private @Nullable Authorities authorities(@Nullable StoredCertificate stored) {
        if (stored != null) {
            if (stored.equals(readAuthorities)) {
                return remembered;
            }
            try {
                Authorities read = stored.authorities();
                remembered = read;
                readAuthorities = stored;
                return read;
            } catch (GeneralSecurityException e) {
                LOG.atWarn()
                        .addKeyValue("cause", e.getMessage())
                        .log("Secret {} cannot be used and is replaced", AUTHORITY_SECRET);
                return null;
            }
        }
        return remembered;
    }

    private @Nullable KeyedCertificate leaf(@Nullable StoredCertificate stored) {
        if (stored == null || stored.equals(readLeaf)) {
            return stored == null ? null : lastLeaf;
        }
        try {
            lastLeaf = stored.leaf();
            readLeaf = stored;
            return lastLeaf;
        } catch (GeneralSecurityException e) {
            LOG.atWarn()
                    .addKeyValue("cause", e.getMessage())
                    .log("Secret {} cannot be used and is replaced", LEAF_SECRET);
            return null;
        }
    }

    /** Nothing is shown that those who trust the authorities would refuse. */
    private void show(@Nullable Authorities authorities, @Nullable KeyedCertificate leaf) {
        if (authorities == null || leaf == null || !isTrusted(authorities, leaf)) {
            return;
        }
        show(leaf, authorities.bundle(), authorities.current().ends());
    }

    private static boolean isTrusted(Authorities authorities, KeyedCertificate leaf) {
        return Authority.hasSigned(authorities.current().certificate(), leaf.certificate())
                || authorities.previous() != null && Authority.hasSigned(authorities.previous(), leaf.certificate());
    }

    private void store(
            ManagementWatch<StoredCertificate> watch,
            String name,
            Map<String, String> data,
            @Nullable StoredCertificate replaces)
            throws ApiFailure {
        String secret = StoredCertificate.secret(namespace, name, data, replaces);
        try {
            byte[] answer = management.send(
                    replaces == null
                            ? ApiRequest.create(Resource.SECRETS, namespace, secret)
                            : ApiRequest.update(Resource.SECRETS, namespace, name, secret));
            watch.written(answer);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a Secret");
        }
    }

    private static Duration rest(Instant now, Instant until) {
        Duration rest = Duration.between(now, until);
        return rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    public @Nullable String problem() {
        String cause = failure;
        if (cause == null) {
            return null;
        }
        Instant now = around.timers().now();
        KeyedCertificate leaf = leaf();
        if (leaf != null && now.isBefore(leaf.at(LATE))) {
            return null;
        }
        return Message.of(
                Reason.WebhookCertificateExpiring,
                Map.of(
                        "secret",
                        namespace + "/" + LEAF_SECRET,
                        "time",
                        leaf == null
                                ? "now"
                                : leaf.ends().truncatedTo(ChronoUnit.SECONDS).toString(),
                        "cause",
                        cause));
    }
}
