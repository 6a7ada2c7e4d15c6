package io.osmhub.tenancy.kubeconfig;

/** Valid kubeconfigs for tests of other packages. */
public final class KubeconfigTexts {
    /** Part of each credential of these tests, and of nothing else. */
    public static final String CANARY = Kubeconfigs.CANARY;

    private KubeconfigTexts() {}

    /** A kubeconfig with a token. */
    public static String of(String server, String token) {
        return Kubeconfigs.aKubeconfig().server(server).user("token: " + token).text();
    }
}
