package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.osmhub.api.certificate.WebhookCertificate;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code caBundle} of the management cluster's webhook configurations at what the hub serves with. Everything else in them is
 * their operator's: they come with the manifests, and the hub neither makes nor removes them.
 */
public final class ManagementBundles {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementBundles.class);
    private static final String NAME = "osm-hub";
    private static final String OWN = ".osmhub.io";
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(500), Duration.ofMinutes(5));
    /** Who writes another bundle again within this time quarrels, and is told of for as long. */
    private static final Duration QUARREL = Duration.ofMinutes(10);
    /** From so many writes of the same bundle on; one may be an accident, as when the manifests are applied anew. */
    private static final int QUARRELLING = 3;

    private final KubeApi management;
    private final WebhookCertificate certificate;
    private final BooleanSupplier mayWrite;
    private final Surroundings around;
    private final List<Kept> all;

    /** @param mayWrite false while this replica must not write; another one does then */
    public ManagementBundles(
            KubeApi management, WebhookCertificate certificate, BooleanSupplier mayWrite, Surroundings around) {
        this.management = management;
        this.certificate = certificate;
        this.mayWrite = mayWrite;
        this.around = around;
        this.all = List.of(
                new Kept(Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "ValidatingWebhookConfiguration"),
                new Kept(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "MutatingWebhookConfiguration"));
        certificate.onChange(() -> all.forEach(Kept::look));
    }

    public void start() {
        all.forEach(kept -> kept.watch.start(management));
    }

    public void stop() {
        all.forEach(Kept::stop);
    }

    /** What people are to know; empty while every configuration that is there is right. */
    public Optional<String> problem() {
        return all.stream()
                .flatMap(kept -> Optional.ofNullable(kept.problem).stream())
                .findFirst();
    }

    /**
     * A configuration as it was seen.
     *
     * @param writer field manager of the bundle that is not the hub's; empty when that is not told
     */
    private record Found(JsonNode webhooks, String writer) {
        static Found of(JsonNode object) {
            String writer = "";
            String latest = "";
            for (JsonNode entry : object.path("metadata").path("managedFields")) {
                String time = entry.path("time").asText();
                if (writesBundles(entry.path("fieldsV1")) && time.compareTo(latest) >= 0) {
                    writer = entry.path("manager").asText();
                    latest = time;
                }
            }
            return new Found(object.path("webhooks"), writer);
        }

        private static boolean writesBundles(JsonNode fields) {
            return fields.path("f:webhooks").properties().stream()
                    .anyMatch(each -> each.getKey().contains(OWN)
                            && each.getValue().at("/f:clientConfig").has("f:caBundle"));
        }
    }

    /** One configuration. */
    private final class Kept {
        private final Resource resource;
        private final String kind;
        private final ManagementWatch<Found> watch;
        private volatile @Nullable String problem;
        private boolean looking;
        private boolean again;
        private boolean stopped;
        private int failures;
        /** Of the bundle that was written last, one after the other. */
        private int writes;

        private String written = "";
        private Instant lastWrite = Instant.MIN;
        private Instant notBefore = Instant.MIN;
        private String opponent = "";
        private Timers.@Nullable Timer timer;

        Kept(Resource resource, String kind) {
            this.resource = resource;
            this.kind = kind;
            this.watch = new ManagementWatch<>(
                    Selection.where(resource, "", "metadata.name=" + NAME),
                    Found::of,
                    (key, before, after, origin) -> look(),
                    new QuietListener() {
                        @Override
                        public void synced() {
                            look();
                        }

                        @Override
                        public void refused(ApiFailure failure) {
                            LOG.atWarn()
                                    .addKeyValue("cause", failure.text())
                                    .log("{} {} cannot be watched, so its caBundle is not kept", kind, NAME);
                        }
                    },
                    around);
        }

        void look() {
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
                synchronized (this) {
                    again = false;
                }
                Duration rest = lookOnce();
                synchronized (this) {
                    if (again && !stopped) {
                        continue;
                    }
                    looking = false;
                    if (timer != null) {
                        timer.cancel();
                    }
                    timer = stopped || rest == null ? null : around.timers().after(rest, this::look);
                    return;
                }
            }
        }

        /** After how long to look again; null for not before something changes. */
        private @Nullable Duration lookOnce() {
            String trusted = certificate.authorities();
            Found found = watch.find("", NAME);
            if (trusted == null || trusted.isEmpty() || found == null) {
                problem = null;
                return null;
            }
            String bundle = Base64.getEncoder().encodeToString(trusted.getBytes(UTF_8));
            ArrayNode patch = patch(found.webhooks(), bundle);
            Instant now = around.timers().now();
            if (!bundle.equals(written) || !lastWrite.plus(QUARREL).isAfter(now)) {
                writes = 0;
                notBefore = Instant.MIN;
            }
            if (patch.isEmpty()) {
                failures = 0;
                return calm(now);
            }
            if (!mayWrite.getAsBoolean()) {
                return RETRY.first();
            }
            opponent = found.writer();
            if (notBefore.isAfter(now)) {
                quarrel();
                return Duration.between(now, notBefore);
            }
            try {
                watch.written(management.send(
                        ApiRequest.patch(resource, "", NAME, ApiRequest.JSON_PATCH, WireJson.text(patch))));
                LOG.info("caBundle of {} {} written", kind, NAME);
                failures = 0;
                wrote(bundle, now);
                return calm(now);
            } catch (ApiFailure e) {
                return failed(e.text(), e.retryAfter());
            } catch (IOException e) {
                return failed("unexpected response: not a webhook configuration", null);
            }
        }

        private void wrote(String bundle, Instant now) {
            written = bundle;
            lastWrite = now;
            writes++;
            if (writes >= QUARRELLING - 1) {
                notBefore = now.plus(RETRY.after(writes, around.random()));
            }
            if (writes >= QUARRELLING) {
                quarrel();
            }
        }

        /** The bundle is right; a quarrel is over when it has been for long enough. */
        private @Nullable Duration calm(Instant now) {
            if (writes < QUARRELLING) {
                problem = null;
                return null;
            }
            return Duration.between(now, lastWrite.plus(QUARREL));
        }

        private void quarrel() {
            String who = opponent.isEmpty()
                    ? "something else"
                    : opponent.equals(ApiRequest.FIELD_MANAGER)
                            ? "another hub (field manager " + opponent + ")"
                            : opponent;
            tell(who + " writes another one again and again", "keep it from this configuration");
        }

        private void tell(String cause, String cure) {
            String what = Message.of(
                    Reason.WebhookBundleNotPatched,
                    Map.of("kind", kind, "name", NAME, "cause", Message.clean(cause), "cure", cure));
            if (!what.equals(problem)) {
                LOG.atWarn().log(what);
            }
            problem = what;
        }

        private Duration failed(String cause, @Nullable Duration retryAfter) {
            tell("and could not be patched (" + cause + ")", "allow patch on it");
            failures++;
            return RETRY.after(failures, retryAfter, around.random());
        }

        /** Each change is made only where the webhook is still the one that was seen. */
        private static ArrayNode patch(JsonNode webhooks, String bundle) {
            ArrayNode patch = WireJson.object().arrayNode();
            for (int i = 0; i < webhooks.size(); i++) {
                JsonNode webhook = webhooks.path(i);
                String name = webhook.path("name").asText();
                boolean right =
                        webhook.path("clientConfig").path("caBundle").asText().equals(bundle);
                if (name.endsWith(OWN) && !right) {
                    patch.addObject()
                            .put("op", "test")
                            .put("path", "/webhooks/" + i + "/name")
                            .put("value", name);
                    patch.addObject()
                            .put("op", "add")
                            .put("path", "/webhooks/" + i + "/clientConfig/caBundle")
                            .put("value", bundle);
                }
            }
            return patch;
        }

        void stop() {
            synchronized (this) {
                stopped = true;
                if (timer != null) {
                    timer.cancel();
                }
            }
            watch.stop();
        }
    }
}
