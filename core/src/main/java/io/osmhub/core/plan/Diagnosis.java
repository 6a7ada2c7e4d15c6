package io.osmhub.core.plan;

import io.osmhub.core.problem.Reason;

/** One thing that keeps a MachineDeployment from being as wanted, as users are told it. */
public record Diagnosis(Reason reason, String message) {}
