package io.osmhub.tenancy.kubeconfig;

/** Kubeconfigs that pass, for tests of other packages. */
public final class KubeconfigTexts {
    /** Stands in each credential of these tests, and nowhere else. */
    public static final String CANARY = Kubeconfigs.CANARY;

    private KubeconfigTexts() {}

    /** One that signs in with a token. */
    public static String of(String server, String token) {
        return Kubeconfigs.aKubeconfig().server(server).user("token: " + token).text();
    }
}
