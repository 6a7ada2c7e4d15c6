package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.Node;
import io.osmhub.core.problem.TenantMistake;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one kubeconfig. Refused and unknown fields count wherever they stand, also beside contexts that are not used: another
 * reader of the same Secret may use them. Only the context that is taken has to be complete.
 */
final class KubeconfigReader {
    private static final String PATHS = "give the credential in the text: kubectl config view --minify --flatten --raw";

    private final String source;
    private final @Nullable EgressPolicy egress;
    private final @Nullable FileContents files;
    private final Refusals refusals;

    /**
     * @param source what findings are about
     * @param egress for a tenant's text; null when an operator trusts it
     * @param files for an operator's text; null when no file may be read
     */
    KubeconfigReader(String source, @Nullable EgressPolicy egress, @Nullable FileContents files) {
        this.source = source;
        this.egress = egress;
        this.files = files;
        this.refusals = new Refusals(source);
    }

    private record Chosen(String context, String namespace, Section.Entry cluster, Section.Entry user) {}

    Vetting read(String text) {
        try {
            return new Vetting.Vetted(vetted(KubeconfigText.read(text, refusals)));
        } catch (TenantMistake e) {
            return new Vetting.Refused(e.findings());
        }
    }

    private VettedKubeconfig vetted(Node.Fields root) {
        Section.refuseUnknown(root, "", FieldNames.TOP, refusals);
        expect(root, "apiVersion", "v1");
        expect(root, "kind", "Config");
        Section clusters = Section.read(root, "clusters", "cluster", FieldNames.CLUSTER, refusals);
        Section users = Section.read(root, "users", "user", FieldNames.USER, refusals);
        Section contexts = Section.read(root, "contexts", "context", FieldNames.CONTEXT, refusals);
        clusters.entries().forEach(this::refuseFields);
        users.entries().forEach(this::refuseFields);
        Chosen chosen = choose(root, clusters, users, contexts);
        if (chosen == null) {
            refusals.raise();
            throw refusals.fatal(0, "has no usable context", PATHS);
        }
        return build(chosen);
    }

    private void expect(Node.Fields root, String field, String value) {
        String text = Section.text(root, field, "", refusals);
        if (!text.isEmpty() && !text.equals(value)) {
            refusals.invalid(field, "is not " + value, "store a kubeconfig");
        }
    }

    private void refuseFields(Section.Entry entry) {
        for (Node.Field field : entry.body().fields()) {
            FieldNames.Refused refused = FieldNames.refused(field.name());
            boolean readFromFile = refused != null && refused.contentOf() != null && files != null;
            if (refused != null && refused.name().equals(field.name()) && !readFromFile && matters(field)) {
                refusals.refused(entry.path() + "." + field.name(), refused.why(), refused.cure());
            }
        }
        boolean insecure = Section.bool(entry.body(), "insecure-skip-tls-verify", entry.path(), refusals);
        if (insecure && !allows(Allowance.INSECURE_SKIP_TLS_VERIFY)) {
            refusals.refused(
                    entry.path() + ".insecure-skip-tls-verify",
                    "it would give the credential to whoever answers",
                    "give certificate-authority-data, or allow InsecureSkipTLSVerify in kubeconfigPolicy");
        }
        Node proxy = entry.body().get("proxy-url");
        if (proxy != null && !isEmpty(proxy) && !allows(Allowance.PROXY_URL)) {
            refusals.refused(
                    entry.path() + ".proxy-url",
                    "it would lead the connection through another host",
                    "connect directly, or allow ProxyURL in kubeconfigPolicy");
        }
    }

    /** An empty text or list stands for nothing; an empty object of a program still names one. */
    private static boolean matters(Node.Field field) {
        boolean program = field.name().equals("exec") || field.name().equals("auth-provider");
        return program ? !Section.isAbsent(field.value()) : !isEmpty(field.value());
    }

