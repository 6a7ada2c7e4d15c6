package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.kubeconfig.CredentialReader.ParsedCredential;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.EgressDecision;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kubeconfig. Forbidden and unknown fields are reported everywhere, also outside the selected context: another reader
 * of the same Secret may use them. Only the selected context must be complete.
 */
final class KubeconfigReader {
    private static final String INSECURE = "insecure-skip-tls-verify";
    private static final String CURRENT_CONTEXT = "current-context";
    private static final String PATHS =
            "include the credential in the text: kubectl config view --minify --flatten --raw";

    private final @Nullable EgressPolicy egress;
    private final @Nullable KubeconfigFileReader files;
    private final KubeconfigFindings findings;

    /**
     * @param source for findings
     * @param egress for a tenant's text; null for a trusted operator's
     * @param files for an operator's text; null if no file may be read
     */
    KubeconfigReader(ProblemObject source, @Nullable EgressPolicy egress, @Nullable KubeconfigFileReader files) {
        this.egress = egress;
        this.files = files;
        this.findings = new KubeconfigFindings(source);
    }

    private record SelectedContext(KubeconfigEntry context, KubeconfigEntry cluster, KubeconfigEntry user) {}

    KubeconfigValidation read(String text) {
        try {
            SelectedContext selected = select(KubeconfigTextParser.read(text, findings));
            ValidatedKubeconfig kubeconfig = selected == null ? null : build(selected);
            findings.throwIfAny();
            if (kubeconfig == null) {
                throw findings.fatal(SourcePosition.NONE, "has no usable context", PATHS);
            }
            return new KubeconfigValidation.Valid(kubeconfig);
        } catch (TenantMistake e) {
            return new KubeconfigValidation.Invalid(e.findings());
        }
    }

    private boolean allows(Allowance allowance) {
        return egress == null || egress.rules().allows(allowance);
    }

    // Selecting

    private @Nullable SelectedContext select(DocumentNode.Fields root) {
        Set<FieldRule> lifted = EnumSet.noneOf(FieldRule.class);
        if (files != null) {
            lifted.addAll(List.of(FieldRule.FILE, FieldRule.TOKEN_FILE));
        }
        if (allows(Allowance.PROXY_URL)) {
            lifted.add(FieldRule.PROXY);
        }
        KubeconfigFields reader = new KubeconfigFields(findings, lifted);
        Map<String, String> top = reader.read(root, "", "");
        expect(top, "apiVersion", "v1");
        expect(top, "kind", "Config");
        List<KubeconfigEntry> clusters = KubeconfigEntry.list(root.get("clusters"), "cluster", reader);
        List<KubeconfigEntry> users = KubeconfigEntry.list(root.get("users"), "user", reader);
        List<KubeconfigEntry> contexts = KubeconfigEntry.list(root.get("contexts"), "context", reader);
        for (KubeconfigEntry cluster : clusters) {
            if (isInsecure(cluster) && !allows(Allowance.INSECURE_SKIP_TLS_VERIFY)) {
                findings.addForbidden(
                        cluster.path(INSECURE),
                        "it would send the credential to an unverified server",
                        "add certificate-authority-data, or allow InsecureSkipTLSVerify in kubeconfigPolicy");
            }
        }
        String current = top.getOrDefault(CURRENT_CONTEXT, "");
        if (!current.isEmpty()) {
            KubeconfigEntry context = KubeconfigEntry.find(contexts, current);
            if (context == null) {
                findings.addInvalid(
                        CURRENT_CONTEXT, "names no context of this kubeconfig", "name one of those under contexts");
            }
            contexts = context == null ? List.of() : List.of(context);
        } else if (contexts.isEmpty()) {
            findings.addInvalid("contexts", "holds no usable context", PATHS);
        }
        List<SelectedContext> usable = new ArrayList<>();
        for (KubeconfigEntry context : contexts) {
            KubeconfigEntry cluster = KubeconfigEntry.find(clusters, context.get("cluster"));
            KubeconfigEntry user = KubeconfigEntry.find(users, context.get("user"));
            if (cluster != null && user != null) {
                usable.add(new SelectedContext(context, cluster, user));
            } else if (contexts.size() == 1) {
                findings.addInvalid(
                        context.path(cluster == null ? "cluster" : "user"),
                        "names no " + (cluster == null ? "cluster" : "user") + " of this kubeconfig",
                        "correct the name");
            }
        }
        if (usable.size() > 1) {
            findings.addInvalid(
                    CURRENT_CONTEXT,
                    "is missing, and " + usable.size() + " contexts can be used",
                    "name one of them, or keep one: kubectl config view --minify --flatten --raw");
        }
        return usable.size() == 1 ? usable.getFirst() : null;
    }

