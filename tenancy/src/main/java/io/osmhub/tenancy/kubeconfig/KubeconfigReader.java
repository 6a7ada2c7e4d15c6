package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.EgressDecision;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kubeconfig. Forbidden and unknown fields are reported everywhere, also outside the selected context: another reader
 * of the same Secret may use them. Only the selected context must be complete.
 */
final class KubeconfigReader {
    private static final String PATHS =
            "include the credential in the text: kubectl config view --minify --flatten --raw";

    private final String source;
    private final @Nullable EgressPolicy egress;
    private final @Nullable KubeconfigFileReader files;
    private final KubeconfigFindings refusals;

    /**
     * @param source for findings
     * @param egress for a tenant's text; null for a trusted operator's
     * @param files for an operator's text; null if no file may be read
     */
    KubeconfigReader(String source, @Nullable EgressPolicy egress, @Nullable KubeconfigFileReader files) {
        this.source = source;
        this.egress = egress;
        this.files = files;
        this.refusals = new KubeconfigFindings(source);
    }

    private record SelectedContext(
            String context,
            String namespace,
            KubeconfigSection.SectionEntry cluster,
            KubeconfigSection.SectionEntry user) {}

    KubeconfigValidation read(String text) {
        try {
            return new KubeconfigValidation.Valid(vetted(KubeconfigTextParser.read(text, refusals)));
        } catch (TenantMistake e) {
            return new KubeconfigValidation.Invalid(e.findings());
        }
    }

    private ValidatedKubeconfig vetted(DocumentNode.Fields root) {
        KubeconfigSection.refuseUnknown(root, "", KubeconfigFields.TOP, refusals);
        expect(root, "apiVersion", "v1");
        expect(root, "kind", "Config");
        KubeconfigSection clusters =
                KubeconfigSection.read(root, "clusters", "cluster", KubeconfigFields.CLUSTER, refusals);
        KubeconfigSection users = KubeconfigSection.read(root, "users", "user", KubeconfigFields.USER, refusals);
        KubeconfigSection contexts =
                KubeconfigSection.read(root, "contexts", "context", KubeconfigFields.CONTEXT, refusals);
        clusters.entries().forEach(this::refuseFields);
        users.entries().forEach(this::refuseFields);
        SelectedContext chosen = choose(root, clusters, users, contexts);
        if (chosen == null) {
            refusals.throwIfAny();
            throw refusals.fatal(0, "has no usable context", PATHS);
        }
        return build(chosen);
    }

    private void expect(DocumentNode.Fields root, String field, String value) {
        String text = KubeconfigSection.text(root, field, "", refusals);
        if (!text.isEmpty() && !text.equals(value)) {
            refusals.addInvalid(field, "is not " + value, "store a kubeconfig");
        }
    }

    private void refuseFields(KubeconfigSection.SectionEntry entry) {
        for (DocumentNode.Field field : entry.body().fields()) {
            KubeconfigFields.RefusedField refused = KubeconfigFields.refused(field.name());
            boolean readFromFile = refused != null && refused.contentOf() != null && files != null;
            if (refused != null && refused.name().equals(field.name()) && !readFromFile && matters(field)) {
                refusals.addForbidden(entry.path() + "." + field.name(), refused.why(), refused.cure());
            }
        }
        boolean insecure = KubeconfigSection.bool(entry.body(), "insecure-skip-tls-verify", entry.path(), refusals);
        if (insecure && !allows(Allowance.INSECURE_SKIP_TLS_VERIFY)) {
            refusals.addForbidden(
                    entry.path() + ".insecure-skip-tls-verify",
                    "it would send the credential to an unverified server",
                    "add certificate-authority-data, or allow InsecureSkipTLSVerify in kubeconfigPolicy");
        }
        DocumentNode proxy = entry.body().get("proxy-url");
        if (proxy != null && !isEmpty(proxy) && !allows(Allowance.PROXY_URL)) {
            refusals.addForbidden(
                    entry.path() + ".proxy-url",
                    "it would route the connection through another host",
                    "connect directly, or allow ProxyURL in kubeconfigPolicy");
        }
    }

    /** An empty text or list counts as absent; an empty object still selects a program. */
    private static boolean matters(DocumentNode.Field field) {
        boolean program = field.name().equals("exec") || field.name().equals("auth-provider");
        return program ? !KubeconfigSection.isAbsent(field.value()) : !isEmpty(field.value());
    }

    private static boolean isEmpty(DocumentNode node) {
        return switch (node) {
            case DocumentNode.Scalar scalar -> scalar.text().isEmpty();
            case DocumentNode.Items items -> items.nodes().isEmpty();
            case DocumentNode.Fields fields -> fields.fields().isEmpty();
        };
    }

    private boolean allows(Allowance allowance) {
        return egress == null || egress.rules().allows(allowance);
    }

    private @Nullable SelectedContext choose(
            DocumentNode.Fields root, KubeconfigSection clusters, KubeconfigSection users, KubeconfigSection contexts) {
        String current = KubeconfigSection.text(root, "current-context", "", refusals);
        if (!current.isEmpty()) {
            KubeconfigSection.SectionEntry context = contexts.find(current);
            if (context == null) {
                refusals.addInvalid(
                        "current-context", "names no context of this kubeconfig", "name one of those under contexts");
                return null;
            }
            return chosen(context, clusters, users, true);
        }
        List<SelectedContext> usable = contexts.entries().stream()
                .map(context -> Optional.ofNullable(
                        chosen(context, clusters, users, contexts.entries().size() == 1)))
                .flatMap(Optional::stream)
                .toList();
        if (usable.size() > 1) {
            refusals.addInvalid(
                    "current-context",
                    "is missing, and " + usable.size() + " contexts can be used",
                    "name one of them, or keep one: kubectl config view --minify --flatten --raw");
        } else if (contexts.entries().isEmpty()) {
            refusals.addInvalid("contexts", "holds no usable context", PATHS);
        }
        return usable.size() == 1 ? usable.getFirst() : null;
    }

