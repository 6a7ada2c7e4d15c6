package io.osmhub.tenancy.kubeconfig;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the hub does with each field of a kubeconfig. A field is named by its object: nothing for the whole kubeconfig, the name of
 * the list for an entry of it, and in the entry the name of its object.
 */
enum FieldRule {
    TEXT(
            "",
            "",
            ".apiVersion .kind .current-context clusters.name users.name contexts.name",
            "cluster.server cluster.certificate-authority-data",
            "user.token user.client-certificate-data user.client-key-data",
            "context.cluster context.user context.namespace"),
    BOOLEAN("", "", "cluster.insecure-skip-tls-verify"),
    /** Ignored, or read otherwise. */
    ANY(
            "",
            "",
            ".clusters .users .contexts clusters.cluster users.user contexts.context .preferences",
            ".extensions cluster.extensions user.extensions context.extensions cluster.disable-compression"),
    PROGRAM("it would run a program", "use a token", "user.exec user.auth-provider"),
    TOKEN_FILE("it would read a file of the hub's host", "put the token itself into token", "user.tokenFile"),
    FILE(
            "it would read a file of the hub's host",
            "put its content into the field that ends with -data: kubectl config view --flatten --raw",
            "user.client-certificate user.client-key cluster.certificate-authority"),
    OTHER_SERVER(
            "it would accept the certificate of another server",
            "use a server name that stands in its certificate",
            "cluster.tls-server-name"),
    PROXY(
            "it would route the connection through another host",
            "connect directly, or allow ProxyURL in kubeconfigPolicy",
            "cluster.proxy-url"),
    PASSWORD("a password never expires and is sent with each request", "use a token", "user.username user.password"),
    IMPERSONATION(
            "it would impersonate another user",
            "use a credential of the account that the hub should use",
            "user.as user.as-uid user.as-groups user.as-user-extra");

    private static final Map<String, FieldRule> BY_FIELD = by(Function.identity(), Arrays.stream(values()));
    private static final Map<String, FieldRule> REFUSED_BY_FORM =
            by(FieldRule::form, Arrays.stream(values()).filter(rule -> !rule.why.isEmpty()));

    private final String why;
    private final String cure;
    /** Separated by blanks. */
    private final String fields;

    /** @param why the hub refuses the fields; empty if it does not */
    FieldRule(String why, String cure, String... fields) {
        this.why = why;
        this.cure = cure;
        this.fields = String.join(" ", fields);
    }

    private Stream<String> fields() {
        return Stream.of(fields.split(" "));
    }

    String why() {
        return why;
    }

    String cure() {
        return cure;
    }

    /** The rule of a field; null if the object has no such field. */
    static @Nullable FieldRule of(String object, String name) {
        return BY_FIELD.get(object + "." + name);
    }

    /** The rule of a refused field that is misspelled or misplaced; null if it is none. */
    static @Nullable FieldRule resembling(String name) {
        return REFUSED_BY_FORM.get(form("." + name));
    }

    /**
     * Allowed fields of an object, sorted.
     *
     * @param lifted rules whose fields are allowed too
     */
    static List<String> allowedIn(String object, Set<FieldRule> lifted) {
        return Stream.concat(Stream.of(TEXT, BOOLEAN, ANY), lifted.stream())
                .flatMap(rule -> rule.fields())
                .filter(field -> field.startsWith(object + "."))
                .map(field -> field.substring(object.length() + 1))
                .sorted()
                .toList();
    }

    private static Map<String, FieldRule> by(Function<String, String> key, Stream<FieldRule> rules) {
        return rules.flatMap(rule -> rule.fields().map(field -> Map.entry(key.apply(field), rule)))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Ignores the object, case and separators. */
    private static String form(String field) {
        return field.substring(field.indexOf('.') + 1)
                .toLowerCase(Locale.ROOT)
                .replace("-", "")
                .replace("_", "");
    }
}
