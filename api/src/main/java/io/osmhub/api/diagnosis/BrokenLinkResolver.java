package io.osmhub.api.diagnosis;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Maps problems to the chain link that they break. */
final class BrokenLinkResolver {
    /** Messages of these name the object that could not be written. */
    private static final Set<Reason> WRITING = EnumSet.of(
            Reason.PublishRetrying,
            Reason.WriteForbidden,
            Reason.WriteRejected,
            Reason.ObjectNotOwned,
            Reason.DriftLoop);

    private BrokenLinkResolver() {}

    /** Empty if it breaks none: it is listed beside the chain. */
    static Optional<LinkName> of(DiagnosisSnapshot.DiagnosedProblem trouble) {
        return WRITING.contains(trouble.reason())
                ? Optional.of(written(trouble.message()))
                : Optional.ofNullable(trouble.reason().brokenLink());
    }

    /** Problems of the token. */
    static List<DiagnosisSnapshot.DiagnosedProblem> tokens(DiagnosisSnapshot situation) {
        return situation.troubles().stream()
                .filter(trouble ->
                        of(trouble).filter(LinkName.BOOTSTRAP_TOKEN::equals).isPresent())
                .toList();
    }

    /** The link of the object that the message names. */
    private static LinkName written(String message) {
        ProblemMessage place = ProblemMessage.parse(message);
        if (place.kind().equals("OperatingSystemConfig")) {
            return LinkName.RENDERED_CONFIG;
        }
        if (place.kind().equals("Secret")) {
            if (place.name().endsWith("-kubelet-bootstrap-config")
                    || place.name().contains("bootstrap-token-")) {
                return LinkName.BOOTSTRAP_TOKEN;
            }
            if (place.name().endsWith("-bootstrap-config") || place.name().contains("edge-provider-script-")) {
                return LinkName.BOOTSTRAP_SECRET;
            }
        }
        return LinkName.PROVISIONING_SECRET;
    }
}
