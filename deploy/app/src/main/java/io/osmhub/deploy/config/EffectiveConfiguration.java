package io.osmhub.deploy.config;

import io.osmhub.core.template.Sandbox.RenderLimits;
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
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A configuration with the origin of each value. */
public final class EffectiveConfiguration {
    private static final int SOURCE_COLUMN = 60;

    private final ConfigurationValues values;
    private final @Nullable String file;
    private final HubConfiguration configuration;

    EffectiveConfiguration(ConfigurationValues values, @Nullable String file) {
        this.values = values;
        this.file = file;
        this.configuration = build(values);
    }

    public HubConfiguration configuration() {
        return configuration;
    }

    /** The file that was read; null if none. */
    public @Nullable String file() {
        return file;
    }

    String text(ConfigurationKey<?> key) {
        return values.text(key);
    }

    /** A configuration file with every value, and its origin as a comment. */
    public List<String> print() {
        List<String> lines =
                new ArrayList<>(List.of("apiVersion: config.osmhub.io/v1alpha1", "kind: HubConfiguration"));
        String[] open = new String[0];
        for (ConfigurationKey<?> key : ConfigurationKeys.ALL) {
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

    private static HubConfiguration build(ConfigurationValues values) {
        return new HubConfiguration(
                new Management(
                        values.get(ConfigurationKeys.KUBECONFIG),
                        values.get(ConfigurationKeys.CONTEXT),
                        values.get(ConfigurationKeys.NAMESPACE),
                        values.get(ConfigurationKeys.REQUEST_TIMEOUT),
                        values.get(ConfigurationKeys.STATUSES_PER_SECOND)),
                new Tenancy(
                        values.get(ConfigurationKeys.SHARED_PROFILE_NAMESPACE),
                        values.get(ConfigurationKeys.NAMESPACE_SELECTOR),
                        values.get(ConfigurationKeys.INSTALL_CRDS),
                        new SecretDiscovery(
                                values.get(ConfigurationKeys.DISCOVER_KKP),
                                values.get(ConfigurationKeys.DISCOVER_CLUSTER_API)),
                        values.get(ConfigurationKeys.CONNECT_CONCURRENCY),
                        values.get(ConfigurationKeys.MAX_CONCURRENT_RECONCILES),
                        values.get(ConfigurationKeys.ON_SECRET_DELETED),
                        values.get(ConfigurationKeys.REMOVAL_DELAY)),
                values.get(ConfigurationKeys.DEFAULTS).layer(),
                new KubeconfigPolicy(
                        Set.copyOf(values.get(ConfigurationKeys.ALLOW)),
                        values.get(ConfigurationKeys.DENY_CIDRS),
                        values.get(ConfigurationKeys.ALLOW_CIDRS),
                        values.get(ConfigurationKeys.EXCEPTIONS)),
                new Replicas(
                        values.get(ConfigurationKeys.REPLICA_MODE),
                        values.get(ConfigurationKeys.LEASE_DURATION),
                        values.get(ConfigurationKeys.RENEW_INTERVAL)),
                new Render(
                        new RenderLimits(
                                values.get(ConfigurationKeys.OUTPUT_LIMIT),
                                values.get(ConfigurationKeys.STEP_LIMIT),
                                values.get(ConfigurationKeys.DEPTH_LIMIT),
                                values.get(ConfigurationKeys.TIME_LIMIT)),
                        values.get(ConfigurationKeys.COMPILED_PROFILES)),
                api(values),
                webhooks(values),
                values.get(ConfigurationKeys.HEALTH_ADDRESS),
                new Metrics(
                        values.get(ConfigurationKeys.METRICS_ADDRESS),
                        values.get(ConfigurationKeys.PER_TENANT),
                        values.get(ConfigurationKeys.MAX_TENANT_SERIES)),
                new Log(
                        values.get(ConfigurationKeys.LOG_FORMAT),
                        values.get(ConfigurationKeys.LOG_LEVEL),
                        values.get(ConfigurationKeys.LOG_LEVELS)),
                new Tracing(
                        values.get(ConfigurationKeys.TRACING),
                        values.get(ConfigurationKeys.TRACING_ENDPOINT),
                        values.get(ConfigurationKeys.SAMPLE_RATIO)),
                values.get(ConfigurationKeys.AUDIT_LOG));
    }

    private static Api api(ConfigurationValues values) {
        return new Api(
                values.get(ConfigurationKeys.API_ADDRESS),
                values.get(ConfigurationKeys.API_TLS_SECRET),
                new CertificateFiles(
                        values.get(ConfigurationKeys.API_CERT_FILE), values.get(ConfigurationKeys.API_KEY_FILE), ""),
                values.get(ConfigurationKeys.AUDIENCES),
                values.get(ConfigurationKeys.AUTH_CACHE_TTL),
                values.get(ConfigurationKeys.MAX_BODY_SIZE),
                new RateLimit(
                        values.get(ConfigurationKeys.REQUESTS_PER_MINUTE), values.get(ConfigurationKeys.REQUEST_BURST)),
                values.get(ConfigurationKeys.CONSOLE),
                values.get(ConfigurationKeys.SESSION_TTL));
    }

    private static Webhooks webhooks(ConfigurationValues values) {
        return new Webhooks(
                values.get(ConfigurationKeys.WEBHOOK_ADDRESS),
                values.get(ConfigurationKeys.WORKER_URL),
                values.get(ConfigurationKeys.MANAGEMENT_SERVICE),
                values.get(ConfigurationKeys.VALIDITY),
                values.get(ConfigurationKeys.RENEW_AT),
                new CertificateFiles(
                        values.get(ConfigurationKeys.PROVIDED_CERT_FILE),
                        values.get(ConfigurationKeys.PROVIDED_KEY_FILE),
                        values.get(ConfigurationKeys.PROVIDED_CA_FILE)));
    }
}
