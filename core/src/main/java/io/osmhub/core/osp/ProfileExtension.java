package io.osmhub.core.osp;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.model.LabelSelector.Requirement;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stored OperatingSystemProfileExtension: what it changes of the profiles that it selects. {@code namespace} is empty when a file
 * names none.
 *
 * @param contentHash SHA-256 of {@code spec} without {@code target}, {@code policy} and {@code order}, as lower-case hex
 */
public record ProfileExtension(String namespace, String name, Spec spec, String contentHash) {
    public static final String API_VERSION = "osmhub.io/v1alpha1";
    public static final String KIND = "OperatingSystemProfileExtension";
    /** Annotation of a MachineDeployment: names of extensions to opt in to, with a leading {@code -} to opt out of. */
    public static final String CHOICE = "osmhub.io/profile-extensions";

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    /**
     * Reads an object, also one that another CustomResourceDefinition has accepted.
     *
     * @throws TenantMistake with everything that the schema rejects, reason {@code ExtensionInvalid}
     */
    public static ProfileExtension read(JsonNode object) {
        List<Problem> findings = ShippedDefinition.PROFILE_EXTENSIONS.check(object, null, Reason.ExtensionInvalid);
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        JsonNode spec = ObjectValidator.withDefaults(ShippedDefinition.PROFILE_EXTENSIONS.schema(), object)
                .path("spec");
        try {
            ObjectNode content = spec.deepCopy();
            content.remove(List.of("target", "policy", "order"));
            return new ProfileExtension(
                    object.path("metadata").path("namespace").asText(),
                    object.path("metadata").path("name").asText(),
                    JSON.treeToValue(spec, Spec.class),
                    Sha256.hex(JSON.writeValueAsString(JSON.treeToValue(content, Map.class))));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an object that fits its schema can be read", e);
        }
    }

    /** Itself, for findings. */
    public ProblemObject describe() {
        return new ProblemObject(ProblemObject.Cluster.MANAGEMENT, KIND, namespace, name);
    }

    /** {@code NAMESPACE/NAME}, or the name alone. */
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /**
     * What the hub found, and where an extension applies.
     *
     * @param skipped profiles for which an optional change did nothing, as {@code NAMESPACE/NAME}
     */
    @WireRecord
    public record Status(
            @Nullable Long observedGeneration,
            @Nullable List<Condition> conditions,
            @Nullable String contentHash,
            @Nullable Users usedBy,
            @Nullable List<String> skipped,
            @Nullable List<StoredProblem> problems) {
        public Status {
            conditions = NullableCollections.copyOf(conditions);
            skipped = NullableCollections.copyOf(skipped);
            problems = NullableCollections.copyOf(problems);
        }
    }

    /** {@code spec} of the object; {@code templateEngine} is null for plain text. */
    @WireRecord
    public record Spec(
            Target target,
            Policy policy,
            int order,
            @Nullable String templateEngine,
            Phase bootstrap,
            Phase provisioning) {
        public Spec {
            bootstrap = Objects.requireNonNullElse(bootstrap, Phase.EMPTY);
            provisioning = Objects.requireNonNullElse(provisioning, Phase.EMPTY);
        }

        /** The language of contents and commands; null for plain text. */
        public @Nullable TemplateLanguage language() {
            return templateEngine == null
                    ? null
                    : Stream.of(TemplateLanguage.values())
                            .filter(language -> language.wireName().equals(templateEngine))
                            .findFirst()
                            .orElseThrow();
        }
    }

    /** Which profiles, MachineDeployments and tenants; an empty list selects all. */
    @WireRecord
    public record Target(
            List<String> operatingSystems,
            List<String> profiles,
            List<String> cloudProviders,
            @Nullable TenantSelector tenants) {
        public Target {
            operatingSystems = NullableCollections.emptyIfNull(operatingSystems);
            profiles = NullableCollections.emptyIfNull(profiles);
            cloudProviders = NullableCollections.emptyIfNull(cloudProviders);
        }

        /** Whether a profile is meant, by its name and its {@code osName}. */
        public boolean includesProfile(String name, String osName) {
            return fits(profiles, name) && fits(operatingSystems, osName);
        }

        /** Whether MachineDeployments of a provider are meant. */
        public boolean includesProvider(String provider) {
            return fits(cloudProviders, provider);
        }

        /** Whether a tenant is meant, by the labels of its WorkerCluster. */
        public boolean includesTenant(Map<String, String> labels) {
            return tenants == null || tenants.selector().matches(labels);
        }

        private static boolean fits(List<String> names, String name) {
            return names.isEmpty() || names.contains(name);
        }
    }

    /** A label selector as Kubernetes stores it. */
    @WireRecord
    public record TenantSelector(
            @Nullable Map<String, String> matchLabels,
            @Nullable List<Expression> matchExpressions) {
        /** One requirement; {@code values} only for {@code In} and {@code NotIn}. */
        @WireRecord
        public record Expression(
                String key, String operator, @Nullable List<String> values) {}

        LabelSelector selector() {
            List<Requirement> requirements = new ArrayList<>();
            Objects.requireNonNullElse(matchLabels, Map.<String, String>of())
                    .forEach((key, value) -> requirements.add(new Requirement(key, Set.of(value), false)));
            NullableCollections.stream(matchExpressions).forEach(expression -> {
                boolean listed = expression.operator().endsWith("In");
                requirements.add(new Requirement(
                        expression.key(),
                        listed ? new HashSet<>(NullableCollections.emptyIfNull(expression.values())) : null,
                        expression.operator().startsWith("NotIn")
                                || expression.operator().startsWith("DoesNot")));
            });
            return new LabelSelector(requirements);
        }
    }

    /** When an extension applies to a MachineDeployment that it selects. */
    @WireEnum
    public enum Policy {
        @JsonProperty("Enforced")
        ENFORCED,
        @JsonProperty("Default")
        DEFAULT,
        @JsonProperty("Optional")
        OPTIONAL
    }

    /** Changes of one of the two configurations. */
    @WireRecord
    public record Phase(
            List<File> files,
            List<SystemdUnit> units,
            List<String> beforeCommands,
            List<String> afterCommands,
            @Nullable ObjectNode kubeletConfiguration) {
        static final Phase EMPTY = new Phase(List.of(), List.of(), List.of(), List.of(), null);

        public Phase {
            files = NullableCollections.emptyIfNull(files);
            units = NullableCollections.emptyIfNull(units);
            beforeCommands = NullableCollections.emptyIfNull(beforeCommands);
            afterCommands = NullableCollections.emptyIfNull(afterCommands);
        }
    }

    /** What is done with a file. */
    @WireEnum
    public enum Operation {
        @JsonProperty("Add")
        ADD,
        @JsonProperty("Replace")
        REPLACE,
        @JsonProperty("Append")
        APPEND,
        @JsonProperty("Edit")
        EDIT,
        @JsonProperty("Remove")
        REMOVE
    }

    /**
     * A change of one file.
     *
     * @param permissions octal digits
     * @param optional whether it is skipped where the profile has no such file or text
     * @param baseSHA256 of the profile's template text that it was written for
     */
    @WireRecord
    public record File(
            String path,
            Operation operation,
            @Nullable String permissions,
            @Nullable String content,
            List<Edit> edits,
            @Nullable Boolean optional,
            @Nullable String baseSHA256) {
        public File {
            edits = NullableCollections.emptyIfNull(edits);
        }

        public boolean isOptional() {
            return Boolean.TRUE.equals(optional);
        }
    }

    /** Replaces every occurrence of a text. */
    @WireRecord
    public record Edit(String find, String replace) {}
}
