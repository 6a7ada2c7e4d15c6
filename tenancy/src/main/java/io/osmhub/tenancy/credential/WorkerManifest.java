package io.osmhub.tenancy.credential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The manifests for worker clusters in deploy/packaging/manifests, packaged into this module. */
public enum WorkerManifest {
    /** The minimum permissions. */
    ROLE("rbac-worker.yaml"),
    /** Additional permissions for an account that renews its own token. */
    RENEW("rbac-worker-renew.yaml"),
    /** Additional permissions to manage the hub's webhook. */
    ADMISSION("rbac-worker-admission.yaml"),
    /** Additional permissions for tokens that read only one MachineDeployment's secrets. */
    SCOPED_FETCH("rbac-worker-scoped-fetch.yaml"),
    /** Prerequisites: the namespace of the secrets, and the account with which nodes fetch them. */
    PREREQUISITES("worker-prerequisites.yaml");

    private static final String SUBJECT = "{kind: ServiceAccount, name: %s, namespace: %s}";
    private static final String HEAD = "metadata:\n  name: %s\n  namespace: %s\n";

    private final String file;

    WorkerManifest(String file) {
        this.file = file;
    }

    /** The manifest as YAML. */
    public String yaml() {
        String resource = "/manifests/" + file;
        try (InputStream in = WorkerManifest.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the default account; a test ensures that no occurrence is missed. */
    String yaml(WorkerServiceAccount account) {
        WorkerServiceAccount usual = WorkerServiceAccount.USUAL;
        String text = yaml().replace(
                        SUBJECT.formatted(usual.name(), usual.namespace()),
                        SUBJECT.formatted(account.name(), account.namespace()));
        return switch (this) {
            case ROLE ->
                text.replace(
                        "kind: ServiceAccount\n" + HEAD.formatted(usual.name(), usual.namespace()),
                        "kind: ServiceAccount\n" + HEAD.formatted(account.name(), account.namespace()));
            case RENEW ->
                text.replace(
                                "\n  namespace: " + usual.namespace() + "\n",
                                "\n  namespace: " + account.namespace() + "\n")
                        .replace("resourceNames: [" + usual.name() + "]", "resourceNames: [" + account.name() + "]");
            case ADMISSION, SCOPED_FETCH, PREREQUISITES -> text;
        };
    }
}