    private static boolean isEmpty(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> scalar.text().isEmpty();
            case Node.Items items -> items.nodes().isEmpty();
            case Node.Fields fields -> fields.fields().isEmpty();
        };
    }

    private boolean allows(Allowance allowance) {
        return egress == null || egress.rules().allows(allowance);
    }

    private @Nullable Chosen choose(Node.Fields root, Section clusters, Section users, Section contexts) {
        String current = Section.text(root, "current-context", "", refusals);
        if (!current.isEmpty()) {
            Section.Entry context = contexts.named(current);
            if (context == null) {
                refusals.invalid(
                        "current-context", "names no context of this kubeconfig", "name one of those under contexts");
                return null;
            }
            return chosen(context, clusters, users, true);
        }
        List<Chosen> usable = contexts.entries().stream()
                .map(context -> Optional.ofNullable(
                        chosen(context, clusters, users, contexts.entries().size() == 1)))
                .flatMap(Optional::stream)
                .toList();
        if (usable.size() > 1) {
            refusals.invalid(
                    "current-context",
                    "is missing, and " + usable.size() + " contexts can be used",
                    "name one of them, or keep one: kubectl config view --minify --flatten --raw");
        } else if (contexts.entries().isEmpty()) {
            refusals.invalid("contexts", "holds no usable context", PATHS);
        }
        return usable.size() == 1 ? usable.getFirst() : null;
    }

    /** Null when cluster or user of the context are not there; reported when nothing else could be taken instead. */
    private @Nullable Chosen chosen(Section.Entry context, Section clusters, Section users, boolean report) {
        String clusterName = Section.text(context.body(), "cluster", context.path(), refusals);
        String userName = Section.text(context.body(), "user", context.path(), refusals);
        String namespace = Section.text(context.body(), "namespace", context.path(), refusals);
        Section.Entry cluster = clusters.named(clusterName);
        Section.Entry user = users.named(userName);
        if (report && cluster == null) {
            refusals.invalid(context.path() + ".cluster", "names no cluster of this kubeconfig", "correct the name");
        }
        if (report && user == null) {
            refusals.invalid(context.path() + ".user", "names no user of this kubeconfig", "correct the name");
        }
        return cluster == null || user == null ? null : new Chosen(context.name(), namespace, cluster, user);
    }

    private VettedKubeconfig build(Chosen chosen) {
        Section.Entry cluster = chosen.cluster();
        boolean insecure = Section.isTrue(cluster.body(), "insecure-skip-tls-verify");
        ServerAddress server = server(cluster);
        URI proxy = proxy(cluster);
        CredentialReader reader = new CredentialReader(refusals, files);
        String authority = reader.certificateAuthority(cluster, insecure);
        CredentialReader.Read credential = reader.credential(chosen.user());
        refusals.raise();
        if (server == null || credential == null) {
            throw refusals.fatal(0, "has no usable context", PATHS);
        }
        return new VettedKubeconfig(
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

    private @Nullable ServerAddress server(Section.Entry cluster) {
        String field = cluster.path() + ".server";
        String text = Section.text(cluster.body(), "server", cluster.path(), refusals);
        if (text.isEmpty()) {
            if (Section.isAbsent(cluster.body().get("server")) || cluster.body().get("server") instanceof Node.Scalar) {
                refusals.invalid(field, "is missing", "give the URL of the API server");
            }
            return null;
        }
        ServerAddress.Reading reading = ServerAddress.server(text);
        ServerAddress.Wrong wrong = reading.wrong();
        if (wrong != null) {
            refusals.invalid(field, wrong.what(), wrong.cure());
        }
        ServerAddress address = reading.address();
        if (address != null) {
            checkLiteral(address);
        }
        return address;
    }

    private void checkLiteral(ServerAddress address) {
        Optional<InetAddress> literal = Addresses.literal(address.host());
        if (egress != null && literal.isPresent()) {
            String secret = source.startsWith("Secret ") ? source.substring("Secret ".length()) : source;
            Egress verdict = egress.check(secret, address.host(), address.port(), List.of(literal.get()));
            switch (verdict) {
                case Egress.Allowed _ -> {}
                case Egress.Refused(var finding, var _, var _) -> refusals.add(finding);
            }
        }
    }

    private @Nullable URI proxy(Section.Entry cluster) {
        String text = Section.text(cluster.body(), "proxy-url", cluster.path(), refusals);
        if (text.isEmpty() || !allows(Allowance.PROXY_URL)) {
            return null;
        }
        ServerAddress.Reading reading = ServerAddress.proxy(text);
        ServerAddress.Wrong wrong = reading.wrong();
        ServerAddress address = reading.address();
        if (wrong != null) {
            refusals.invalid(cluster.path() + ".proxy-url", wrong.what(), wrong.cure());
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
        return ContentHash.of(all);
    }
}
