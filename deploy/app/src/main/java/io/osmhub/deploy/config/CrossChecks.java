package io.osmhub.deploy.config;

import io.osmhub.core.schema.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What has to hold between keys. A mistake is told at the key that somebody set, the later one of two. */
final class CrossChecks {
    private final Values values;
    private final ConfigurationMistakes mistakes;

    private CrossChecks(Values values, ConfigurationMistakes mistakes) {
        this.values = values;
        this.mistakes = mistakes;
    }

    static void check(Values values, Map<String, String> environment, ConfigurationMistakes mistakes) {
        CrossChecks checks = new CrossChecks(values, mistakes);
        checks.renewsInTime();
        checks.togetherOrNot(Keys.API_CERT_FILE, Keys.API_KEY_FILE);
        checks.togetherOrNot(Keys.PROVIDED_CERT_FILE, Keys.PROVIDED_KEY_FILE);
        checks.oneCertificate();
        checks.authorityOfSomething();
        checks.ownAddressEach();
        checks.webhooksForWorkers();
        checks.tracesSomewhere(environment);
    }

    private void renewsInTime() {
        var interval = values.get(Keys.RENEW_INTERVAL);
        var lease = values.get(Keys.LEASE_DURATION);
        if (interval.multipliedBy(2).compareTo(lease) >= 0) {
            Key<?> said = values.origin(Keys.RENEW_INTERVAL) instanceof Origin.BuiltIn
                    ? Keys.LEASE_DURATION
                    : Keys.RENEW_INTERVAL;
            add(
                    said,
                    said == Keys.RENEW_INTERVAL
                            ? DurationText.text(interval) + " is not below half of leaseDuration ("
                                    + DurationText.text(lease) + ")"
                            : DurationText.text(lease) + " is not above twice renewInterval ("
                                    + DurationText.text(interval) + ")",
                    said == Keys.RENEW_INTERVAL ? "use less" : "set renewInterval too");
        }
    }

    private void togetherOrNot(Key<String> certificate, Key<String> key) {
        boolean hasCertificate = !values.get(certificate).isEmpty();
        boolean hasKey = !values.get(key).isEmpty();
        if (hasCertificate != hasKey) {
            add(
                    hasCertificate ? certificate : key,
                    "stands without " + (hasCertificate ? key : certificate).path(),
                    "a certificate and its key go together");
        }
    }

    private void oneCertificate() {
        if (!values.get(Keys.API_TLS_SECRET).isEmpty()
                && !values.get(Keys.API_CERT_FILE).isEmpty()) {
            add(Keys.API_TLS_SECRET, "stands beside api.tls.certFile", "keep one of the two");
        }
    }

    private void authorityOfSomething() {
        if (!values.get(Keys.PROVIDED_CA_FILE).isEmpty()
                && values.get(Keys.PROVIDED_CERT_FILE).isEmpty()) {
            add(Keys.PROVIDED_CA_FILE, "stands without a certificate", "set certFile and keyFile too");
        }
    }

    private void ownAddressEach() {
        record Listener(Key<?> key, ListenAddress address) {}
        List<Listener> listeners = new ArrayList<>();
        values.get(Keys.API_ADDRESS).ifPresent(address -> listeners.add(new Listener(Keys.API_ADDRESS, address)));
        values.get(Keys.WEBHOOK_ADDRESS)
                .ifPresent(address -> listeners.add(new Listener(Keys.WEBHOOK_ADDRESS, address)));
        listeners.add(new Listener(Keys.HEALTH_ADDRESS, values.get(Keys.HEALTH_ADDRESS)));
        listeners.add(new Listener(Keys.METRICS_ADDRESS, values.get(Keys.METRICS_ADDRESS)));
        for (int i = 0; i < listeners.size(); i++) {
            for (int j = 0; j < i; j++) {
                Listener one = listeners.get(i);
                Listener other = listeners.get(j);
                if (one.address().collidesWith(other.address())) {
                    boolean first = values.origin(one.key()) instanceof Origin.BuiltIn;
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
        if (values.get(Keys.WORKER_URL).isPresent()
                && values.get(Keys.WEBHOOK_ADDRESS).equals(Optional.empty())) {
            add(
                    Keys.WORKER_URL,
                    "is set, but webhooks.address is off",
                    "set webhooks.address, or leave workerURL empty");
        }
    }

    private void tracesSomewhere(Map<String, String> environment) {
        boolean somewhere = !values.get(Keys.TRACING_ENDPOINT).isEmpty()
                || !environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "").isEmpty();
        if (values.get(Keys.TRACING) && !somewhere) {
            add(Keys.TRACING, "is on without a place to send to", "set tracing.endpoint");
        }
    }

    private void add(Key<?> key, String what, String cure) {
        mistakes.add(values.origin(key), key.path(), what, cure);
    }
}
