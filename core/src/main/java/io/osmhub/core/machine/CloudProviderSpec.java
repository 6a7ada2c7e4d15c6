package io.osmhub.core.machine;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.json.GoStructDecoder;
import io.osmhub.core.json.GoStructDecoder.JsonDecodeError;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.Kind;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.Reference;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.ResolveResult;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The provider's own settings, read for the in-tree cloud config only. A setting is a plain value, or an object that
 * references a key of a Secret or ConfigMap; some default to an environment variable.
 */
public final class CloudProviderSpec {
    private static final List<String> VARIABLE = List.of("value", "secretKeyRef", "configMapKeyRef");
    private static final List<String> REFERENCE = List.of("namespace", "name", "key");

    private final String object;
    private final String path;
    private final List<RawJson.Member> members;
    private final ReferenceResolver references;
    private final Map<String, String> environment;

    private CloudProviderSpec(
            String object,
            String path,
            List<RawJson.Member> members,
            ReferenceResolver references,
            Map<String, String> environment) {
        this.object = object;
        this.path = path;
        this.members = members;
        this.references = references;
        this.environment = environment;
    }

    /**
     * @param environment replaces the environment variables of OSM's process
     * @throws TenantMistake if the MachineDeployment has no such settings
     */
    public static CloudProviderSpec of(
            MachineDeployment machineDeployment,
            ProviderConfig config,
            ReferenceResolver references,
            Map<String, String> environment) {
        String path = ProviderConfig.PATH + ".cloudProviderSpec";
        String object = machineDeployment.describe();
        if (config.cloudProviderSpec() == null) {
            throw new TenantMistake(new ProblemFinding(
                    "ProviderSpecInvalid",
                    object,
                    path,
                    "CloudProviderSpec in the MachineDeployment cannot be empty",
                    "add the settings of " + config.cloudProvider()));
        }
        try {
            RawJson json = RawJson.parse(config.cloudProviderSpec());
            if (json instanceof RawJson.RawObject spec) {
                return new CloudProviderSpec(object, path, spec.members(), references, environment);
            }
            throw new TenantMistake(new ProblemFinding(
                    "ProviderSpecInvalid",
                    object,
                    path,
                    "json: cannot unmarshal " + json.kind() + " into Go value of type types.RawConfig",
                    "use an object"));
        } catch (RawJson.MalformedJsonException e) {
            throw new TenantMistake(
                    new ProblemFinding("ProviderSpecInvalid", object, path, String.valueOf(e.getMessage()), ""));
        }
    }

    /** The settings below an object, none if left out. */
    public CloudProviderSpec object(String field) {
        List<RawJson.Member> inner = last(field) instanceof RawJson.RawObject obj ? obj.members() : List.of();
        return new CloudProviderSpec(object, path + "." + field, inner, references, environment);
    }

    /** A string; empty if left out. */
    public String text(String field) {
        try {
            return resolve(field, string(field));
        } catch (Unresolved e) {
            throw new TenantMistake(e.finding);
        }
    }

    /** A string, else the environment variable; an unresolved reference counts as left out. */
    public String textOrEnvironment(String field, String variable) {
        try {
            String value = resolve(field, string(field));
            if (!value.isEmpty()) {
                return value;
            }
        } catch (Unresolved e) {
            // OSM continues with the environment, and existing profiles rely on it.
        }
        return environment(variable);
    }

    public String environment(String variable) {
        return environment.getOrDefault(variable, "");
    }

    /** The field's plain value, even if it has a reference; empty if none. */
    public String directText(String field) {
        return string(field).value;
    }

    public boolean bool(String field) {
        try {
            return Boolean.TRUE.equals(resolveBool(field));
        } catch (Unresolved e) {
            throw new TenantMistake(e.finding);
        }
    }

    /** A boolean, else the environment variable if set, else false. */
    public boolean boolOrEnvironment(String field, String variable) {
        try {
            Boolean value = resolveBool(field);
            if (value != null) {
                return value;
            }
        } catch (Unresolved e) {
            // As for strings: continue with the environment.
        }
        String text = environment.get(variable);
        if (text == null) {
            return false;
        }
        Boolean value = parsedBool(text);
        if (value == null) {
            throw new TenantMistake(noBoolean(field));
        }
        return value;
    }

    /**
     * Checks the types of settings, also of unused ones: OSM decodes all before it uses one.
     *
     * @throws TenantMistake if a type is wrong
     */
    public void requireTypes(List<String> texts, List<String> bools) {
        texts.forEach(this::string);
        bools.forEach(this::boolVariable);
    }

