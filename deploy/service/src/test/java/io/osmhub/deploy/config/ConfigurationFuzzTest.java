package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.config.ConfigurationLoader.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any file content results in a configuration or a list of errors. */
final class ConfigurationFuzzTest {
    private static final int ROUNDS = 700;

    private static final String GOOD = """
            apiVersion: config.osmhub.io/v1alpha1
            kind: HubConfiguration
            management: {kubeconfig: /k, namespace: hub, requestTimeout: 1m, statusesPerSecond: 7}
            tenancy: {namespaceSelector: "a=b", installCRDs: Never, discovery: {clusterAPI: true}}
            defaults:
              provisioning:
                clusterDNS: [169.254.20.10]
                kubelet: {featureGates: {A: true}, initialTaints: [{key: a, value: b, effect: NoSchedule}]}
                registries: {mirrors: [{registry: docker.io, endpoints: [{url: "https://m.example.org"}]}]}
                proxy: {httpProxy: "http://p.example.org:3128", noProxy: [a]}
                bootstrap: {tokenTTL: 2h}
              connection: {writeBudget: {perSecond: 5}}
            kubeconfigPolicy:
              allow: [Loopback]
              denyCIDRs: [10.0.0.0/8, "fd00::/8"]
              exceptions: [{namespaceSelector: a=b, allow: [ProxyURL]}]
            replicas: {leaseDuration: 30s, renewInterval: 5s}
            render: {outputLimit: 8Mi}
            webhooks: {workerURL: "https://hub.example.org", certificate: {validity: 30d, renewAt: 0.5}}
            metrics: {address: ":2", perTenant: true}
            log: {level: debug, levels: {io.vertx: error}}
            """;

    private static final List<String> WORDS = List.of(
            "[",
            "]",
            "{",
            "}",
            ": ",
            "- ",
            "? ",
            "&a ",
            "*a",
            "!!str ",
            "'",
            "\"",
            "|\n",
            "\n",
            "---\n",
            "null",
            "~",
            "true",
            "-1",
            "1e99",
            "99999999999999999999",
            "0.1",
            "::",
            "\t",
            "#",
            "<<: ",
            "\u0000",
            "\ud800",
            "%TAG",
            "/",
            "=",
            ",");

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aMutatedFileGetsAnAnswer(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            String text = GOOD;
            for (int edits = 1 + random.nextInt(5); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                int end = Math.min(text.length(), at + 1 + random.nextInt(15));
                text = text.substring(0, at)
                        + WORDS.get(random.nextInt(WORDS.size()))
                        + text.substring(random.nextBoolean() ? at : end);
            }
            check(seed + "/" + i, text);
        }
    }

    private static void check(String round, String text) {
        List<ConfigurationSources> all = List.of(
                new ConfigurationSources(null, Path.of("none"), Map.of(), List.of()),
                new ConfigurationSources(
                        null,
                        Path.of("none"),
                        Map.of("OSM_HUB_LOG_LEVELS", text),
                        List.of(new ConfigurationSources.Option("--set", text))));
        for (ConfigurationSources sources : all) {
            try {
                switch (ConfigurationLoader.load(sources, "hub.yaml", text)) {
                    case Result.Loaded(EffectiveConfiguration effective) ->
                        assertThat(effective.print())
                                .hasSizeGreaterThan(ConfigurationKey.all().size());
                    case Result.Refused(List<InputError> mistakes) ->
                        assertThat(InputError.formatLines(mistakes))
                                .isNotEmpty()
                                .allSatisfy(line -> assertThat(line).doesNotContain("\n"));
                }
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("round " + round + " of:\n" + text, e);
            }
        }
    }
}