    private void expect(Map<String, String> top, String field, String value) {
        if (!top.getOrDefault(field, "").isEmpty() && !value.equals(top.get(field))) {
            findings.addInvalid(field, "is not " + value, "store a kubeconfig");
        }
    }

    private static boolean isInsecure(KubeconfigEntry cluster) {
        return cluster.get(INSECURE).equals("true");
    }

    // Building

    private @Nullable ValidatedKubeconfig build(SelectedContext selected) {
        KubeconfigEntry cluster = selected.cluster();
        boolean insecure = isInsecure(cluster);
        ServerAddress server = address(cluster, "server");
        if (cluster.get("server").isEmpty() && !findings.hasAnyBelow(cluster.path("server"))) {
            findings.addInvalid(cluster.path("server"), "is missing", "add the URL of the API server");
        }
        ServerAddress proxy = address(cluster, "proxy-url");
        CredentialReader reader = new CredentialReader(findings, files);
        String authority = reader.certificateAuthority(cluster, insecure);
        ParsedCredential credential = reader.credential(selected.user());
        if (server == null || credential == null) {
            return null;
        }
        String proxyUrl = proxy == null ? "" : proxy.uri().toString();
        return new ValidatedKubeconfig(
                server.uri(),
                server.host(),
                server.port(),
                authority,
                credential.credential(),
                insecure,
                proxy == null ? null : proxy.uri(),
                credential.from(),
                credential.until(),
                selected.context().name(),
                selected.user().name(),
                hash(server.uri().toString(), authority, insecure, proxyUrl, credential.credential()));
    }

    /** Null if it is absent or invalid, which is then among the findings. */
    private @Nullable ServerAddress address(KubeconfigEntry cluster, String field) {
        if (cluster.get(field).isEmpty()) {
            return null;
        }
        try {
            ServerAddress address = ServerAddress.parse(cluster.get(field), !field.equals("server"));
            IpAddress literal = IpAddress.parse(address.host());
            if (egress != null && literal != null) {
                EgressDecision decision = egress.check(
                        findings.source().path(), address.host(), address.port(), List.of(literal.address()));
                if (decision instanceof EgressDecision.Refused refused) {
                    findings.add(refused.finding());
                }
            }
            return address;
        } catch (InvalidValueException e) {
            findings.addInvalid(cluster.path(field), e);
            return null;
        }
    }

    private static String hash(
            String server, @Nullable String authority, boolean insecure, String proxy, WorkerCredential credential) {
        List<String> secret =
                switch (credential) {
                    case WorkerCredential.Token(var token) -> List.of("token", token.reveal());
                    case WorkerCredential.ClientCertificate(var certificate, var key) ->
                        List.of("certificate", certificate, key.reveal());
                };
        // With the lengths, so that different lists never have the same input.
        return Sha256.hex(Stream.concat(
                        Stream.of(server, authority == null ? "" : authority, String.valueOf(insecure), proxy),
                        secret.stream())
                .map(text -> text.length() + ":" + text)
                .collect(Collectors.joining()));
    }
}
