package io.osmhub.core.problem;

/** What a reason means for nodes that start now: one sentence, before anybody asks for the cause. */
public final class NodeEffect {
    private static final String NORMALLY = "they start normally.";
    private static final String AS_BEFORE =
            "they start with what was published before; if nothing was, or for another revision, they do not start.";
    private static final String UNTIL_THE_TOKEN_ENDS =
            "they start until the bootstrap token ends, 20 minutes at least; nothing new is published meanwhile.";
    private static final String NOT_KNOWN = "what they get is not known yet.";

    private NodeEffect() {}

    public static String of(Reason reason) {
        return switch (reason) {
            case CredentialsNotChecked, Connecting, InitialSyncPending, PublishPending -> NOT_KNOWN;
            case Paused -> UNTIL_THE_TOKEN_ENDS;
            case NameCollision, NameTooLong -> "they do not start; nothing is published for this MachineDeployment.";
            case RevisionNotSet, MachineDeploymentAPIMissing -> "none is made: no machine-controller has asked for it.";
            case BootstrapTokenExpired, BootstrapTokenMissing, ServiceAccountTokenMissing, ScopedTokenNotGranted ->
                "they start, and cannot join the cluster.";
            case FetchTokenExpired -> "they start, and cannot fetch what makes them nodes.";
            case FetchTokenExpiring -> "they come until the token ends, then no longer.";
            case BootstrapTokenExpiring -> "they join until the token ends, then no longer.";
            case CredentialsExpiring, CredentialsRenewalFailed ->
                "they start normally; once the credential has ended, until the bootstrap token ends.";
            case NewCredentialsUnproven -> "they start normally, as long as the previous credential is good.";
            case RegistrationConflict, TenantNamespaceTaken, WorkerClusterDuplicate, LocalTargetRefused ->
                "they get nothing from this registration.";
            case WorkerClusterContested -> NORMALLY;
            case ProfileAnnotationMissing -> "they start with what was published before; changes do not reach them.";
            case PermissionsMissing -> "they start as published before; what the missing right is for is not done.";
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
