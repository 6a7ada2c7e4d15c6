package io.osmhub.deploy.config;

import io.osmhub.core.schema.DurationFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Validates rules between keys. Reports an error at the explicitly set key, the later one of two. */
final class CrossKeyValidator {
    private final ConfigurationValues values;
    private final ConfigurationErrors mistakes;

    private CrossKeyValidator(ConfigurationValues values, ConfigurationErrors mistakes) {
        this.values = values;
        this.mistakes = mistakes;
    }

    static void check(ConfigurationValues values, Map<String, String> environment, ConfigurationErrors mistakes) {
        CrossKeyValidator checks = new CrossKeyValidator(values, mistakes);
        checks.renewsInTime();
        checks.togetherOrNot(ConfigurationKeys.API_CERT_FILE, ConfigurationKeys.API_KEY_FILE);
        checks.togetherOrNot(ConfigurationKeys.PROVIDED_CERT_FILE, ConfigurationKeys.PROVIDED_KEY_FILE);
        checks.oneCertificate();
        checks.authorityOfSomething();
        checks.ownAddressEach();
        checks.webhooksForWorkers();
        checks.tracesSomewhere(environment);
    }

    private void renewsInTime() {
        var interval = values.get(ConfigurationKeys.RENEW_INTERVAL);
        var lease = values.get(ConfigurationKeys.LEASE_DURATION);
        if (interval.multipliedBy(2).compareTo(lease) >= 0) {
            ConfigurationKey<?> said = values.origin(ConfigurationKeys.RENEW_INTERVAL) instanceof ValueOrigin.BuiltIn
                    ? ConfigurationKeys.LEASE_DURATION
                    : ConfigurationKeys.RENEW_INTERVAL;
            add(
                    said,
                    said == ConfigurationKeys.RENEW_INTERVAL
                            ? DurationFormat.format(interval) + " is not below half of leaseDuration ("
                                    + DurationFormat.format(lease) + ")"
                            : DurationFormat.format(lease) + " is not above twice renewInterval ("
                                    + DurationFormat.format(interval) + ")",
                    said == ConfigurationKeys.RENEW_INTERVAL ? "use less" : "set renewInterval too");
        }
    }

    private void togetherOrNot(ConfigurationKey<String> certificate, ConfigurationKey<String> key) {
        boolean hasCertificate = !values.get(certificate).isEmpty();
        boolean hasKey = !values.get(key).isEmpty();
        if (hasCertificate != hasKey) {
            add(
                    hasCertificate ? certificate : key,
                    "requires " + (hasCertificate ? key : certificate).path(),
                    "set both the certificate and its key");
        }
    }

    private void oneCertificate() {
        if (!values.get(ConfigurationKeys.API_TLS_SECRET).isEmpty()
                && !values.get(ConfigurationKeys.API_CERT_FILE).isEmpty()) {
            add(ConfigurationKeys.API_TLS_SECRET, "cannot be combined with api.tls.certFile", "keep one of the two");
        }
    }

    private void authorityOfSomething() {
        if (!values.get(ConfigurationKeys.PROVIDED_CA_FILE).isEmpty()
                && values.get(ConfigurationKeys.PROVIDED_CERT_FILE).isEmpty()) {
            add(ConfigurationKeys.PROVIDED_CA_FILE, "requires a certificate", "set certFile and keyFile too");
        }
    }

    private void ownAddressEach() {
        record Listener(ConfigurationKey<?> key, ListenAddress address) {}
        List<Listener> listeners = new ArrayList<>();
        values.get(ConfigurationKeys.API_ADDRESS)
                .ifPresent(address -> listeners.add(new Listener(ConfigurationKeys.API_ADDRESS, address)));
        values.get(ConfigurationKeys.WEBHOOK_ADDRESS)
                .ifPresent(address -> listeners.add(new Listener(ConfigurationKeys.WEBHOOK_ADDRESS, address)));
        listeners.add(new Listener(ConfigurationKeys.HEALTH_ADDRESS, values.get(ConfigurationKeys.HEALTH_ADDRESS)));
        listeners.add(new Listener(ConfigurationKeys.METRICS_ADDRESS, values.get(ConfigurationKeys.METRICS_ADDRESS)));
        for (int i = 0; i < listeners.size(); i++) {
            for (int j = 0; j < i; j++) {
                Listener one = listeners.get(i);
                Listener other = listeners.get(j);
                if (one.address().collidesWith(other.address())) {
                    boolean first = values.origin(one.key()) instanceof ValueOrigin.BuiltIn;
                    Listener said = first ? other : one;
                    add(
                            said.key(),
                            said.address() + " collides with "
                                    + (first ? one : other).key().path(),
                            "use another port");
                }
            }
        }
    }

    private void webhooksForWorkers() {
        if (values.get(ConfigurationKeys.WORKER_URL).isPresent()
                && values.get(ConfigurationKeys.WEBHOOK_ADDRESS).equals(Optional.empty())) {
            add(
                    ConfigurationKeys.WORKER_URL,
                    "requires webhooks.address",
                    "set webhooks.address, or leave workerURL empty");
        }
    }

    private void tracesSomewhere(Map<String, String> environment) {
        boolean somewhere = !values.get(ConfigurationKeys.TRACING_ENDPOINT).isEmpty()
                || !environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "").isEmpty();
        if (values.get(ConfigurationKeys.TRACING) && !somewhere) {
            add(ConfigurationKeys.TRACING, "requires an endpoint", "set tracing.endpoint");
        }
    }

    private void add(ConfigurationKey<?> key, String what, String cure) {
        mistakes.add(values.origin(key), key.path(), what, cure);
    }
}
