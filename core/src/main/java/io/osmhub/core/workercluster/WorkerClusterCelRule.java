package io.osmhub.core.workercluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.osmhub.core.schema.CelFunctions;
import io.osmhub.core.schema.CelRule;
import io.osmhub.core.schema.FieldAnnotations.CelRuleAnnotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rules of WorkerCluster: each in CEL for the API server, in Java for offline checks, and as a message for users. */
enum WorkerClusterCelRule implements CelRule {
    NAME_FITS_A_LABEL(
            "self.metadata.name.size() <= 63",
            "metadata.name must have at most 63 characters, because it is used as a label value",
            self -> self.path("metadata").path("name").asText().length() <= 63),

    KUBECONFIG_NEEDS_A_SECRET(
            "self.target == 'ManagementCluster' || has(self.kubeconfigSecretRef)",
            "kubeconfigSecretRef is required unless target is ManagementCluster",
            "FieldValueRequired",
            ".kubeconfigSecretRef",
            self -> isManagementCluster(self) || self.has("kubeconfigSecretRef")),

    MANAGEMENT_CLUSTER_NEEDS_NO_SECRET(
            "self.target == 'Kubeconfig' || !has(self.kubeconfigSecretRef)",
            "kubeconfigSecretRef must be left out when target is ManagementCluster",
            "FieldValueForbidden",
            ".kubeconfigSecretRef",
            self -> !isManagementCluster(self) || !self.has("kubeconfigSecretRef")),

    SCOPED_NEEDS_A_KUBECONFIG(
            "self.target == 'Kubeconfig' || self.credentials.mode == 'Provided'",
            "credentials.mode Scoped needs target Kubeconfig",
            "",
            ".credentials.mode",
            self -> !isManagementCluster(self)
                    || text(self.path("credentials"), "mode").equals("Provided")),

    TARGET_STAYS(
            "self == oldSelf",
            "target is immutable; delete the WorkerCluster and register it again",
            "",
            "",
            (self, old) -> old == null || self.equals(old)),

    SCOPED_FIELDS_NEED_SCOPED(
            "self.mode == 'Scoped' || (!has(self.serviceAccountRef) && !has(self.tokenTTL))",
            "serviceAccountRef and tokenTTL need mode Scoped",
            self -> text(self, "mode").equals("Scoped") || (!self.has("serviceAccountRef") && !self.has("tokenTTL"))),

    IP_ADDRESS("isIP(self)", "must be an IPv4 or IPv6 address", self -> CelFunctions.isIp(self.textValue())),

    FEATURE_GATE_NAMES(
            "self.all(gate, gate.matches('^[A-Z][A-Za-z0-9]{0,62}$'))",
            "a feature gate's name begins with a capital letter and has letters and digits only",
            self -> self.propertyStream().allMatch(gate -> Patterns.FEATURE_GATE.matches(gate.getKey()))),

    MIRROR_URL(
            "self.matches('^https?://') && isURL(self) && url(self).getHostname() != ''",
            "must be an http or https URL with a host",
            self -> isHttp(self.textValue()) && hasHost(self.textValue())),

    MIRROR_WITHOUT_USER(
            "!self.matches('^[a-z]+://[^/]*@')",
            "must not contain a user or password; use credentialsSecretRef",
            self -> !hasUser(self.textValue())),

    MIRROR_WITHOUT_PARAMETER(
            "!self.contains('kubermatic=')",
            "must not carry the query parameter kubermatic; set overridePath instead",
            self -> !self.textValue().contains("kubermatic=")),

    ONE_PROXY_SOURCE(
            "!(has(self.httpProxy) && has(self.httpProxySecretRef))",
            "set only one of httpProxy and httpProxySecretRef",
            self -> !(self.has("httpProxy") && self.has("httpProxySecretRef"))),

    PROXY_URL(
            "self == '' || (self.matches('^https?://') && isURL(self) && url(self).getHostname() != '')",
            "must be empty, or an http or https URL with a host",
            self -> self.textValue().isEmpty() || (isHttp(self.textValue()) && hasHost(self.textValue()))),

    PROXY_WITHOUT_USER(
            "!self.matches('^[a-z]+://[^/]*@')",
            "must not contain a user or password; put the URL in a Secret and use httpProxySecretRef",
            self -> !hasUser(self.textValue())),

    ONE_CERTIFICATE_SOURCE(
            "[has(self.inline), has(self.configMapKeyRef), has(self.secretKeyRef)].filter(set, set).size() == 1",
            "set exactly one of inline, configMapKeyRef and secretKeyRef",
            self -> List.of("inline", "configMapKeyRef", "secretKeyRef").stream()
                            .filter(self::has)
                            .count()
                    == 1),