    /** A boolean that cannot be a reference; null if left out. */
    public @Nullable Boolean plainBool(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return null;
        }
        if (json instanceof RawJson.RawLiteral literal && literal.kind().equals("bool")) {
            return literal.raw().equals("true");
        }
        throw mismatch(field, json, "bool");
    }

    /** An integer of at least 0; 0 if left out. */
    public long unsigned(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return 0;
        }
        if (json instanceof RawJson.RawLiteral literal && literal.kind().equals("number")) {
            GoNumbers.ParsedInt parsed = GoNumbers.readUint(literal.raw(), 10);
            if (parsed.problem() == null) {
                return parsed.value();
            }
            throw new TenantMistake(invalid(
                    field,
                    "json: cannot unmarshal number " + literal.raw() + " into Go struct field RawConfig." + field
                            + " of type uint",
                    "write a whole number"));
        }
        throw mismatch(field, json, "uint");
    }

    /** A list of plain strings; empty if left out. */
    public List<String> plainTexts(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return List.of();
        }
        if (!(json instanceof RawJson.RawArray array)) {
            throw mismatch(field, json, "[]string");
        }
        List<String> texts = new ArrayList<>();
        for (RawJson item : array.items()) {
            if (item instanceof RawJson.RawString text) {
                texts.add(text.value());
            } else if (item.isNull()) {
                texts.add("");
            } else {
                throw mismatch(field, item, "string");
            }
        }
        return texts;
    }

    public TenantMistake credentialMistake(String field, String what, String expected) {
        return new TenantMistake(new ProblemFinding(
                "CloudCredentialsInvalid", object, path + "." + field, what, "expected " + expected));
    }

    /** A setting before its reference is resolved. {@code value} is empty if it has none. */
    private record Variable(
            String value,
            @Nullable Reference secret,
            @Nullable Reference configMap) {
        @Override
        public String toString() {
            return "Variable[<redacted>]";
        }
    }

    /** An unresolved reference. */
    private static final class Unresolved extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient ProblemFinding finding;

        Unresolved(ProblemFinding finding) {
            super(finding.what(), null, false, false);
            this.finding = finding;
        }
    }

    private @Nullable RawJson last(String field) {
        RawJson found = null;
        for (RawJson.Member member : members) {
            if (GoStructDecoder.foldedEquals(member.name(), field)) {
                found = member.value();
            }
        }
        return found;
    }

    private Variable string(String field) {
        RawJson json = last(field);
        if (json == null) {
            return new Variable("", null, null);
        }
        if (json instanceof RawJson.RawObject obj) {
            return variable(field, obj, "string");
        }
        // Intentionally not JSON's rules: OSM parses the content as a Go string literal, so null is the text "null",
        // and \/ and surrogate pairs are rejected.
        String literal = json.raw();
        boolean quoted = json instanceof RawJson.RawString;
        try {
            String unquoted = GoQuote.unquote(GoString.bytes(quoted ? literal : '"' + literal + '"'));
            return new Variable(GoString.text(unquoted), null, null);
        } catch (GoCallException e) {
            throw new TenantMistake(invalid(field, e.text(), "write a string without \\/ and \\ud... escapes"));
        }
    }

    private Variable variable(String field, RawJson.RawObject json, String goType) {
        List<JsonDecodeError> mistakes = new ArrayList<>();
        String[] value = {""};
        Reference[] references = new Reference[2];
        GoStructDecoder reader = new GoStructDecoder("ConfigVar", "", VARIABLE, mistakes);
        reader.read(json, "providerconfig.ConfigVar", (name, member) -> {
            switch (name) {
                case "value" ->
                    value[0] = goType.equals("bool") ? bool(reader, member) : reader.string(name, member, value[0]);
                case "secretKeyRef" -> references[0] = reference(Kind.SECRET, member, mistakes);
                default -> references[1] = reference(Kind.CONFIG_MAP, member, mistakes);
            }
        });
        for (JsonDecodeError mistake : mistakes) {
            if (!mistake.unknownField()) {
                throw new TenantMistake(invalid(field, mistake.what(), mistake.cure()));
            }
        }
        return new Variable(value[0], references[0], references[1]);
    }

    /** Null unless the reference is complete: an incomplete one counts as absent. */
    @SuppressWarnings("NullAway") // null for an incomplete reference
    private static @Nullable Reference reference(Kind kind, RawJson json, List<JsonDecodeError> mistakes) {
        String[] parts = {"", "", ""};
        GoStructDecoder reader = new GoStructDecoder("KeySelector", "", REFERENCE, mistakes);
        reader.read(json, "providerconfig.KeySelector", (name, member) -> {
            int part = REFERENCE.indexOf(name);
            parts[part] = reader.string(name, member, parts[part]);
        });
        boolean complete = !parts[0].isEmpty() && !parts[1].isEmpty() && !parts[2].isEmpty();
        return complete ? new Reference(kind, parts[0], parts[1], parts[2]) : null;
    }

    private String resolve(String field, Variable variable) throws Unresolved {
        if (variable.secret != null) {
            return follow(field, variable.secret);
        }
        return variable.configMap != null ? follow(field, variable.configMap) : variable.value;
    }

    private String follow(String field, Reference reference) throws Unresolved {
        String what = reference.kind().displayName() + " '" + reference.name() + "'";
        String where = "namespace '" + reference.namespace() + "'";
        return switch (references.resolve(reference)) {
            case ResolveResult.Found(String value) -> value;
            case ResolveResult.NoObject() ->
                throw new Unresolved(new ProblemFinding(
                        "ProviderReferenceNotFound",
                        object,
                        path + "." + field,
                        "error retrieving " + what + " from " + where + ": not found",
                        "create it in the worker cluster with key " + reference.key()));
            case ResolveResult.NoKey() ->
                throw new Unresolved(new ProblemFinding(
                        "ProviderReferenceNotFound",
                        object,
                        path + "." + field,
                        what + " in " + where + " has no key '" + reference.key() + "'",
                        "add the key"));
            case ResolveResult.Forbidden() ->
                throw new Unresolved(new ProblemFinding(
                        "ProviderReferenceForbidden",
                        object,
                        path + "." + field,
                        "the hub may not read " + what + " in " + where,
                        "grant get on it, or put the value into spec.provisioning.cloudCredentialsSecretRef"));
        };
    }

    /** A boolean before its reference is resolved: its value is {@code true}, {@code false} or empty. */
    private Variable boolVariable(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return new Variable("", null, null);
        }
        if (json instanceof RawJson.RawObject obj) {
            return variable(field, obj, "bool");
        }
        if (json instanceof RawJson.RawLiteral literal && literal.kind().equals("bool")) {
            return new Variable(literal.raw(), null, null);
        }
        throw new TenantMistake(invalid(
                field,
                "json: cannot unmarshal " + json.kind() + " into Go value of type bool",
                "use true or false without quotes"));
    }

    private static String bool(GoStructDecoder reader, RawJson json) {
        return json.isNull() ? "" : String.valueOf(reader.bool("value", json, false));
    }

    /** Null if left out. */
    private @Nullable Boolean resolveBool(String field) throws Unresolved {
        Variable variable = boolVariable(field);
        if (variable.secret == null && variable.configMap == null && variable.value.isEmpty()) {
            return null;
        }
        Boolean value = parsedBool(resolve(field, variable));
        if (value == null) {
            throw new Unresolved(noBoolean(field));
        }
        return value;
    }

    @SuppressWarnings("NullAway") // null for neither true nor false
    private static @Nullable Boolean parsedBool(String text) {
        try {
            return GoNumbers.parseBool(GoString.bytes(text));
        } catch (GoCallException e) {
            return null;
        }
    }

    /** Omits the text itself, which may come from a Secret. */
    private ProblemFinding noBoolean(String field) {
        return new ProblemFinding(
                "CloudCredentialsInvalid", object, path + "." + field, "is not a boolean", "expected true or false");
    }

    private TenantMistake mismatch(String field, RawJson json, String goType) {
        return new TenantMistake(invalid(
                field,
                "json: cannot unmarshal " + json.kind() + " into Go struct field RawConfig." + field + " of type "
                        + goType,
                ""));
    }

    private ProblemFinding invalid(String field, String what, String cure) {
        return new ProblemFinding("ProviderSpecInvalid", object, path + "." + field, what, cure);
    }

    /**
     * Resolves {@code secretKeyRef} and {@code configMapKeyRef} of a provider config in the worker cluster. May throw
     * {@link io.osmhub.core.problem.Unreachable}.
     */
    @FunctionalInterface
    public interface ReferenceResolver {
        /** The kind of a referenced object, with its term in messages. */
        enum Kind {
            SECRET("secret", "Secret"),
            CONFIG_MAP("configmap", "ConfigMap");

            private final String displayName;
            private final String kindName;

            Kind(String word, String kindName) {
                this.displayName = word;
                this.kindName = kindName;
            }

            String displayName() {
                return displayName;
            }

            /** The Kubernetes kind. */
            public String kindName() {
                return kindName;
            }
        }

        /** One key of one object. */
        record Reference(Kind kind, String namespace, String name, String key) {}

        sealed interface ResolveResult {
            record Found(String value) implements ResolveResult {
                @Override
                public String toString() {
                    return "Found[<redacted>]";
                }
            }

            /** The object does not exist. */
            record NoObject() implements ResolveResult {}

            /** The object has no such key. */
            record NoKey() implements ResolveResult {}

            /** The hub may not read it. */
            record Forbidden() implements ResolveResult {}
        }

        ResolveResult resolve(Reference reference);
    }
}
