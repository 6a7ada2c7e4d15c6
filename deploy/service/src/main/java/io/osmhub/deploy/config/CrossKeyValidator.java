package io.osmhub.deploy.config;

import io.osmhub.api.access.OidcSignIn;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.deploy.config.HubConfiguration.ApiCertificate;
import io.osmhub.deploy.config.HubConfiguration.ProvidedCertificate;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Validates rules between keys. Reports an error at the explicitly set key, the later one of two. */
final class CrossKeyValidator {
    /** Receives errors. */
    interface ErrorReporter {
        void add(ValueOrigin origin, String key, String what, String cure);
    }

    private final HubConfiguration configuration;
    private final Function<String, ValueOrigin> origins;
    private final ErrorReporter errorReporter;

    CrossKeyValidator(
            HubConfiguration configuration, Function<String, ValueOrigin> origins, ErrorReporter errorReporter) {
        this.configuration = configuration;
        this.origins = origins;
        this.errorReporter = errorReporter;
    }

    void check(Map<String, String> environment) {
        policyExceptions();
        leaseRenewal();
        certificates();
        oidc();
        listeners();
        if (configuration.webhooks().workerURL().isPresent()
                && configuration.webhooks().address().isEmpty()) {
            String cure = "set webhooks.address, or leave workerURL empty";
            add("webhooks.workerURL", "requires webhooks.address", cure);
        }
        boolean collector = !configuration.tracing().endpoint().isEmpty()
                || Stream.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
                        .anyMatch(variable ->
                                !environment.getOrDefault(variable, "").isEmpty());
        if (configuration.tracing().enabled() && !collector) {
            add("tracing.enabled", "requires an endpoint", "set tracing.endpoint");
        }
    }

    /** A selector that matches everything belongs in the policy itself; an empty one is probably a mistake. */
    private void policyExceptions() {
        String key = "kubeconfigPolicy.exceptions";
        List<HubConfiguration.PolicyException> exceptions =
                configuration.kubeconfigPolicy().exceptions();
        for (int i = 0; i < exceptions.size(); i++) {
            if (exceptions.get(i).namespaceSelector().requirements().isEmpty()) {
                errorReporter.add(
                        origins.apply(key),
                        key + "[" + i + "].namespaceSelector",
                        "selects every namespace",
                        "name a label, or use kubeconfigPolicy.allow");
            }
        }
    }

    private void leaseRenewal() {
        Duration interval = configuration.replicas().renewInterval();
        Duration lease = configuration.replicas().leaseDuration();
        if (interval.multipliedBy(2).compareTo(lease) < 0) {
            return;
        }
        if (isBuiltIn("replicas.renewInterval")) {
            add(
                    "replicas.leaseDuration",
                    DurationFormat.format(lease) + " is not above twice renewInterval ("
                            + DurationFormat.format(interval) + ")",
                    "set renewInterval too");
        } else {
            add(
                    "replicas.renewInterval",
                    DurationFormat.format(interval) + " is not below half of leaseDuration ("
                            + DurationFormat.format(lease) + ")",
                    "use less");
        }
    }

    private void certificates() {
        ApiCertificate api = configuration.api().tls();
        ProvidedCertificate webhooks = configuration.webhooks().certificate().provided();
        togetherOrNot("api.tls", api.certFile(), api.keyFile());
        togetherOrNot("webhooks.certificate.provided", webhooks.certFile(), webhooks.keyFile());
        if (!api.secretName().isEmpty() && !api.certFile().isEmpty()) {
            add("api.tls.secretName", "cannot be combined with api.tls.certFile", "keep one of the two");
        }
        if (!webhooks.caFile().isEmpty() && webhooks.certFile().isEmpty()) {
            String cure = "set certFile and keyFile too";
            add("webhooks.certificate.provided.caFile", "requires a certificate", cure);
        }
    }

    private void oidc() {
        HubConfiguration.Oidc oidc = configuration.api().oidc();
        if (oidc.issuer().isEmpty()) {
            if (!oidc.clientId().isEmpty()) {
                add("api.oidc.clientId", "requires api.oidc.issuer", "set the issuer too");
            }
            return;
        }
        if (oidc.clientId().isEmpty()) {
            add("api.oidc.issuer", "requires api.oidc.clientId", "register a client for the hub at the issuer");
        }
        Optional<URI> redirect = oidc.redirectURL();
        if (redirect.isEmpty()) {
            add("api.oidc.issuer", "requires api.oidc.redirectURL", "set it as registered at the issuer");
        } else if (!OidcSignIn.CALLBACK.equals(redirect.get().getPath())) {
            add(
                    "api.oidc.redirectURL",
                    "has another path than " + OidcSignIn.CALLBACK,
                    "set https://HUB" + OidcSignIn.CALLBACK);
        }
        if (!oidc.scopes().contains("openid")) {
            add("api.oidc.scopes", "requires openid", "add openid");
        }
    }

    private void togetherOrNot(String section, String certificate, String key) {
        if (certificate.isEmpty() != key.isEmpty()) {
            String set = certificate.isEmpty() ? ".keyFile" : ".certFile";
            String missing = certificate.isEmpty() ? ".certFile" : ".keyFile";
            add(section + set, "requires " + section + missing, "set both the certificate and its key");
        }
    }

    private void listeners() {
        record Listener(String key, ListenAddress address) {}
        List<Listener> listeners = new ArrayList<>();
        configuration.api().address().ifPresent(address -> listeners.add(new Listener("api.address", address)));
        configuration
                .webhooks()
                .address()
                .ifPresent(address -> listeners.add(new Listener("webhooks.address", address)));
        listeners.add(new Listener("health.address", configuration.health().address()));
        listeners.add(new Listener("metrics.address", configuration.metrics().address()));
        for (int i = 0; i < listeners.size(); i++) {
            for (int j = 0; j < i; j++) {
                Listener one = listeners.get(i);
                Listener other = listeners.get(j);
                if (one.address().collidesWith(other.address())) {
                    Listener set = isBuiltIn(one.key()) ? other : one;
                    String rest = (set == one ? other : one).key();
                    add(set.key(), set.address() + " collides with " + rest, "use another port");
                }
            }
        }
    }

    private boolean isBuiltIn(String key) {
        return origins.apply(key).equals(ValueOrigin.BUILT_IN);
    }

    private void add(String key, String what, String cure) {
        errorReporter.add(origins.apply(key), key, what, cure);
    }
}
