package io.osmhub.core.problem;

import java.util.Arrays;

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
