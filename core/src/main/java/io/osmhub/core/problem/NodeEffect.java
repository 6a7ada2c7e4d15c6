package io.osmhub.core.problem;

/** What a reason means for nodes that start now: one sentence, before anybody asks for the cause. */
public final class NodeEffect {
    private static final String AS_WANTED = "they start as wanted.";
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
            case BootstrapTokenExpired, ServiceAccountTokenMissing, ScopedTokenNotGranted ->
                "they start, and cannot join the cluster.";
            case FetchTokenExpired -> "they start, and cannot fetch what makes them nodes.";
            case FetchTokenExpiring -> "they come until the token ends, then no longer.";
            case BootstrapTokenExpiring -> "they join until the token ends, then no longer.";
            case CredentialsExpiring, CredentialsRenewalFailed ->
                "they start as wanted; once the credential has ended, until the bootstrap token ends.";
            case NewCredentialsUnproven -> "they start as wanted, as long as the previous credential is good.";
            case RegistrationConflict, TenantNamespaceTaken, WorkerClusterDuplicate, LocalTargetRefused ->
                "they get nothing from this registration.";
            case ProfileAnnotationMissing -> "they start with what was published before; changes do not reach them.";
            case PermissionsMissing -> "they start as published before; what the missing right is for is not done.";
            default -> byCategory(reason);
        };
    }

    private static String byCategory(Reason reason) {
        if (reason.severity() == Severity.INFO) {
            return AS_WANTED;
        }
        boolean error = reason.severity() == Severity.ERROR;
        return switch (reason.category()) {
            case CREDENTIALS -> UNTIL_THE_TOKEN_ENDS;
            case CONNECTION -> error ? UNTIL_THE_TOKEN_ENDS : AS_WANTED;
            case SETTINGS, PROFILE, MACHINE, TOKEN -> error ? AS_BEFORE : AS_WANTED;
            case OWNERSHIP, PUBLISH -> reason == Reason.WorkerCleanupIncomplete ? AS_WANTED : AS_BEFORE;
            case HUB ->
                switch (reason) {
                    case ManagementClusterUnreachable, ManagementPermissionsMissing, InternalError -> AS_BEFORE;
                    default -> AS_WANTED;
                };
            case SUMMARY -> AS_WANTED;
        };
    }
}
