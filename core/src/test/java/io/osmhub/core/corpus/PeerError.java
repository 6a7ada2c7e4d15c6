package io.osmhub.core.corpus;

import io.osmhub.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error text of OSM means in our words: the reason, and what the finding has to name. OSM's wording is Go's
 * and not compared, but the cause has to be the same.
 */
record PeerError(String reason, List<String> names) {
    private record Rule(Pattern text, String reason) {}

    /** In each pattern the groups are what has to be named. */
    private static final List<Rule> RULES = List.of(
            rule("^(invalid cluster dns specified: .*)$", "SettingsInvalid"),
            rule("^(.* not supported; containerd is the only supported container runtimes)$", "SettingsInvalid"),
            rule("^(-\\S+ is invalid: file does not contain valid PEM-encoded certificates)$", "SettingsInvalid"),
            rule("^(invalid kubelet feature gates specified: .*)$", "SettingsInvalid"),
            rule("^(invalid (?:boolean )?value .* for .*)$", "SettingsInvalid"),
            rule("^failed to generate container runtime config: (.*)$", "SettingsInvalid"),
            rule("^(-bootstrap-token-service-account-name is in incorrect format .*)$", "SettingsInvalid"),
            rule("OperatingSystemProfile (\".*\") not found$", "ProfileNotFound"),
            rule(
                    "(OperatingSystemProfile \".*\" does not support operating system \".*\")$",
                    "ProfileOperatingSystemMismatch"),
            rule(
                    "(OperatingSystemProfile \".*\" does not support cloud provider \".*\")$",
                    "ProfileCloudProviderMismatch"),
            rule(
                    "(no endpointslices found for kubernetes service|no ready endpoint found in kubernetes endpointslices)$",
                    "APIServerEndpointMissing"),
            rule(
                    "(expected to find exactly one secret for the given machine name =.* but found \\d+)$",
                    "BootstrapTokenReplaced"),
            rule("\\[(machinedeployment.k8s.io/name)\\]: .* must be no more than (63) bytes$", "NameTooLong"),
            rule("(no serviceAccountSecret found)$", "ServiceAccountTokenMissing"),
            rule("failed to get (cloud-init-getter-token) secrets .* not found$", "GetterTokenMissing"),
            rule("failed to fetch api server (token)", "GetterTokenMissing"),
            rule("registry credentials secret object: secrets \"(.*)\" not found$", "SettingsReferenceNotFound"),
            rule("failed to get containerd auth config: ", "RegistryCredentialsInvalid"),
            rule("parsing (?:m|i|c)\\w+: (strconv.*|time: .*)$", "KubeletAnnotationInvalid"),
            rule("(invalid semantic version)$", "KubeletVersionInvalid"),
            rule("invalid kubelet version", "KubeletVersionInvalid"),
            rule("static IP config is not supported with: (.*)$", "StaticNetworkNotSupported"),
            rule("unknown OperatingSystem$", "OperatingSystemUnknown"),
            rule("json: unknown field \"(.*)\"$", "ProviderSpecInvalid"),
            rule("json: cannot unmarshal (\\w+) into Go struct field Config\\.(\\w+) of type", "ProviderSpecInvalid"),
            rule("(providerSpec) cannot be empty$", "ProviderSpecMissing"),
            rule("exceeded maximum template depth", "TemplateLimitExceeded"),
            rule(
                    "template: .*?:(\\d+):(?:\\d+): executing \"(.*?)\" at (?:<.*>): (?s:(.*))$",
                    "TemplateExecutionFailed"),
            rule("template: ([^: ]+):(\\d+): (.*)$", "TemplateSyntaxError"),
            rule("specified provisioning utility \"(.*)\" is not supported", "ProvisioningUtilityMismatch"),
            rule("failed to validate coreos cloud config", "IgnitionConversionFailed"),
            rule(
                    "failed to convert container linux config to ignition: \\w+ at line \\d+, column \\d+\n(.*)$",
                    "IgnitionConversionFailed"),
            rule("failed to convert container linux config to ignition: ", "IgnitionConversionFailed"));

    private static Rule rule(String text, String reason) {
        return new Rule(Pattern.compile(text, Pattern.MULTILINE), reason);
    }

    /** @param caseName tells panics apart, whose text is the same for every cause */
    static PeerError of(String caseName, String text) {
        if (text.startsWith("panic:")) {
            return caseName.contains("inline")
                    ? new PeerError("ProfileFileInvalid", List.of("content.inline"))
                    : new PeerError("ProviderSpecMissing", List.of("providerSpec.value"));
        }
        for (Rule rule : RULES) {
            Matcher matcher = rule.text.matcher(text);
            if (matcher.find()) {
                List<String> names = new ArrayList<>();
                for (int group = 1; group <= matcher.groupCount(); group++) {
                    if (matcher.group(group) != null) {
                        names.add(matcher.group(group));
                    }
                }
                return new PeerError(rule.reason, names);
            }
        }
        return new PeerError("(no rule for this text of the peer)", List.of(text));
    }

    /** What the findings lack; empty when one of them says the same. */
    String difference(List<Problem> findings) {
        if (findings.isEmpty()) {
            return "not refused";
        }
        return findings.stream().anyMatch(finding -> lack(finding).isEmpty()) ? "" : lack(findings.getFirst());
    }

    private String lack(Problem finding) {
        if (!finding.reason().name().equals(reason)) {
            return "refused for " + finding.reason() + ": " + finding;
        }
        String said = finding.toString();
        for (String name : names) {
            if (!said.contains(name)) {
                return "does not name " + name + ": " + said;
            }
        }
        return "";
    }
}
