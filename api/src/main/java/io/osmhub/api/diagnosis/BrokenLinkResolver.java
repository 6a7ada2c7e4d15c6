package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.WhyReport.Link.LinkName;
import io.osmhub.core.problem.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
        LinkName link = of(trouble.reason(), trouble.message());
        return Optional.ofNullable(link);
    }

    /** The link that a reason always breaks; empty if that depends on the message, or it breaks none. */
    static Optional<LinkName> of(Reason reason) {
        LinkName link = of(reason, "");
        return WRITING.contains(reason) ? Optional.empty() : Optional.ofNullable(link);
    }

    /** Problems of the token. */
    static List<DiagnosisSnapshot.DiagnosedProblem> tokens(DiagnosisSnapshot situation) {
        return situation.troubles().stream()
                .filter(trouble ->
                        of(trouble).filter(LinkName.BOOTSTRAP_TOKEN::equals).isPresent())
                .toList();
    }

    private static @Nullable LinkName of(Reason reason, String message) {
        return switch (reason) {
            case TemplateSyntaxError,
                    TemplateExecutionFailed,
                    TemplateLimitExceeded,
                    ProfileFileInvalid,
                    ProfileFieldsPruned,
                    CloudConfigInvalid,
                    IgnitionConversionFailed,
                    ProfileNotFound,
                    ProfileNamespaceNotGranted,
                    ProfileAnnotationMissing,
                    ProfileOperatingSystemMismatch,
                    ProfileCloudProviderMismatch,
                    ProfileKubernetesVersionMismatch,
                    ProvisioningUtilityMismatch -> LinkName.PROFILE;
            case ProviderSpecMissing,
                    ProviderSpecInvalid,
                    OperatingSystemUnknown,
                    KubeletVersionInvalid,
                    KubeletAnnotationInvalid,
                    StaticNetworkNotSupported,
                    CloudProviderUnknown,
                    ProviderReferenceNotFound,
                    ProviderReferenceForbidden,
                    CloudCredentialsInvalid,
                    SettingsInvalid,
                    SettingsReferenceNotFound,
                    RegistryCredentialsInvalid,
                    GetterTokenMissing,
                    APIServerEndpointMissing,
                    ClusterInfoInvalid,
                    CertificateAuthorityMissing,
                    UserDataTooLarge,
                    ObjectTooLarge,
                    NameCollision,
                    NameTooLong,
                    InternalError,
                    ManagementClusterUnreachable,
                    ManagementPermissionsMissing,
                    LeaseLost -> LinkName.RENDERED_CONFIG;
            case WorkerNamespaceMissing, SyncBacklog, PublishPending -> LinkName.PROVISIONING_SECRET;
            case PublishRetrying, WriteForbidden, WriteRejected, ObjectNotOwned, DriftLoop -> written(message);
            case BootstrapTokenExpiring,
                    BootstrapTokenExpired,
                    BootstrapTokenMissing,
                    FetchTokenExpiring,
                    FetchTokenExpired,
                    ServiceAccountTokenMissing,
                    ScopedTokenNotGranted -> LinkName.BOOTSTRAP_TOKEN;
            case Paused,
                    KubeconfigSecretNotFound,
                    KubeconfigKeyNotFound,
                    KubeconfigInvalid,
                    KubeconfigFieldRefused,
                    EndpointRefused,
                    NewCredentialsUnproven,
                    CredentialsRejected,
                    CredentialsExpired,
                    CredentialsExpiring,
                    CredentialsRenewalFailed,
                    PermissionsMissing,
                    LocalTargetRefused,
                    EndpointNotResolved,
                    WorkerClusterUnreachable,
                    WorkerClusterNotResponding,
                    TLSVerificationFailed,
                    WorkerClusterDegraded,
                    WorkerClusterThrottled,
                    ClusterIdentityChanged,
                    RegistrationConflict,
                    TenantNamespaceTaken,
                    WorkerClusterDuplicate,
                    PeerControllerActive -> LinkName.WORKER_CONNECTION;
            case RevisionNotSet, MachineDeploymentAPIMissing -> LinkName.MACHINE_CONTROLLER_PICK_UP;
            case Serving,
                    CredentialsAccepted,
                    CredentialsNotChecked,
                    ConnectionEstablished,
                    Connecting,
                    MachineDeploymentsCurrent,
                    InitialSyncPending,
                    TemplatesVerified,
                    VerificationPending,
                    RenderedFromProfile,
                    SecretsPublished,
                    TokenRenewed,
                    Available,
                    WorkerVersionUnsupported,
                    WorkerClusterContested,
                    WorkerClockSkewed,
                    CertificateAuthorityMismatch,
                    MachineDeploymentsFailing,
                    AdmissionNotInstalled,
                    WorkerCleanupIncomplete,
                    DefaultProfilesNotInstalled,
                    DefaultProfileKept,
                    ProfileWarnings,
                    ProfileChangedInPlace,
                    DriftRepaired,
                    ImmutableSecretReplaced,
                    BootstrapTokenReplaced,
                    ConfigRotated,
                    ObjectsAdopted,
                    LeftoversRemoved,
                    KubeconfigRotated,
                    CredentialsRenewed,
                    ProblemResolved,
                    CRDForeignManaged,
                    WebhookCertificateExpiring,
                    WebhookBundleNotPatched -> null;
        };
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
