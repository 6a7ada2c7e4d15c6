package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.document.Mistakes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every field that a kubeconfig can have, and which of them the hub refuses. */
final class FieldNames {
    /** Fields of the whole. */
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

    private static final String ANOTHER = "it would act as somebody else";
    private static final String OWN_CREDENTIAL = "give the credential of the account that the hub is to use";
    private static final String PASSWORD = "a password does not end and shows at each request";
    private static final String TOKEN = "give a token";

    /** A field that is refused whatever the policy says. */
    private static final List<Refused> REFUSED = List.of(
            new Refused("exec", "it would run a program", TOKEN, null),
            new Refused("auth-provider", "it would run a program", TOKEN, null),
            new Refused(
                    "tokenFile", "it would read a file of the hub's host", "put the token itself into token", "token"),
            new Refused(
                    "client-certificate",
                    "it would read a file of the hub's host",
                    "put its content into client-certificate-data: kubectl config view --flatten --raw",
                    "client-certificate-data"),
            new Refused(
                    "client-key",
                    "it would read a file of the hub's host",
                    "put its content into client-key-data: kubectl config view --flatten --raw",
                    "client-key-data"),
            new Refused(
                    "certificate-authority",
                    "it would read a file of the hub's host",
                    "put its content into certificate-authority-data: kubectl config view --flatten --raw",
                    "certificate-authority-data"),
            new Refused(
                    "tls-server-name",
                    "it would accept the certificate of another server",
                    "use a server name that stands in its certificate",
                    null),
            new Refused("username", PASSWORD, TOKEN, null),
            new Refused("password", PASSWORD, TOKEN, null),
            new Refused("as", ANOTHER, OWN_CREDENTIAL, null),
            new Refused("as-uid", ANOTHER, OWN_CREDENTIAL, null),
            new Refused("as-groups", ANOTHER, OWN_CREDENTIAL, null),
            new Refused("as-user-extra", ANOTHER, OWN_CREDENTIAL, null));

    private static final Map<String, Refused> REFUSED_BY_FORM =
            REFUSED.stream().collect(Collectors.toUnmodifiableMap(field -> form(field.name()), field -> field));

    private static final Set<String> ALL = Stream.of(TOP, CLUSTER, USER, CONTEXT, Set.of("name"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    // A token that lost its colon looks like a name; real names of fields look like this and are short.
    private static final Pattern SHOWABLE = Pattern.compile("[A-Za-z]+(-[A-Za-z]+)*");
    private static final int LONGEST_SHOWN = 40;

    private FieldNames() {}

    /**
     * @param contentOf when it names a file: the field that holds such a file's content; else null
     */
    record Refused(
            String name, String why, String cure, @Nullable String contentOf) {}

    /** The refused field that a name is, or would be for a reader that does not look at case and separators. */
    static @Nullable Refused refused(String name) {
        return REFUSED_BY_FORM.get(form(name));
    }

    private static String form(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    static boolean isKnown(String name) {
        return ALL.contains(name);
    }

    /** Whether the name of an unknown field may stand in a message. */
    static boolean isShowable(String name) {
        return name.length() <= LONGEST_SHOWN && SHOWABLE.matcher(name).matches();
    }

    static String cureForUnknown(String name, Set<String> known) {
        String near = isShowable(name)
                ? Mistakes.didYouMean(name, known.stream().sorted().toList())
                : "";
        return near.isEmpty() ? "remove it" : near;
    }
}