    PEM_CERTIFICATE(
            "self == '' || (self.contains('-----BEGIN CERTIFICATE-----') && self.contains('-----END CERTIFICATE-----'))",
            "must hold at least one PEM certificate",
            self -> self.textValue().isEmpty()
                    || (self.textValue().contains("-----BEGIN CERTIFICATE-----")
                            && self.textValue().contains("-----END CERTIFICATE-----"))),

    NO_PRIVATE_KEY("!self.contains('PRIVATE KEY')", "must not hold a private key", self -> !self.textValue()
            .contains("PRIVATE KEY")),

    ONE_BOOTSTRAP_TOKEN(
            "!(has(self.serviceAccountRef) && has(self.tokenTTL))",
            "tokenTTL has no effect with serviceAccountRef; set only one of them",
            self -> !(self.has("serviceAccountRef") && self.has("tokenTTL"))),

    API_SERVER_URL(
            "self == '' || (self.startsWith('https://') && isURL(self) && url(self).getHostname() != '')",
            "must be empty, or an https URL with a host",
            self -> self.textValue().isEmpty()
                    || (self.textValue().startsWith("https://") && hasHost(self.textValue()))),

    PLAIN_API_SERVER_URL(
            "!self.matches('[?#@]')",
            "must not contain a query, a fragment or a user",
            self -> !Patterns.DECORATED.matches(self.textValue())),

    DOWNLOAD_URL(
            "self == '' || (self.matches('^https?://') && isURL(self) && !self.matches('[?#@]'))",
            "must be empty, or an http or https URL without query, fragment or user",
            self -> self.textValue().isEmpty()
                    || (isHttp(self.textValue())
                            && CelFunctions.isUrl(self.textValue())
                            && !Patterns.DECORATED.matches(self.textValue()))),

    KNOWN_OPERATING_SYSTEMS(
            "self.all(os, os in ['ubuntu', 'flatcar', 'rhel', 'rockylinux', 'amzn2', 'amzn2023', 'debian'])",
            "keys must be among ubuntu, flatcar, rhel, rockylinux, amzn2, amzn2023, debian",
            self -> self.propertyStream().allMatch(entry -> Patterns.OPERATING_SYSTEMS.contains(entry.getKey()))),

    BURST_COVERS_RATE(
            "!has(self.perSecond) || !has(self.burst) || self.burst >= self.perSecond",
            "burst must not be less than perSecond",
            self -> !self.has("perSecond")
                    || !self.has("burst")
                    || self.get("burst").longValue() >= self.get("perSecond").longValue());

    private final String expression;
    private final String message;
    private final String reason;
    private final String fieldPath;

    @SuppressWarnings("ImmutableEnumChecker") // the predicates above hold no state
    private final BiPredicate<JsonNode, @Nullable JsonNode> check;

    WorkerClusterCelRule(String expression, String message, Predicate<JsonNode> check) {
        this(expression, message, "", "", check);
    }

    WorkerClusterCelRule(
            String expression, String message, String reason, String fieldPath, Predicate<JsonNode> check) {
        this(expression, message, reason, fieldPath, (self, old) -> check.test(self));
    }

    WorkerClusterCelRule(
            String expression,
            String message,
            String reason,
            String fieldPath,
            BiPredicate<JsonNode, @Nullable JsonNode> check) {
        this.expression = expression;
        this.message = message;
        this.reason = reason;
        this.fieldPath = fieldPath;
        this.check = check;
    }

    @Override
    public String expression() {
        return expression;
    }

    @Override
    public String message() {
        return message;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public String fieldPath() {
        return fieldPath;
    }

    @Override
    public boolean holds(JsonNode self, @Nullable JsonNode oldSelf) {
        return check.test(self, oldSelf);
    }

    private static boolean isManagementCluster(JsonNode spec) {
        return text(spec, "target").equals("ManagementCluster");
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText();
    }

    private static boolean isHttp(String url) {
        return url.startsWith("http://") || url.startsWith("https://");
    }

    private static boolean hasHost(String url) {
        return !Objects.requireNonNullElse(CelFunctions.hostOfUrl(url), "").isEmpty();
    }

    private static boolean hasUser(String url) {
        return Patterns.USER.matcher(url).find();
    }

    /** Apart, because the constants above are made before any static field of the enum. */
    private static final class Patterns {
        static final Pattern FEATURE_GATE = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
        static final Pattern DECORATED = Pattern.compile("(?s).*[?#@].*");
        static final Pattern USER = Pattern.compile("^[a-z]+://[^/]*@");
        static final Set<String> OPERATING_SYSTEMS =
                Set.of("ubuntu", "flatcar", "rhel", "rockylinux", "amzn2", "amzn2023", "debian");
    }

    /** Rules of a field or record in addition to types and limits. */
    @CelRuleAnnotation
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface CelRules {
        WorkerClusterCelRule[] value();
    }
}
