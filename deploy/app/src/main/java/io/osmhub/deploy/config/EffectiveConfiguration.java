package io.osmhub.deploy.config;

import io.osmhub.core.template.Limits;
import io.osmhub.deploy.config.HubConfiguration.Api;
import io.osmhub.deploy.config.HubConfiguration.CertificateFiles;
import io.osmhub.deploy.config.HubConfiguration.Log;
import io.osmhub.deploy.config.HubConfiguration.Management;
import io.osmhub.deploy.config.HubConfiguration.Metrics;
import io.osmhub.deploy.config.HubConfiguration.RateLimit;
import io.osmhub.deploy.config.HubConfiguration.Render;
import io.osmhub.deploy.config.HubConfiguration.Replicas;
import io.osmhub.deploy.config.HubConfiguration.Tenancy;
import io.osmhub.deploy.config.HubConfiguration.Tracing;
import io.osmhub.deploy.config.HubConfiguration.Webhooks;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.Discovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A configuration together with where each of its values comes from. */
public final class EffectiveConfiguration {
    private static final int SOURCE_COLUMN = 60;

    private final Values values;
    private final @Nullable String file;
    private final HubConfiguration configuration;

    EffectiveConfiguration(Values values, @Nullable String file) {
        this.values = values;
        this.file = file;
        this.configuration = build(values);
    }

    public HubConfiguration configuration() {
        return configuration;
    }

    /** The file that was read; null when there was none. */
    public @Nullable String file() {
        return file;
    }

    String text(Key<?> key) {
        return values.text(key);
    }

    /** A file with every value, its source beside it. */
    public List<String> print() {
        List<String> lines =
                new ArrayList<>(List.of("apiVersion: config.osmhub.io/v1alpha1", "kind: HubConfiguration"));
        String[] open = new String[0];
        for (Key<?> key : Keys.ALL) {
            String[] names = key.path().split("\\.");
            for (int depth = 0; depth < names.length; depth++) {
                boolean inOpen = depth < open.length && open[depth].equals(names[depth]);
                boolean last = depth == names.length - 1;
                if (last) {
                    String line = "  ".repeat(depth) + names[depth] + ": " + values.text(key);
                    String gap = " ".repeat(Math.max(2, SOURCE_COLUMN - line.length()));
                    lines.add(line + gap + "# " + values.origin(key).describe());
                } else if (!inOpen) {
                    lines.add("  ".repeat(depth) + names[depth] + ":");
                    open = new String[0];
                }
            }
            open = names;
        }
        return lines;
    }

    private static HubConfiguration build(Values values) {
        return new HubConfiguration(
                new Management(
                        values.get(Keys.KUBECONFIG),
                        values.get(Keys.CONTEXT),
                        values.get(Keys.NAMESPACE),
                        values.get(Keys.REQUEST_TIMEOUT),
                        values.get(Keys.STATUSES_PER_SECOND)),
                new Tenancy(
                        values.get(Keys.SHARED_PROFILE_NAMESPACE),
                        values.get(Keys.NAMESPACE_SELECTOR),
                        values.get(Keys.INSTALL_CRDS),
                        new Discovery(values.get(Keys.DISCOVER_KKP), values.get(Keys.DISCOVER_CLUSTER_API)),
                        values.get(Keys.CONNECT_CONCURRENCY),
                        values.get(Keys.MAX_CONCURRENT_RECONCILES),
                        values.get(Keys.ON_SECRET_DELETED),
                        values.get(Keys.REMOVAL_DELAY)),
                values.get(Keys.DEFAULTS).layer(),
                new KubeconfigPolicy(
                        Set.copyOf(values.get(Keys.ALLOW)),
                        values.get(Keys.DENY_CIDRS),
                        values.get(Keys.ALLOW_CIDRS),
                        values.get(Keys.EXCEPTIONS)),
                new Replicas(
                        values.get(Keys.REPLICA_MODE),
                        values.get(Keys.LEASE_DURATION),
                        values.get(Keys.RENEW_INTERVAL)),
                new Render(
                        new Limits(
                                values.get(Keys.OUTPUT_LIMIT),
                                values.get(Keys.STEP_LIMIT),
                                values.get(Keys.DEPTH_LIMIT),
                                values.get(Keys.TIME_LIMIT)),
                        values.get(Keys.COMPILED_PROFILES)),
                api(values),
                webhooks(values),
                values.get(Keys.HEALTH_ADDRESS),
                new Metrics(
                        values.get(Keys.METRICS_ADDRESS),
                        values.get(Keys.PER_TENANT),
                        values.get(Keys.MAX_TENANT_SERIES)),
                new Log(values.get(Keys.LOG_FORMAT), values.get(Keys.LOG_LEVEL), values.get(Keys.LOG_LEVELS)),
                new Tracing(values.get(Keys.TRACING), values.get(Keys.TRACING_ENDPOINT), values.get(Keys.SAMPLE_RATIO)),
                values.get(Keys.AUDIT_LOG));
    }

    private static Api api(Values values) {
        return new Api(
                values.get(Keys.API_ADDRESS),
                values.get(Keys.API_TLS_SECRET),
                new CertificateFiles(values.get(Keys.API_CERT_FILE), values.get(Keys.API_KEY_FILE), ""),
                values.get(Keys.AUDIENCES),
                values.get(Keys.AUTH_CACHE_TTL),
                values.get(Keys.MAX_BODY_SIZE),
                new RateLimit(values.get(Keys.REQUESTS_PER_MINUTE), values.get(Keys.REQUEST_BURST)),
                values.get(Keys.CONSOLE),
                values.get(Keys.SESSION_TTL));
    }

    private static Webhooks webhooks(Values values) {
        return new Webhooks(
                values.get(Keys.WEBHOOK_ADDRESS),
                values.get(Keys.WORKER_URL),
                values.get(Keys.MANAGEMENT_SERVICE),
                values.get(Keys.VALIDITY),
                values.get(Keys.RENEW_AT),
                new CertificateFiles(
                        values.get(Keys.PROVIDED_CERT_FILE),
                        values.get(Keys.PROVIDED_KEY_FILE),
                        values.get(Keys.PROVIDED_CA_FILE)));
    }
}
