package io.osmhub.tenancy.registry;

/** How a WorkerCluster was registered: value of {@link WorkerClusterRecord#REGISTERED_BY}. */
public enum RegistrationSource {
    SECRET("Secret"),
    API("API"),
    CLI("CLI"),
    KKP("KKP"),
    CLUSTER_API("ClusterAPI");

    private final String wireName;

    RegistrationSource(String word) {
        this.wireName = word;
    }

    public String wireName() {
        return wireName;
    }
}
