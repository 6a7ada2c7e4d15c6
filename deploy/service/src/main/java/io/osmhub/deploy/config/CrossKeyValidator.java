package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.OidcSignIn;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.deploy.config.HubConfiguration.ApiCertificate;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Validates rules between keys. Reports an error at the explicitly set key, the later one of two. */
final class CrossKeyValidator {
    private final JsonNode values;
    private final HubConfiguration configuration;
    private final Function<String, ValueOrigin> origins;
    private final Consumer<InputError> errors;

    CrossKeyValidator(
            JsonNode values,
            HubConfiguration configuration,
            Function<String, ValueOrigin> origins,
            Consumer<InputError> errors) {
        this.values = values;
        this.configuration = configuration;
        this.origins = origins;
        this.errors = errors;
    }

    void check(Map<String, String> environment) {
        policyExceptions();
        leaseRenewal();
        requiredKeys();
        oidc();
        listeners();
        ApiCertificate tls = configuration.api().tls();
        if (!tls.secretName().isEmpty() && !tls.certFile().isEmpty()) {
            add("api.tls.secretName", "cannot be combined with api.tls.certFile", "keep one of the two");
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
                errors.accept(origins.apply(key)
                        .error(
                                key + "[" + i + "].namespaceSelector",
                                "selects every namespace",
                                "name a label, or use kubeconfigPolicy.allow"));
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

    /** A key that is not empty requires others, as its schema states. */
    private void requiredKeys() {
        for (ConfigurationKey key : ConfigurationKey.all()) {
            if (!key.in(values).asText().isEmpty()) {
                key.schema().path("x-requires").propertyStream().forEach(required -> {
                    if (ConfigurationKey.in(values, required.getKey()).asText().isEmpty()) {
                        add(
                                key.path(),
                                "requires " + required.getKey(),
                                required.getValue().asText());
                    }
                });
            }
        }
    }

    private void oidc() {
        HubConfiguration.Oidc oidc = configuration.api().oidc();
        if (oidc.issuer().isEmpty()) {
            return;
        }
        Optional<URI> redirect = oidc.redirectURL();
        if (redirect.isPresent() && !OidcSignIn.CALLBACK.equals(redirect.get().getPath())) {
            add(
                    "api.oidc.redirectURL",
                    "has another path than " + OidcSignIn.CALLBACK,
                    "set https://HUB" + OidcSignIn.CALLBACK);
        }
        if (!oidc.scopes().contains("openid")) {
            add("api.oidc.scopes", "requires openid", "add openid");
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
        errors.accept(origins.apply(key).error(key, what, cure));
    }
}
