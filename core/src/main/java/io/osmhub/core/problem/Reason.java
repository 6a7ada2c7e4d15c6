package io.osmhub.core.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every reason in conditions, Events, metrics and the console. A constant is named exactly as users read
 * it, so that a reason seen in a cluster is found here by a search. {@code reasons.txt} describes each: who acts and
 * its category, where it shows, when it is set and cleared, and its message.
 */
public enum Reason {
    // Summary and positive reasons
    Serving,
    CredentialsAccepted,
    CredentialsNotChecked,
    ConnectionEstablished,
    Connecting,
    MachineDeploymentsCurrent,
    InitialSyncPending,
    Paused,
    TemplatesVerified,
    VerificationPending,
    ProfileFound,
    RenderedFromProfile,
    SecretsPublished,
    RevisionPublished,
    TokenRenewed,
    Available,

    // Credentials of a worker cluster
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
    TenantPermissionsMissing,
    LocalTargetRefused,

    // Connection to a worker cluster
    EndpointNotResolved,
    WorkerClusterUnreachable,
    WorkerClusterNotResponding,
    TLSVerificationFailed,
    WorkerClusterDegraded,
    WorkerClusterThrottled,
    ClusterIdentityChanged,
    WorkerVersionUnsupported,
    WorkerClockSkewed,

    // Registration and tenant
    RegistrationConflict,
    TenantNamespaceTaken,
    WorkerClusterDuplicate,
    WorkerClusterContested,
    PeerControllerActive,
    SettingsInvalid,
    SettingsReferenceNotFound,
    RegistryCredentialsInvalid,
    ObjectUnreadable,
    WorkerNamespaceMissing,
    GetterTokenMissing,
    MachineDeploymentAPIMissing,
    APIServerEndpointMissing,
    ClusterInfoInvalid,
    CertificateAuthorityMissing,
    CertificateAuthorityMismatch,
    MachineDeploymentsFailing,
    SyncBacklog,
    AdmissionNotInstalled,
    WorkerCleanupIncomplete,
    DefaultProfilesNotInstalled,
    DefaultProfileKept,

    // Profile
    TemplateSyntaxError,
    TemplateFunctionRefused,
    TemplateExecutionFailed,
    TemplateLimitExceeded,
    TemplateTimeLimitExceeded,
    ProfileFileInvalid,
    ProfileFieldsPruned,
    CloudConfigInvalid,
    IgnitionConversionFailed,
    ProfileWarnings,
    ProfileChangedInPlace,
    ExtensionInvalid,
    ExtensionTargetsNothing,

    // MachineDeployment and rendering
    ProfileNotFound,
    ProfileNamespaceNotGranted,
    ProfileAnnotationMissing,
    ProfileOperatingSystemMismatch,
    ProfileCloudProviderMismatch,
    ProfileKubernetesVersionMismatch,
    ExtensionNotFound,
    ExtensionConflict,
    ExtensionNotApplicable,
    ExtensionsUnreadable,
    ExtensionEnforced,
    ExtensionBaseChanged,
    ProvisioningUtilityMismatch,
    ProviderSpecMissing,
    ProviderSpecInvalid,
    OperatingSystemUnknown,
    KubeletVersionInvalid,
    KubeletAnnotationInvalid,
    KubeletAnnotationUnusable,
    StaticNetworkNotSupported,
    CloudProviderUnknown,
    ProviderReferenceNotFound,
    ProviderReferenceForbidden,
    CloudCredentialsInvalid,
    RevisionNotSet,

    // Publishing
    PublishPending,
    PublishRetrying,
    UserDataTooLarge,
    ObjectTooLarge,
    UserDataUnreadable,
    UserDataSuspect,
    NameCollision,
    NameTooLong,
    ObjectNotOwned,
    OSMContentKept,
    WriteForbidden,
    WriteRejected,
    DriftRepaired,
    DriftLoop,
    ImmutableSecretReplaced,

    // Joining
    BootstrapTokenExpiring,
    BootstrapTokenExpired,
    BootstrapTokenMissing,
    BootstrapTokenReplaced,
    FetchTokenExpiring,
    FetchTokenExpired,
    ServiceAccountTokenMissing,
    ScopedTokenNotGranted,

    // Normal events
    ConfigRotated,
    ObjectsAdopted,
    LeftoversRemoved,
    KubeconfigRotated,
    CredentialsRenewed,
    ProblemResolved,

    // Hub
    ManagementClusterUnreachable,
    ManagementPermissionsMissing,
    CRDForeignManaged,
    KKPKindMissing,
    WebhookCertificateExpiring,
    WebhookBundleNotPatched,
    LeaseLost,
    InternalError;

    private static final Map<String, Reason> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Reason::name, Function.identity()));

    @SuppressWarnings("ImmutableEnumChecker") // a record of lists that are only made unmodifiable
    private final ReasonDescription description = ReasonDescription.of(name());

    /** The reason with that name. */
    public static Optional<Reason> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /**
     * The reason that identifies a problem while it is open. When an API server does not respond, the hub reconnects: if that fails, it
     * is the same outage.
     */
    public Reason identity() {
        return this == WorkerClusterNotResponding ? WorkerClusterUnreachable : this;
    }

    /** As in conditions, Events, metrics and documentation. */
    public String wireName() {
        return name();
    }

    public Severity severity() {
        return description.severity();
    }

    public Actor actor() {
        return description.actor();
    }

    public Category category() {
        return description.category();
    }

    /** The link that it breaks, unless it is about an object of another link; null if it breaks none. */
    public @Nullable LinkName brokenLink() {
        return description.link();
    }

    /** Where it shows, and what documents say about it. */
    public ReasonDescription description() {
        return description;
    }

    /**
     * Returns a problem with this reason.
     *
     * @param variables name and value of each variable
     * @throws IllegalArgumentException if a variable has no value
     */
    public Problem with(String... variables) {
        return with(Map.of(), variables);
    }

    /** As above; {@code common} has more variables. */
    public Problem with(Map<String, String> common, String... variables) {
        Map<String, String> values = new HashMap<>(common);
        for (int i = 0; i < variables.length; i += 2) {
            values.put(variables[i], variables[i + 1]);
        }
        return description.fill(this, values);
    }

    /** A link of the chain from the profile to the machine, in its order. */
    public enum LinkName {
        @JsonProperty("Profile")
        PROFILE,
        @JsonProperty("RenderedConfig")
        RENDERED_CONFIG,
        @JsonProperty("ProvisioningSecret")
        PROVISIONING_SECRET,
        @JsonProperty("BootstrapSecret")
        BOOTSTRAP_SECRET,
        @JsonProperty("BootstrapToken")
        BOOTSTRAP_TOKEN,
        @JsonProperty("WorkerConnection")
        WORKER_CONNECTION,
        @JsonProperty("MachineControllerPickUp")
        MACHINE_CONTROLLER_PICK_UP
    }
}
