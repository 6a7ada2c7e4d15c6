package io.osmhub.core.problem;

/** What a reason means for nodes that start now, in one sentence. */
public final class NodeEffect {
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
            case NameCollision, NameTooLong -> "they do not start; nothing is published for this MachineDeployment.";
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
            case WorkerClusterContested -> NORMALLY;
            case ProfileAnnotationMissing -> "they start with the content published before; changes do not reach them.";
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
