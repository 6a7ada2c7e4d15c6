package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Names of all objects of one MachineDeployment; OSM's names, so that machine-controller finds them. */
public record ObjectNames(String namespace, String name) {
    /** Namespace of the worker cluster with the configuration secrets. */
    public static final String SETTINGS_NAMESPACE = "cloud-init-settings";
    /** Namespace of the worker cluster with the bootstrap tokens. */
    public static final String TOKEN_NAMESPACE = "kube-system";

    private static final String FETCH_ACCOUNT_PREFIX = "osm-hub-fetch-";
    private static final int FETCH_ACCOUNT_BYTES = 8;
    private static final int MAX_LABEL = 63;
    private static final int MAX_NAME = 253;

    public static ObjectNames of(MachineDeployment machineDeployment) {
        return new ObjectNames(machineDeployment.namespace(), machineDeployment.name());
    }

    public String operatingSystemConfig() {
        return name + "-" + namespace + "-config";
    }

    public String bootstrapSecret() {
        return name + "-" + namespace + "-bootstrap-config";
    }

    public String provisioningSecret() {
        return name + "-" + namespace + "-provisioning-config";
    }

    public String edgeScriptSecret() {
        return "edge-provider-script-" + name + "-" + namespace;
    }

    public String kubeletBootstrapSecret() {
        return key() + "-kubelet-bootstrap-config";
    }

    /** Name of the ServiceAccount, Role and RoleBinding with which its machines fetch; never too long. */
    public String fetchAccount() {
        return FETCH_ACCOUNT_PREFIX + Sha256.hex(namespace + "/" + name, FETCH_ACCOUNT_BYTES);
    }

    /**
     * Value of the bootstrap token's label. The namespace comes first, unlike in the names; it is left out if the label
     * would reach 63 bytes.
     */
    public String key() {
        String key = namespace + "-" + name;
        return key.getBytes(UTF_8).length < MAX_LABEL ? key : name;
    }

    /** Names of Secrets in {@link #SETTINGS_NAMESPACE}; in a namespace {@code kubelet} two may be equal. */
    public List<String> secrets() {
        return List.of(bootstrapSecret(), provisioningSecret(), kubeletBootstrapSecret(), edgeScriptSecret());
    }

    /** Every name that it claims in its tenant. Two MachineDeployments that share one cannot both be published. */
    public SortedSet<String> claimedNames() {
        SortedSet<String> claims = new TreeSet<>();
        claims.add("OperatingSystemConfig " + operatingSystemConfig());
        secrets().forEach(secret -> claims.add("Secret " + secret));
        claims.add("bootstrap token label " + key());
        return claims;
    }

    /** Names too long for Kubernetes, found before anything is written. */
    public List<Problem> findTooLongNames() {
        List<Problem> findings = new ArrayList<>();
        addTooLong(findings, "Secret label " + BootstrapToken.LABEL, key(), MAX_LABEL);
        addTooLong(findings, "OperatingSystemConfig name", operatingSystemConfig(), MAX_NAME);
        secrets().forEach(secret -> addTooLong(findings, "Secret name", secret, MAX_NAME));
        return findings;
    }

    private void addTooLong(List<Problem> findings, String what, String text, int limit) {
        int over = text.length() - limit;
        if (over > 0) {
            findings.add(new Problem(
                    Reason.NameTooLong,
                    ProblemObject.of("MachineDeployment", namespace + "/" + name),
                    "metadata.name",
                    what + " would have " + text.length() + " characters, " + limit + " are allowed",
                    "a name cannot be changed: replace it by one with a name of at most "
                            + Math.max(1, name.length() - over) + " characters"));
        }
    }
}
