package io.osmhub.tenancy.credential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file of deploy/manifests for a worker cluster, as packed into this module. */
public enum WorkerManifest {
    /** What the hub does there, and nothing more. */
    ROLE("rbac-worker.yaml"),
    /** Besides, for an account that renews its own token. */
    RENEW("rbac-worker-renew.yaml"),
    /** Besides, to keep the hub's webhook there. */
    ADMISSION("rbac-worker-admission.yaml"),
    /** Besides, for tokens that read one MachineDeployment's secrets only. */
    SCOPED_FETCH("rbac-worker-scoped-fetch.yaml"),
    /** What is there before the hub comes: the namespace of the secrets, and the account with which nodes fetch them. */
    PREREQUISITES("worker-prerequisites.yaml");

    private static final String SUBJECT = "{kind: ServiceAccount, name: %s, namespace: %s}";
    private static final String HEAD = "metadata:\n  name: %s\n  namespace: %s\n";

    private final String file;

    WorkerManifest(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    /** As people read and apply it. */
    public String yaml() {
        String resource = "/manifests/" + file;
        try (InputStream in = WorkerManifest.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("not packed: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same for another account than the usual one. The files are ours: a test holds that nothing of it is missed. */
    String yaml(WorkerAccount account) {
        WorkerAccount usual = WorkerAccount.USUAL;
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
