package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.settings.Setting;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationSchema.ByteSize;
import io.osmhub.deploy.config.ConfigurationSources.Option;
import io.osmhub.deploy.config.HubConfiguration.OnSecretDeleted;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigurationLoaderTest {
    private static final String HEAD = "apiVersion: config.osmhub.io/v1alpha1\nkind: HubConfiguration\n";

    @TempDir
    private Path folder;

    private Result load(String yaml, Map<String, String> environment, String... options) {
        try {
            Path file = Files.writeString(folder.resolve("hub.yaml"), yaml);
            return load(
                    new ConfigurationSources(file.toString(), folder.resolve("none"), environment, options(options)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Result load(ConfigurationSources sources) {
        return ConfigurationLoader.load(sources);
    }

    private static List<Option> options(String... options) {
        return Arrays.stream(options)
                .map(option ->
                        new Option(option.substring(0, option.indexOf(' ')), option.substring(option.indexOf(' ') + 1)))
                .toList();
    }

    private Result withoutFile(Map<String, String> environment, String... options) {
        return load(new ConfigurationSources(null, folder.resolve("none"), environment, options(options)));
    }

    private static HubConfiguration loaded(Result result) {
        return switch (result) {
            case Result.Loaded(EffectiveConfiguration effective) -> effective.configuration();
            case Result.Refused(List<InputError> mistakes) ->
                throw new AssertionError(InputError.formatLines(mistakes));
        };
    }

    /** Lines without the folder of the test. */
    private List<String> mistakes(Result result) {
        return switch (result) {
            case Result.Loaded _ -> List.of();
            case Result.Refused(List<InputError> mistakes) ->
                InputError.formatLines(mistakes).stream()
                        .map(line -> line.replace(folder + "/", "").strip().replaceAll(" {2,}", "  "))
                        .toList();
        };
    }

    @Test
    void hasADefaultForEverything() {
        HubConfiguration configuration = loaded(withoutFile(Map.of()));

        assertThat(configuration.management())
                .isEqualTo(new HubConfiguration.Management("", "", "osm-hub", Duration.ofSeconds(10), 80));
        assertThat(configuration.replicas().mode()).isEqualTo(ReplicaMode.SHARDED);
        assertThat(configuration.api().address()).contains(new ListenAddress("", 8443));
        assertThat(configuration.health().address()).hasToString(":8081");
    }

    @Test
    void readsEverySectionOfAFile() {
        HubConfiguration configuration = loaded(load(HEAD + """
                        management: {kubeconfig: /etc/kube/config, context: mgmt, namespace: hub, requestTimeout: 1m, statusesPerSecond: 7}
                        tenancy:
                          sharedProfileNamespace: profiles
                          namespaceSelector: osmhub.io/tenant=yes,!paused
                          installCRDs: Never
                          discovery: {clusterAPI: true}
                          connectConcurrency: 1024
                          maxConcurrentReconciles: 7
                          removal: {onSecretDeleted: Pause}
                        defaults:
                          provisioning:
                            clusterDNS: [169.254.20.10]
                        kubeconfigPolicy:
                          allow: [Loopback, ProxyURL]
                          denyCIDRs: []
                          allowCIDRs: [10.0.0.0/8, "fd00::/8"]
                          exceptions:
                          - namespaceSelector: osmhub.io/tier=lab
                            allow: [InsecureSkipTLSVerify]
                        replicas: {mode: Single, leaseDuration: 30s, renewInterval: 14999ms}
                        render: {outputLimit: 8Mi, stepLimit: 1000000, depthLimit: 50, timeLimit: 500ms, compiledProfiles: 10}
                        api:
                          address: ""
                          tls: {secretName: "", certFile: /tls/tls.crt, keyFile: /tls/tls.key}
                          audiences: [a, b]
                          authCacheTTL: 0s
                          maxBodySize: 1048576
                          rateLimit: {requestsPerMinute: 1, burst: 2}
                          console: false
                          sessionTTL: 1h30m
                        webhooks:
                          address: 127.0.0.1:9443
                          workerURL: https://hub.example.org:9443
                          managementService: hooks
                          certificate: {validity: 30d, renewAt: 0.5, provided: {certFile: a, keyFile: b, caFile: c}}
                        health: {address: "[::1]:1"}
                        metrics: {address: ":2", perTenant: true, maxTenantSeries: 5}
                        log: {format: console, level: debug, levels: {io.vertx: error}}
                        tracing: {enabled: true, endpoint: "http://localhost:4317", sampleRatio: 1}
                        audit: {log: false}
                        """, Map.of()));

        assertThat(configuration.management())
                .isEqualTo(
                        new HubConfiguration.Management("/etc/kube/config", "mgmt", "hub", Duration.ofMinutes(1), 7));
        assertThat(configuration.tenancy().installCRDs()).isEqualTo(InstallPolicy.NEVER);
        assertThat(configuration.tenancy().removal().onSecretDeleted()).isEqualTo(OnSecretDeleted.PAUSE);
        assertThat(configuration.tenancy().maxConcurrentReconciles()).isEqualTo(7);
        assertThat(configuration.tenancy().discovery().clusterAPI()).isTrue();
        assertThat(configuration.tenancy().namespaceSelector().matches(Map.of("osmhub.io/tenant", "yes")))
                .isTrue();
        assertThat(configuration.defaults().get(Setting.CLUSTER_DNS)).hasToString("[\"169.254.20.10\"]");
        assertThat(configuration.kubeconfigPolicy().allow()).containsExactly(Allowance.LOOPBACK, Allowance.PROXY_URL);
        assertThat(configuration.kubeconfigPolicy().denyCIDRs()).isEmpty();
        assertThat(configuration.kubeconfigPolicy().allowCIDRs())
                .containsExactly(IpNetwork.of("10.0.0.0/8"), IpNetwork.of("fd00::/8"));
        assertThat(configuration.kubeconfigPolicy().exceptions())
                .singleElement()
                .satisfies(exception -> {
                    assertThat(exception.namespaceSelector().matches(Map.of("osmhub.io/tier", "lab")))
                            .isTrue();
                    assertThat(exception.allow()).containsExactly(Allowance.INSECURE_SKIP_TLS_VERIFY);
                });
        assertThat(configuration.replicas())
                .isEqualTo(new HubConfiguration.Replicas(
                        ReplicaMode.SINGLE, Duration.ofSeconds(30), Duration.ofMillis(14_999)));
        assertThat(configuration.render())
                .isEqualTo(
                        new HubConfiguration.Render(new ByteSize(8L << 20), 1_000_000, 50, Duration.ofMillis(500), 10));
        assertThat(configuration.api().address()).isEmpty();
        assertThat(configuration.api().maxBodySize()).isEqualTo(new ByteSize(1L << 20));
        assertThat(configuration.api().authCacheTTL()).isZero();
        assertThat(configuration.api().sessionTTL()).isEqualTo(Duration.ofMinutes(90));
        assertThat(configuration.webhooks().certificate().validity()).isEqualTo(Duration.ofDays(30));
        assertThat(configuration.webhooks().workerURL())
                .hasValueSatisfying(url -> assertThat(url).hasHost("hub.example.org"));
        assertThat(configuration.health().address()).isEqualTo(new ListenAddress("::1", 1));
        assertThat(configuration.log())
                .isEqualTo(new HubConfiguration.Log(ServiceLog.Format.CONSOLE, "debug", Map.of("io.vertx", "error")));
        assertThat(configuration.audit().log()).isFalse();
    }

    @Test
    void laterLayersWin() {
        String yaml = HEAD + "log: {level: warn}\nmetrics: {maxTenantSeries: 1}\nmanagement: {statusesPerSecond: 1}\n";
        Map<String, String> environment =
                Map.of("OSM_HUB_LOG_LEVEL", "error", "OSM_HUB_METRICS_MAX_TENANT_SERIES", "2");

        HubConfiguration configuration = loaded(load(yaml, environment, "--log-level debug"));

        assertThat(configuration.log().level()).isEqualTo("debug");
        assertThat(configuration.metrics().maxTenantSeries()).isEqualTo(2);
        assertThat(configuration.management().statusesPerSecond()).isEqualTo(1);
    }

    @Test
    void listsAndMapsOfTheEnvironmentAreSeparatedByCommas() {
        HubConfiguration configuration = loaded(withoutFile(Map.of(
                "OSM_HUB_KUBECONFIG_POLICY_DENY_CIDRS", "10.0.0.0/8, fe80::/10",
                "OSM_HUB_KUBECONFIG_POLICY_ALLOW", "",
                "OSM_HUB_LOG_LEVELS", "io.vertx=error,io.osmhub.tenancy=debug",
                "OSM_HUB_TENANCY_DISCOVERY_CLUSTER_API", "true",
                "OSM_HUB_TENANCY_INSTALL_CRDS", "Upgrade",
                "OSM_HUB_API_ADDRESS", "")));

        assertThat(configuration.kubeconfigPolicy().denyCIDRs()).hasSize(2);
        assertThat(configuration.log().levels()).containsEntry("io.osmhub.tenancy", "debug");
        assertThat(configuration.tenancy().discovery().clusterAPI()).isTrue();
        assertThat(configuration.tenancy().installCRDs()).isEqualTo(InstallPolicy.UPGRADE);
        assertThat(configuration.api().address()).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"})
    void theEnvironmentOfOpenTelemetryMayNameTheCollector(String variable) {
        HubConfiguration configuration =
                loaded(withoutFile(Map.of("OSM_HUB_TRACING_ENABLED", "true", variable, "http://collector:4318")));

        assertThat(configuration.tracing().enabled()).isTrue();
    }

    @Test
    void theNamespaceOfThePodIsOnlyADefault() {
        Map<String, String> pod = Map.of("POD_NAMESPACE", "hub-system");

        assertThat(loaded(withoutFile(pod)).management().namespace()).isEqualTo("hub-system");
        assertThat(loaded(load(HEAD + "management: {namespace: mine}\n", pod))
                        .management()
                        .namespace())
                .isEqualTo("mine");
    }

    @Test
    void setsAnyKeyOnTheCommandLine() {
        HubConfiguration configuration = loaded(load(
                HEAD + "defaults: {provisioning: {airGapped: true, clusterDNS: [1.1.1.1]}}\n",
                Map.of(),
                "--set replicas.mode=Single",
                "--set kubeconfigPolicy.allow=Loopback,LinkLocal",
                "--set defaults.provisioning.clusterDNS=[9.9.9.9]",
                "--set kubeconfigPolicy.exceptions=[{namespaceSelector: a=b, allow: [ProxyURL]}]"));

        assertThat(configuration.replicas().mode()).isEqualTo(ReplicaMode.SINGLE);
        assertThat(configuration.kubeconfigPolicy().allow()).hasSize(2);
        assertThat(configuration.kubeconfigPolicy().exceptions()).hasSize(1);
        assertThat(configuration.defaults().get(Setting.CLUSTER_DNS)).hasToString("[\"9.9.9.9\"]");
        assertThat(configuration.defaults().get(Setting.AIR_GAPPED).booleanValue())
                .isTrue();
    }

    @Test
    void takesTheFileThatTheEnvironmentNamesOrTheUsualOne() throws IOException {
        Path usual = Files.writeString(folder.resolve("usual.yaml"), HEAD + "log: {level: warn}\n");
        Path named = Files.writeString(folder.resolve("named.yaml"), HEAD + "log: {level: error}\n");

        assertThat(loaded(load(new ConfigurationSources(null, usual, Map.of(), List.of())))
                        .log()
                        .level())
                .isEqualTo("warn");
        assertThat(loaded(load(new ConfigurationSources(
                                null, usual, Map.of("OSM_HUB_CONFIG", named.toString()), List.of())))
                        .log()
                        .level())
                .isEqualTo("error");
    }

    @Test
    void tellsAllMistakesOfAllLayersAtOnce() {
        Result result = load(
                HEAD + """
                        defaults:
                          provisioning:
                            clusterDns: [10.10.10.10]
                            kubelet: {initialTaints: [{key: a, effect: Never}]}
                          paused: true
                        kubeconfigPolicy:
                          denyCIDRs: [10.0.0.0/8, "fe80:/10"]
                        replicas:
                          leaseDuration: 15s
                          renewInterval: 9s
                        """,
                Map.of("OSM_HUB_METRICS_PERTENANT", "true"),
                "--log-level loud",
                "--set metrics.pertenant=1");

        assertThat(mistakes(result))
                .containsExactly(
                        "hub.yaml  defaults.provisioning.clusterDns  unknown key; did you mean \"clusterDNS\"?",
                        "hub.yaml  defaults.provisioning.kubelet.initialTaints[0].effect  \"Never\" is not supported; it must be one of NoSchedule, PreferNoSchedule, NoExecute",
                        "hub.yaml  defaults.paused  applies to one tenant only; set it in the spec of its WorkerCluster",
                        "hub.yaml  kubeconfigPolicy.denyCIDRs[1]  \"fe80:/10\" is not a network; write fe80::/10",
                        "hub.yaml  replicas.renewInterval  9s is not below half of leaseDuration (15s); use less",
                        "environment  OSM_HUB_METRICS_PERTENANT  unknown variable; did you mean OSM_HUB_METRICS_PER_TENANT?",
                        "--log-level  loud  not supported; it must be one of error, warn, info, debug",
                        "--set  metrics.pertenant  unknown key; did you mean metrics.perTenant?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "logs: {level: info} | hub.yaml  logs  unknown key; did you mean log?",
                "log: {lvl: info} | hub.yaml  log.lvl  unknown key; did you mean log.level?",
                "metrics: {statusesPerSecond: 5} | hub.yaml  metrics.statusesPerSecond  unknown key; did you mean management.statusesPerSecond?",
                "log: info | hub.yaml  log  must be an object, not a text",
                "log: {level: [info]} | hub.yaml  log.level  must be a text, not a list",
                "log: {level: off} | hub.yaml  log.level  must be a text, not false; put it in quotes",
                "log: {level: 'off'} | hub.yaml  log.level  \"off\" is not supported; it must be one of error, warn, info, debug",
                "log: {level: infos} | hub.yaml  log.level  \"infos\" is not supported; it must be one of error, warn, info, debug; did you mean \"info\"?",
                "log: {levels: {io.vertx: x}} | hub.yaml  log.levels[io.vertx]  \"x\" is not supported; it must be one of error, warn, info, debug",
                "metrics: {perTenant: maybe} | hub.yaml  metrics.perTenant  must be true or false, not the text \"maybe\"",
                "metrics: {perTenant: 'true'} | hub.yaml  metrics.perTenant  must be true or false, not the text \"true\"; write it without quotes",
                "metrics: {maxTenantSeries: 0} | hub.yaml  metrics.maxTenantSeries  0 is out of range; use 1 to 1000000",
                "metrics: {maxTenantSeries: 1.5} | hub.yaml  metrics.maxTenantSeries  must be a whole number, not 1.5",
                "metrics: {maxTenantSeries: 99999999999999999999} | hub.yaml  metrics.maxTenantSeries  must be a whole number, not 99999999999999999999",
                "metrics: {address: 8080} | hub.yaml  metrics.address  must be a text, not 8080; put it in quotes",
                "metrics: {address: ':99999'} | hub.yaml  metrics.address  \":99999\" is not an address; write :8080 or 127.0.0.1:8080",
                "metrics: {address: ':8081'} | hub.yaml  metrics.address  :8081 collides with health.address; use another port",
                "management: {requestTimeout: 10} | hub.yaml  management.requestTimeout  must be a duration such as 30s, 10m or 1h30m",
                "management: {requestTimeout: 90s} | hub.yaml  management.requestTimeout  must be between 1s and 60s",
                "management: {requestTimeout: 1d} | hub.yaml  management.requestTimeout  must be between 1s and 60s",
                "management: {namespace: Osm_Hub} | hub.yaml  management.namespace  \"Osm_Hub\" has the wrong format; expected a namespace: lower-case letters, digits and '-'",
                "management: {kubeconfig: 7} | hub.yaml  management.kubeconfig  must be a text, not 7; put it in quotes",
                "webhooks: {certificate: {validity: 1000d}} | hub.yaml  webhooks.certificate.validity  must be between 1d and 825d",
                "webhooks: {workerURL: 'http://x'} | hub.yaml  webhooks.workerURL  \"http://x\" is not an https URL; write for example https://hub.example.org:9443, without user, query and fragment",
                "webhooks: {workerURL: 'https://u:c4n4ry@x'} | hub.yaml  webhooks.workerURL  is not an https URL; write for example https://hub.example.org:9443, without user, query and fragment",
                "webhooks: {address: '', workerURL: 'https://x'} | hub.yaml  webhooks.workerURL  requires webhooks.address; set webhooks.address, or leave workerURL empty",
                "render: {outputLimit: 4MB} | hub.yaml  render.outputLimit  \"4MB\" is not a size; use 4Ki to 64Mi, written for example 512Ki, 4Mi or bytes",
                "render: {outputLimit: 1Gi} | hub.yaml  render.outputLimit  \"1Gi\" is not a size; use 4Ki to 64Mi, written for example 512Ki, 4Mi or bytes",
                "tracing: {sampleRatio: 3} | hub.yaml  tracing.sampleRatio  3 is out of range; use 0 to 1",
                "replicas: {leaseDuration: 8s} | hub.yaml  replicas.leaseDuration  8s is not above twice renewInterval (5s); set renewInterval too",
                "tenancy: {installCRDs: Always} | hub.yaml  tenancy.installCRDs  \"Always\" is not supported; it must be one of IfAbsent, Upgrade, Never",
                "tenancy: {namespaceSelector: 'a b'} | hub.yaml  tenancy.namespaceSelector  \"a b\" is not a label selector; write for example osmhub.io/tier=lab",
                "kubeconfigPolicy: {allow: Loopback} | hub.yaml  kubeconfigPolicy.allow  must be a list, not a text",
                "kubeconfigPolicy: {allow: [Loopbak]} | hub.yaml  kubeconfigPolicy.allow[0]  \"Loopbak\" is not supported; it must be one of InsecureSkipTLSVerify, ProxyURL, Loopback, LinkLocal, ManagementCluster; did you mean \"Loopback\"?",
                "kubeconfigPolicy: {denyCIDRs: [10.0.0.1/8]} | hub.yaml  kubeconfigPolicy.denyCIDRs[0]  \"10.0.0.1/8\" is not a network; write 10.0.0.0/8",
                "kubeconfigPolicy: {denyCIDRs: [10.0.0.1]} | hub.yaml  kubeconfigPolicy.denyCIDRs[0]  \"10.0.0.1\" is not a network; write 10.0.0.1/32",
                "kubeconfigPolicy: {exceptions: [{allow: []}]} | hub.yaml  kubeconfigPolicy.exceptions[0].namespaceSelector  missing; it is required",
                "kubeconfigPolicy: {exceptions: [{namespaceSelector: '', allow: []}]} | hub.yaml  kubeconfigPolicy.exceptions[0].namespaceSelector  selects every namespace; name a label, or use kubeconfigPolicy.allow",
                "api: {tls: {certFile: a}} | hub.yaml  api.tls.certFile  requires api.tls.keyFile; set both the certificate and its key",
                "api: {tls: {secretName: s, certFile: a, keyFile: b}} | hub.yaml  api.tls.secretName  cannot be combined with api.tls.certFile; keep one of the two",
                "api: {oidc: {issuer: 'https://id.example.org', redirectURL: 'https://hub/signin/oidc/callback'}} | hub.yaml  api.oidc.issuer  requires api.oidc.clientId; register a client for the hub at the issuer",
                "api: {oidc: {clientId: hub}} | hub.yaml  api.oidc.clientId  requires api.oidc.issuer; set the issuer too",
                "api: {oidc: {issuer: 'https://id.example.org', clientId: hub}} | hub.yaml  api.oidc.issuer  requires api.oidc.redirectURL; set it as registered at the issuer",
                "api: {oidc: {issuer: 'https://id.example.org', clientId: hub, redirectURL: 'https://hub/callback'}} | hub.yaml  api.oidc.redirectURL  has another path than /signin/oidc/callback; set https://HUB/signin/oidc/callback",
                "api: {oidc: {issuer: 'https://id.example.org', clientId: hub, redirectURL: 'https://hub/signin/oidc/callback', scopes: [email]}} | hub.yaml  api.oidc.scopes  requires openid; add openid",
                "tracing: {enabled: true} | hub.yaml  tracing.enabled  requires an endpoint; set tracing.endpoint",
                "defaults: {provisioning: {clusterDNS: [10.0.0.300]}} | hub.yaml  defaults.provisioning.clusterDNS[0]  must be an IPv4 or IPv6 address",
                "defaults: [] | hub.yaml  defaults  must be an object, not a list",
            })
    void saysWhatIsWrongWhereAndWhatToWrite(String line, String mistake) {
        assertThat(mistakes(load(HEAD + line + "\n", Map.of()))).containsExactly(mistake);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "log: {level: info}\\nlog: {level: warn} | hub.yaml:4:1  key \"log\" is duplicated; correct the YAML",
                "log: {level: info, level: warn} | hub.yaml:3:20  key \"level\" is duplicated; correct the YAML",
                "---\\nlog: {} | hub.yaml:4:1  contains a second document; keep one",
            })
    void isStrictAboutYaml(String text, String mistake) {
        assertThat(mistakes(load(HEAD + text.replace("\\n", "\n") + "\n", Map.of())))
                .contains(mistake);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a: [", "a: b: c", "\t- x", "a: 'x", "\u0000", "{{", "%YAML 3.0\n---\na: 1", "- a", "text", "7"})
    void aTextThatIsNoConfigurationIsAMistakeAndNoFault(String text) {
        assertThat(mistakes(load(text, Map.of()))).isNotEmpty();
    }

    @Test
    void anEmptyFileSaysNothing() {
        assertThat(mistakes(load("# nothing yet\n", Map.of()))).isEmpty();
        assertThat(mistakes(load("", Map.of()))).isEmpty();
    }

    @Test
    void wantsToBeToldWhatTheFileIs() {
        assertThat(mistakes(load("log: {level: info}\nkind: Hub\n", Map.of())))
                .containsExactly(
                        "hub.yaml  apiVersion  is missing; write apiVersion: config.osmhub.io/v1alpha1",
                        "hub.yaml  kind  is not HubConfiguration; write kind: HubConfiguration");
    }

    @Test
    void saysThatAFileIsNotThere() {
        assertThat(mistakes(load(
                        new ConfigurationSources(folder.resolve("hub.yaml").toString(), folder, Map.of(), List.of()))))
                .containsExactly("hub.yaml  file not found; check the path");
        assertThat(mistakes(load(new ConfigurationSources(folder.toString(), folder, Map.of(), List.of()))))
                .hasSize(1);
    }

    @Test
    void passesOverTheVariablesThatKubernetesMakesForTheHubsOwnServices() {
        assertThat(mistakes(withoutFile(Map.of(
                        "OSM_HUB_SERVICE_HOST", "10.0.0.1",
                        "OSM_HUB_SERVICE_PORT", "8443",
                        "OSM_HUB_SERVICE_PORT_HTTPS", "8443",
                        "OSM_HUB_PORT", "tcp://10.0.0.1:8443",
                        "OSM_HUB_PORT_8443_TCP", "tcp://10.0.0.1:8443",
                        "OSM_HUB_PORT_8443_TCP_ADDR", "10.0.0.1",
                        "OSM_HUB_WEBHOOK_SERVICE_HOST", "10.0.0.2",
                        "OSM_HUB_WEBHOOK_PORT_9443_TCP_PROTO", "tcp",
                        "OSM_HUB_SERVER", "https://hub",
                        "OSM_HUB_TOKEN_FILE", "/t"))))
                .isEmpty();
    }

    @Test
    void saysWhatOnlyTheFileCanHold() {
        assertThat(mistakes(withoutFile(Map.of("OSM_HUB_DEFAULTS_PROVISIONING_AIR_GAPPED", "true"))))
                .containsExactly(
                        "environment  OSM_HUB_DEFAULTS_PROVISIONING_AIR_GAPPED  unknown variable; defaults can only be set in the file");
    }

    @Test
    void anEntryOfAMapIsNotCut() {
        assertThat(mistakes(withoutFile(Map.of(), "--set log.levels=io.osmhub=debug=x")))
                .containsExactly(
                        "--set  log.levels[io.osmhub]  \"debug=x\" is not supported; it must be one of error, warn, info, debug; did you mean \"debug\"?");
    }

    @Test
    void mistakesOfTheEnvironmentAndTheCommandLineNameVariableAndOption() {
        assertThat(mistakes(withoutFile(
                        Map.of("OSM_HUB_REPLICAS_LEASE_DURATION", "1h", "OSM_HUB_API_CONSOLE", ""),
                        "--health-address nowhere",
                        "--set replicas.renewInterval=x",
                        "--set x",
                        "--set defaults.provisioning.airGaped=true",
                        "--set defaults.provisioning.airGapped=[")))
                .containsExactly(
                        "environment  OSM_HUB_API_CONSOLE  must be true or false, not the text \"\"",
                        "environment  OSM_HUB_REPLICAS_LEASE_DURATION  must be between 5s and 60s",
                        "--health-address  nowhere  not an address; write :8080 or 127.0.0.1:8080",
                        "--set  replicas.renewInterval  must be a duration such as 30s, 10m or 1h30m",
                        "--set  x  is not KEY=VALUE; write for example log.level=debug",
                        "--set  defaults.provisioning.airGaped  unknown key; did you mean \"airGapped\"?",
                        "--set  defaults.provisioning.airGapped  is not valid YAML: invalid syntax; check indentation, colons and quotes");
    }

    @Test
    void everyScalarAndListHasAVariableOfItsOwn() {
        List<String> variables = ConfigurationKey.all().stream()
                .map(ConfigurationKey::variable)
                .filter(variable -> !variable.isEmpty())
                .toList();

        assertThat(variables)
                .doesNotHaveDuplicates()
                .contains("OSM_HUB_MANAGEMENT_NAMESPACE", "OSM_HUB_API_AUTH_CACHE_TTL");
        assertThat(ConfigurationKey.all().stream()
                        .filter(key -> key.variable().isEmpty())
                        .map(ConfigurationKey::path))
                .containsExactly("defaults", "kubeconfigPolicy.exceptions");
    }

    @Test
    void printsEveryValueWithItsSourceAsAFileThatGivesTheSame() {
        Result.Loaded before = (Result.Loaded) load(
                HEAD + """
                        defaults: {provisioning: {clusterDNS: [10.0.0.10]}, connection: {requestTimeout: 5s}}
                        kubeconfigPolicy: {exceptions: [{namespaceSelector: "a in (b,c)", allow: [Loopback]}]}
                        log: {levels: {io.vertx: error}}
                        tenancy: {namespaceSelector: "x=y"}
                        """,
                Map.of("OSM_HUB_API_ADDRESS", "", "POD_NAMESPACE", "hub-system"),
                "--set webhooks.workerURL=https://hub.example.org");

        List<String> printed = before.effective().print();
        Result.Loaded after = (Result.Loaded) load(String.join("\n", printed), Map.of());

        assertThat(ConfigurationKey.all())
                .allSatisfy(key -> assertThat(after.effective().text(key))
                        .as(key.path())
                        .isEqualTo(before.effective().text(key)));
        assertThat(printed.stream().map(line -> line.replace(folder + "/", "").replaceAll(" {2,}#", " #")))
                .contains(
                        "  namespace: hub-system # POD_NAMESPACE",
                        "  address: \"\" # OSM_HUB_API_ADDRESS",
                        "  workerURL: \"https://hub.example.org\" # --set",
                        "  namespaceSelector: \"x=y\" # hub.yaml",
                        "  statusesPerSecond: 80 # built-in");
    }
}
