package io.osmhub.core.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every reason in conditions, Events, metrics and the console. A constant is named exactly as users read
 * it, so that a reason seen in a cluster is found here by a search. {@code reasons.txt} describes each: who acts and
 * its category, where it shows and who gets the Event; when it is set; when it is cleared; and the message.
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
    RenderedFromProfile,
    SecretsPublished,
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
    ProfileFileInvalid,
    ProfileFieldsPruned,
    CloudConfigInvalid,
    IgnitionConversionFailed,
    ProfileWarnings,
    ProfileChangedInPlace,

    // MachineDeployment and rendering
    ProfileNotFound,
    ProfileNamespaceNotGranted,
    ProfileAnnotationMissing,
    ProfileOperatingSystemMismatch,
    ProfileCloudProviderMismatch,
    ProfileKubernetesVersionMismatch,
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

    private static final Map<String, Reason> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Reason::wireName, Function.identity()));

    @SuppressWarnings("ImmutableEnumChecker") // a record of lists that are only made unmodifiable
    private final ReasonDescription description = ReasonDescription.of(name());

    /** The reason with that name. */
    public static Optional<Reason> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
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

    /** Conditions and objects that show it. */
    public List<ConditionTarget> conditionTargets() {
        return description.places();
    }

    /** Objects that get the Event; may be empty. */
    public List<SubjectKind> eventSubjects() {
        return description.events();
    }

    /** Reason of the Event; OSM's reason where users may rely on it. */
    public String eventReason() {
        return description.eventReason();
    }

    /** The link that it always breaks; null if that depends on the object, or it breaks none. */
    public @Nullable LinkName brokenLink() {
        return description.link();
    }

    /** When it is set, one clause. */
    public String setWhen() {
        return description.setWhen();
    }

    /** When it is cleared, one clause. */
    public String clearedWhen() {
        return description.clearedWhen();
    }

    /** The message with variables in braces; {@link MessageFormatter} fills them. */
    public String template() {
        return description.template();
    }

    /**
     * Fills the message.
     *
     * @param variables name and value of each variable
     * @throws IllegalArgumentException if a variable has no value
     */
    public ReasonMessage with(String... variables) {
        return with(Map.of(), variables);
    }

    /** As above; {@code common} has more variables. */
    public ReasonMessage with(Map<String, String> common, String... variables) {
        Map<String, String> values = new HashMap<>(common);
        for (int i = 0; i < variables.length; i += 2) {
            values.put(variables[i], variables[i + 1]);
        }
        return new ReasonMessage(this, MessageFormatter.format(this, values));
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

    /**
     * Where a reason is shown: a condition with its status, or an object alone when there is only an Event or a problem entry.
     *
     * @param condition for example {@code RenderSummary}; empty if none
     * @param status {@code True}, {@code False} or {@code Unknown}; empty without a condition
     */
    public record ConditionTarget(SubjectKind subject, String condition, String status) {
        /** Reads {@code OSC/Rendered=False} or {@code MD}. */
        static ConditionTarget of(String notation) {
            int slash = notation.indexOf('/');
            if (slash < 0) {
                return new ConditionTarget(SubjectKind.of(notation), "", "");
            }
            int equals = notation.indexOf('=', slash);
            return new ConditionTarget(
                    SubjectKind.of(notation.substring(0, slash)),
                    notation.substring(slash + 1, equals),
                    notation.substring(equals + 1));
        }

        /** In the notation of the list of reasons. */
        @Override
        public String toString() {
            return condition.isEmpty() ? subject.shortForm() : subject.shortForm() + "/" + condition + "=" + status;
        }
    }

    /** What a reason means for nodes that start now, in one sentence. */
    public static final class NodeEffect {
        private static final String NORMALLY = "they start normally.";
        private static final String AS_BEFORE =
                "they start with the content published before; without it, or if it is for another revision, they do not start.";
        private static final String UNTIL_THE_TOKEN_ENDS =
                "they start until the bootstrap token expires, in 20 minutes or more; no changes are published.";
        private static final String NOT_KNOWN = "not known yet.";

        private NodeEffect() {}

        public static String of(Reason reason) {
            return switch (reason) {
                case CredentialsNotChecked, Connecting, InitialSyncPending, PublishPending -> NOT_KNOWN;
                case Paused -> UNTIL_THE_TOKEN_ENDS;
                case NameCollision, NameTooLong ->
                    "they do not start; nothing is published for this MachineDeployment.";
                case RevisionNotSet, MachineDeploymentAPIMissing ->
                    "none are created: no machine-controller has reconciled it.";
                case BootstrapTokenExpired, BootstrapTokenMissing, ServiceAccountTokenMissing, ScopedTokenNotGranted ->
                    "they start but cannot join the cluster.";
                case FetchTokenExpired -> "they start but cannot fetch their configuration.";
                case FetchTokenExpiring -> "they join until the token expires.";
                case BootstrapTokenExpiring -> "they join until the token expires.";
                case CredentialsExpiring, CredentialsRenewalFailed ->
                    "they start normally; after the credential expires, until the bootstrap token expires.";
                case NewCredentialsUnproven -> "they start normally while the previous credential works.";
                case RegistrationConflict, TenantNamespaceTaken, WorkerClusterDuplicate, LocalTargetRefused ->
                    "this registration provides nothing for them.";
                case WorkerClusterContested, UserDataSuspect -> NORMALLY;
                case ProfileAnnotationMissing ->
                    "they start with the content published before; changes do not reach them.";
                case PermissionsMissing ->
                    "they start with the content published before; actions that need the missing permission fail.";
                default -> byCategory(reason);
            };
        }

        private static String byCategory(Reason reason) {
            if (reason.severity() == Severity.INFO) {
                return NORMALLY;
            }
            boolean error = reason.severity() == Severity.ERROR;
            return switch (reason.category()) {
                case CREDENTIALS -> UNTIL_THE_TOKEN_ENDS;
                case CONNECTION -> error ? UNTIL_THE_TOKEN_ENDS : NORMALLY;
                case SETTINGS, PROFILE, MACHINE, TOKEN -> error ? AS_BEFORE : NORMALLY;
                case OWNERSHIP, PUBLISH -> reason == Reason.WorkerCleanupIncomplete ? NORMALLY : AS_BEFORE;
                case HUB ->
                    switch (reason) {
                        case ManagementClusterUnreachable, ManagementPermissionsMissing, InternalError -> AS_BEFORE;
                        default -> NORMALLY;
                    };
                case SUMMARY -> NORMALLY;
            };
        }
    }

    /** Kind of object that carries a reason or its Event. */
    public enum SubjectKind {
        WORKER_CLUSTER("WC", "WorkerCluster"),
        PROFILE("OSP", "OperatingSystemProfile"),
        CONFIG("OSC", "OperatingSystemConfig"),
        MACHINE_DEPLOYMENT("MD", "MachineDeployment"),
        /** The kubeconfig Secret of a registration. */
        SECRET("Secret", "Secret"),
        /** The replica's own Pod. */
        HUB("Hub", "Pod");

        private final String shortForm;
        private final String kind;

        SubjectKind(String shortForm, String kind) {
            this.shortForm = shortForm;
            this.kind = kind;
        }

        public String kind() {
            return kind;
        }

        /** As in the list of reasons, for example {@code OSP}. */
        public String shortForm() {
            return shortForm;
        }

        static SubjectKind of(String shortForm) {
            return Arrays.stream(values())
                    .filter(subject -> subject.shortForm.equals(shortForm))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no subject " + shortForm));
        }
    }
}
