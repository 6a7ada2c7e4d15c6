package io.osmhub.core.lint;

import io.osmhub.core.lint.LintFinding.LintSeverity;
import java.util.List;

/**
 * The findings about one profile, in the order of the file.
 *
 * @param file the caller's name of the text
 * @param profile the profile's name; empty if it could not be read
 * @param matrix the rendered combinations
 */
public record ProfileLintReport(String file, String profile, List<LintFinding> findings, Matrix matrix) {
    public ProfileLintReport {
        findings = List.copyOf(findings);
    }

    public long count(LintSeverity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    /**
     * The rendered combinations.
     *
     * @param renderings their number
     * @param operatingSystem of the profile
     */
    public record Matrix(
            int renderings, String operatingSystem, List<String> cloudProviders, List<String> kubernetesVersions) {
        /** Nothing was rendered. */
        public static final Matrix NONE = new Matrix(0, "", List.of(), List.of());

        public Matrix {
            cloudProviders = List.copyOf(cloudProviders);
            kubernetesVersions = List.copyOf(kubernetesVersions);
        }

        /** For users: {@code 78 renderings (ubuntu x aws, gce x 1.31 to 1.37)}. */
        @Override
        public String toString() {
            if (renderings == 0) {
                return "no rendering";
            }
            String versions = kubernetesVersions.size() == 1
                    ? kubernetesVersions.getFirst()
                    : kubernetesVersions.getFirst() + " to " + kubernetesVersions.getLast();
            return renderings + (renderings == 1 ? " rendering (" : " renderings (") + operatingSystem + " x "
                    + String.join(", ", cloudProviders) + " x " + versions + ")";
        }
    }
}