    /** Null if the context's cluster or user is missing; reported if no other context can be selected. */
    private @Nullable SelectedContext chosen(
            KubeconfigSection.SectionEntry context,
            KubeconfigSection clusters,
            KubeconfigSection users,
            boolean report) {
        String clusterName = KubeconfigSection.text(context.body(), "cluster", context.path(), refusals);
        String userName = KubeconfigSection.text(context.body(), "user", context.path(), refusals);
        String namespace = KubeconfigSection.text(context.body(), "namespace", context.path(), refusals);
        KubeconfigSection.SectionEntry cluster = clusters.find(clusterName);
        KubeconfigSection.SectionEntry user = users.find(userName);
        if (report && cluster == null) {
            refusals.addInvalid(context.path() + ".cluster", "names no cluster of this kubeconfig", "correct the name");
        }
        if (report && user == null) {
            refusals.addInvalid(context.path() + ".user", "names no user of this kubeconfig", "correct the name");
        }
        return cluster == null || user == null ? null : new SelectedContext(context.name(), namespace, cluster, user);
    }

    private ValidatedKubeconfig build(SelectedContext chosen) {
        KubeconfigSection.SectionEntry cluster = chosen.cluster();
        boolean insecure = KubeconfigSection.isTrue(cluster.body(), "insecure-skip-tls-verify");
        ServerAddress server = server(cluster);
        URI proxy = proxy(cluster);
        CredentialReader reader = new CredentialReader(refusals, files);
        String authority = reader.certificateAuthority(cluster, insecure);
        CredentialReader.ParsedCredential credential = reader.credential(chosen.user());
        refusals.throwIfAny();
        if (server == null || credential == null) {
            throw refusals.fatal(0, "has no usable context", PATHS);
        }
        return new ValidatedKubeconfig(
                server.uri(),
                server.host(),
                server.port(),
                authority,
                credential.credential(),
                insecure,
                proxy,
                credential.from(),
                credential.until(),
                chosen.context(),
                cluster.name(),
                chosen.user().name(),
                chosen.namespace(),
                hash(server, authority, insecure, proxy, credential.credential()));
    }

    private @Nullable ServerAddress server(KubeconfigSection.SectionEntry cluster) {
        String field = cluster.path() + ".server";
        String text = KubeconfigSection.text(cluster.body(), "server", cluster.path(), refusals);
        if (text.isEmpty()) {
            if (KubeconfigSection.isAbsent(cluster.body().get("server"))
                    || cluster.body().get("server") instanceof DocumentNode.Scalar) {
                refusals.addInvalid(field, "is missing", "add the URL of the API server");
            }
            return null;
        }
        ServerAddress.ParsedAddress reading = ServerAddress.server(text);
        ServerAddress.AddressError wrong = reading.wrong();
        if (wrong != null) {
            refusals.addInvalid(field, wrong.what(), wrong.cure());
        }
        ServerAddress address = reading.address();
        if (address != null) {
            checkLiteral(address);
        }
        return address;
    }

    private void checkLiteral(ServerAddress address) {
        Optional<InetAddress> literal = AddressClassifier.literal(address.host());
        if (egress != null && literal.isPresent()) {
            String secret = source.startsWith("Secret ") ? source.substring("Secret ".length()) : source;
            EgressDecision verdict = egress.check(secret, address.host(), address.port(), List.of(literal.get()));
            switch (verdict) {
                case EgressDecision.Allowed _ -> {}
                case EgressDecision.Refused(var finding, var _, var _) -> refusals.add(finding);
            }
        }
    }

    private @Nullable URI proxy(KubeconfigSection.SectionEntry cluster) {
        String text = KubeconfigSection.text(cluster.body(), "proxy-url", cluster.path(), refusals);
        if (text.isEmpty() || !allows(Allowance.PROXY_URL)) {
            return null;
        }
        ServerAddress.ParsedAddress reading = ServerAddress.proxy(text);
        ServerAddress.AddressError wrong = reading.wrong();
        ServerAddress address = reading.address();
        if (wrong != null) {
            refusals.addInvalid(cluster.path() + ".proxy-url", wrong.what(), wrong.cure());
        }
        if (address != null) {
            checkLiteral(address);
        }
        return address == null ? null : address.uri();
    }

    private static String hash(
            ServerAddress server,
            @Nullable String authority,
            boolean insecure,
            @Nullable URI proxy,
            WorkerCredential credential) {
        List<String> secret =
                switch (credential) {
                    case WorkerCredential.Token(var token) -> List.of("token", token.reveal());
                    case WorkerCredential.ClientCertificate(var certificate, var key) ->
                        List.of("certificate", certificate, key.reveal());
                };
        List<String> all = new ArrayList<>(List.of(
                server.uri().toString(),
                authority == null ? "" : authority,
                String.valueOf(insecure),
                proxy == null ? "" : proxy.toString()));
        all.addAll(secret);
        MessageDigest digest = Sha256.newDigest();
        for (String text : all) {
            // With the lengths, so that different lists never have the same input.
            byte[] bytes = text.getBytes(UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
