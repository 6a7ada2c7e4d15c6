package io.osmhub.tenancy.registry;

/** How a WorkerCluster came to be, as value of {@link WorkerClusterRecord#REGISTERED_BY}. */
public enum RegisteredBy {
    SECRET("Secret"),
    API("API"),
    CLI("CLI"),
    KKP("KKP"),
    CLUSTER_API("ClusterAPI");

    private final String word;

    RegisteredBy(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
