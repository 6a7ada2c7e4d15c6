package io.osmhub.deploy.profiles.matrix;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.render.Renderer.RenderInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code /opt/osm/node-address} of each shipped profile, with a stand-in for {@code ip}. */
final class NodeAddressTest {
    private static final String IPV4 = "192.0.2.7";
    private static final String IPV6 = "2001:db8::7";
    private static final List<String> EXISTING = List.of("", "4", "6", "46");
    private static final Map<String, List<String>> ADDRESSES = Map.of(
            "IPv4", List.of(IPV4),
            "IPv6", List.of(IPV6),
            "IPv4+IPv6", List.of(IPV4, IPV6),
            "IPv6+IPv4", List.of(IPV6, IPV4));

    /** Has an address and a default route for the families in FAMILIES; ROUTES= leaves out the routes. */
    private static final String IP = """
            #!/bin/bash
            family=${1#-}
            [[ $FAMILIES == *$family* ]] || exit 0
            case "$*" in
              "-4 -oneline route show default") [ -z "${ROUTES-yes}" ] || echo "default via 192.0.2.1 dev eth0 proto dhcp" ;;
              "-6 -oneline route show default") [ -z "${ROUTES-yes}" ] || echo "default via fe80::1 dev eth0 proto ra" ;;
              "-4 -oneline address show dev eth0 scope global" | "-4 -oneline address show scope global")
                echo "2: eth0    inet 192.0.2.7/24 brd 192.0.2.255 scope global dynamic eth0" ;;
              "-6 -oneline address show dev eth0 scope global" | "-6 -oneline address show scope global")
                echo "2: eth0    inet6 2001:db8::9/64 scope global temporary dynamic"
                echo "2: eth0    inet6 2001:db8::8/64 scope global tentative"
                [ -n "$TENTATIVE" ] || echo "2: eth0    inet6 2001:db8::7/64 scope global" ;;
              *) echo "unexpected: ip $*" >&2; exit 2 ;;
            esac
            """;

    @TempDir
    Path folder;

    static Stream<Arguments> profilesAndFamilies() {
        return ShippedProfile.shipped().stream()
                .flatMap(profile ->
                        ADDRESSES.keySet().stream().sorted().map(family -> arguments(profile.name(), profile, family)));
    }

    @ParameterizedTest(name = "{0}, {2}")
    @MethodSource("profilesAndFamilies")
    void failsUntilEachFamilyOfTheClusterHasAnAddress(String name, ShippedProfile profile, String family)
            throws IOException, InterruptedException {
        List<String> wanted = requireNonNull(ADDRESSES.get(family));
        String script = script(profile, family);

        for (String existing : EXISTING) {
            Result result = run(script, Map.of("FAMILIES", existing));

            boolean complete = wanted.stream().allMatch(address -> existing.contains(address.equals(IPV4) ? "4" : "6"));
            if (complete) {
                assertThat(result.status()).as("with %s: %s", existing, result).isZero();
                assertThat(result.arguments()).contains(" --node-ip=" + String.join(",", wanted));
            } else {
                assertThat(result.status()).as("with %s: %s", existing, result).isNotZero();
                assertThat(result.output()).contains("no IPv").contains(" address");
                assertThat(result.arguments()).as("what the kubelet would read").isEmpty();
            }
        }
    }

    @Test
    void anAddressThatMayBeTakenDoesNotCount() throws IOException, InterruptedException {
        String script = script(ShippedProfile.shipped().getFirst(), "IPv4+IPv6");

        assertThat(run(script, Map.of("FAMILIES", "46", "TENTATIVE", "yes")).status())
                .isNotZero();
    }

    @Test
    void takesTheAddressOfAnIsolatedNetworkWithoutDefaultRoute() throws IOException, InterruptedException {
        String script = script(ShippedProfile.shipped().getFirst(), "IPv4");

        assertThat(run(script, Map.of("FAMILIES", "4", "ROUTES", "")).arguments())
                .contains(" --node-ip=" + IPV4);
    }

    @Test
    void leavesTwoFamiliesToTheCloudControllerManager() throws IOException, InterruptedException {
        for (ShippedProfile profile : ShippedProfile.shipped()) {
            ProfileCombination point = combination(profile, TenantVariant.EVERYTHING);
            Result result = run(script(point, point.input()), Map.of("FAMILIES", ""));

            assertThat(result.status()).as(profile.name() + ": " + result).isZero();
            assertThat(result.arguments()).doesNotContain("--node-ip");
        }
    }

    /** The script as a machine of a MachineDeployment with this address family gets it. */
    private String script(ShippedProfile profile, String family) {
        String system = profile.profile().spec().osName();
        ProfileCombination point = combination(profile, TenantVariant.PLAIN);
        String utility = system.equals("flatcar") ? "\"provisioningUtility\": \"" + profile.utility() + "\"" : "";
        RenderInput plain = point.input();
        MachineDeployment machineDeployment = MachineDeployment.of(
                "kube-system",
                "workers",
                Map.of(MachineDeployment.PROFILE, profile.name(), MachineDeployment.REVISION, "1"),
                KubernetesVersions.version(point.minor()),
                """
                {"cloudProvider": "%s", "cloudProviderSpec": {}, "operatingSystem": "%s",
                 "operatingSystemSpec": {%s}, "network": {"ipFamily": "%s"}}
                """.formatted(point.provider(), system, utility, family));
        return script(
                point,
                new RenderInput(
                        plain.tenantNamespace(),
                        machineDeployment,
                        plain.profile(),
                        plain.settings(),
                        plain.access(),
                        plain.resolved()));
    }

    private static ProfileCombination combination(ShippedProfile profile, TenantVariant variant) {
        return new ProfileCombination(
                profile,
                profile.profile().spec().supportedCloudProviders().getFirst(),
                KubernetesVersions.MINORS.getLast(),
                variant);
    }

    /** With {@code /run/osm} in this test's folder. */
    private String script(ProfileCombination point, RenderInput input) {
        RenderMatrix matrix = new RenderMatrix();
        return matrix.render(point, input).stream()
                .flatMap(documents -> documents.provisioning().files().stream())
                .filter(file -> file.path().equals("/opt/osm/node-address"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(matrix.findings().toString()))
                .content()
                .replace("/run/osm", folder.resolve("run").toString());
    }

    private record Result(int status, String output, String arguments) {}

    private Result run(String script, Map<String, String> environment) throws IOException, InterruptedException {
        program("ip", IP);
        program("hostname", "#!/bin/bash\necho node-1\n");
        Path arguments = folder.resolve("run/kubelet.env");
        Files.deleteIfExists(arguments);
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder("bash", program("node-address", script).toString());
        builder.environment().put("PATH", folder + ":" + builder.environment().get("PATH"));
        builder.environment().put("TENTATIVE", "");
        builder.environment().putAll(environment);
        int status = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        return new Result(status, Files.readString(output), Files.exists(arguments) ? Files.readString(arguments) : "");
    }

    private Path program(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        file.toFile().setExecutable(true);
        return file;
    }
}
