package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.FindingsCollector;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All fields of a kubeconfig, and which of them the hub forbids. */
final class KubeconfigFields {
    /** Top-level fields. */
    static final Set<String> TOP = Set.of(
            "apiVersion", "kind", "preferences", "extensions", "clusters", "users", "contexts", "current-context");

    static final Set<String> CLUSTER = Set.of(
            "server",
            "certificate-authority-data",
            "insecure-skip-tls-verify",
            "disable-compression",
            "proxy-url",
            "certificate-authority",
            "tls-server-name",
            "extensions");

    static final Set<String> USER = Set.of(
            "token",
            "client-certificate-data",
            "client-key-data",
            "exec",
            "auth-provider",
            "tokenFile",
            "client-certificate",
            "client-key",
            "username",
            "password",
            "as",
            "as-uid",
            "as-groups",
            "as-user-extra",
            "extensions");

    static final Set<String> CONTEXT = Set.of("cluster", "user", "namespace", "extensions");

    private static final String ANOTHER = "it would impersonate another user";
    private static final String OWN_CREDENTIAL = "use a credential of the account that the hub should use";
    private static final String PASSWORD = "a password never expires and is sent with each request";
    private static final String TOKEN = "use a token";

    /** Fields that are forbidden regardless of the policy. */
    private static final List<RefusedField> REFUSED = List.of(
            new RefusedField("exec", "it would run a program", TOKEN, null),
            new RefusedField("auth-provider", "it would run a program", TOKEN, null),
            new RefusedField(
                    "tokenFile", "it would read a file of the hub's host", "put the token itself into token", "token"),
            new RefusedField(
                    "client-certificate",
                    "it would read a file of the hub's host",
                    "put its content into client-certificate-data: kubectl config view --flatten --raw",
                    "client-certificate-data"),
            new RefusedField(
                    "client-key",
                    "it would read a file of the hub's host",
                    "put its content into client-key-data: kubectl config view --flatten --raw",
                    "client-key-data"),
            new RefusedField(
                    "certificate-authority",
                    "it would read a file of the hub's host",
                    "put its content into certificate-authority-data: kubectl config view --flatten --raw",
                    "certificate-authority-data"),
            new RefusedField(
                    "tls-server-name",
                    "it would accept the certificate of another server",
                    "use a server name that stands in its certificate",
                    null),
            new RefusedField("username", PASSWORD, TOKEN, null),
            new RefusedField("password", PASSWORD, TOKEN, null),
            new RefusedField("as", ANOTHER, OWN_CREDENTIAL, null),
            new RefusedField("as-uid", ANOTHER, OWN_CREDENTIAL, null),
            new RefusedField("as-groups", ANOTHER, OWN_CREDENTIAL, null),
            new RefusedField("as-user-extra", ANOTHER, OWN_CREDENTIAL, null));

    private static final Map<String, RefusedField> REFUSED_BY_FORM =
            REFUSED.stream().collect(Collectors.toUnmodifiableMap(field -> form(field.name()), field -> field));

    private static final Set<String> ALL = Stream.of(TOP, CLUSTER, USER, CONTEXT, Set.of("name"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    // A token without its colon looks like a name; names of real fields match this and are short.
    private static final Pattern SHOWABLE = Pattern.compile("[A-Za-z]+(-[A-Za-z]+)*+");
    private static final int LONGEST_SHOWN = 40;

    private KubeconfigFields() {}

    /** @param contentOf for a field with a file name: the field for the file's content; else null */
    record RefusedField(
            String name, String why, String cure, @Nullable String contentOf) {}

    /** The forbidden field that matches a name, ignoring case and separators. */
    static @Nullable RefusedField refused(String name) {
        return REFUSED_BY_FORM.get(form(name));
    }

    private static String form(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    static boolean isKnown(String name) {
        return ALL.contains(name);
    }

    /** Whether the name of an unknown field may appear in a message. */
    static boolean isShowable(String name) {
        return name.length() <= LONGEST_SHOWN && SHOWABLE.matcher(name).matches();
    }

    static String cureForUnknown(String name, Set<String> known) {
        String near = isShowable(name)
                ? FindingsCollector.suggestClosest(name, known.stream().sorted().toList())
                : "";
        return near.isEmpty() ? "remove it" : near;
    }
}
