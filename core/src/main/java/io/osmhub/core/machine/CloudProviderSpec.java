package io.osmhub.core.machine;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.text.GoNumbers;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.json.GoStructReader;
import io.osmhub.core.json.JsonMistake;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.machine.ReferenceResolver.Answer;
import io.osmhub.core.machine.ReferenceResolver.Kind;
import io.osmhub.core.machine.ReferenceResolver.Reference;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The provider's own settings, read for the in-tree cloud config only. A setting is a plain value, or an object that names
 * a key of a Secret or ConfigMap; some fall back to an environment variable.
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
     * @param environment stands for the environment variables of the peer's process
     * @throws TenantMistake when the MachineDeployment has no such settings
     */
    public static CloudProviderSpec of(
            MachineDeployment machineDeployment,
            ProviderConfig config,
            ReferenceResolver references,
            Map<String, String> environment) {
        String path = ProviderConfig.PATH + ".cloudProviderSpec";
        String object = machineDeployment.describe();
        if (config.cloudProviderSpec() == null) {
            throw new TenantMistake(new Finding(
                    "ProviderSpecInvalid",
                    object,
                    path,
                    "CloudProviderSpec in the MachineDeployment cannot be empty",
                    "add the settings of " + config.cloudProvider()));
        }
        try {
            RawJson json = RawJson.parse(config.cloudProviderSpec());
            if (json instanceof RawJson.Obj spec) {
                return new CloudProviderSpec(object, path, spec.members(), references, environment);
            }
            throw new TenantMistake(new Finding(
                    "ProviderSpecInvalid",
                    object,
                    path,
                    "json: cannot unmarshal " + json.kind() + " into Go value of type types.RawConfig",
                    "write an object"));
        } catch (RawJson.Malformed e) {
            throw new TenantMistake(
                    new Finding("ProviderSpecInvalid", object, path, String.valueOf(e.getMessage()), ""));
        }
    }

    /** The settings below an object, none when it is left out. */
    public CloudProviderSpec object(String field) {
        List<RawJson.Member> inner = last(field) instanceof RawJson.Obj obj ? obj.members() : List.of();
        return new CloudProviderSpec(object, path + "." + field, inner, references, environment);
    }

    /** A string; empty when it is left out. */
    public String text(String field) {
        try {
            return resolve(field, string(field));
        } catch (Unresolved e) {
            throw new TenantMistake(e.finding);
        }
    }

    /** A string, else the environment variable; a reference that leads nowhere counts as left out. */
    public String textOrEnvironment(String field, String variable) {
        try {
            String value = resolve(field, string(field));
            if (!value.isEmpty()) {
                return value;
            }
        } catch (Unresolved e) {
            // The peer goes on to the environment, and so do profiles that rely on it.
        }
        return environment(variable);
    }

    public String environment(String variable) {
        return environment.getOrDefault(variable, "");
    }

    /** What the field holds itself, beside a reference too; empty without. */
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

    /** A boolean, else the environment variable if there is one, else false. */
    public boolean boolOrEnvironment(String field, String variable) {
        try {
            Boolean value = resolveBool(field);
            if (value != null) {
                return value;
            }
        } catch (Unresolved e) {
            // As for strings: the environment is asked next.
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
     * Looks at the form of settings, also of those that turn out not to be needed: the peer decodes all before it uses one.
     *
     * @throws TenantMistake when one has a form that it cannot have
     */
    public void requireForm(List<String> texts, List<String> bools) {
        texts.forEach(this::string);
        bools.forEach(this::boolVariable);
    }

    /** A boolean that cannot be a reference; null when it is left out. */
    public @Nullable Boolean plainBool(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return null;
        }
        if (json instanceof RawJson.Literal literal && literal.kind().equals("bool")) {
            return literal.raw().equals("true");
        }
        throw mismatch(field, json, "bool");
    }

    /** A whole number of at least 0; 0 when it is left out. */
    public long unsigned(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return 0;
        }
        if (json instanceof RawJson.Literal literal && literal.kind().equals("number")) {
            GoNumbers.ParsedInt parsed = GoNumbers.readUint(literal.raw(), 10, 64);
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

    /** A list of plain strings; empty when it is left out. */
    public List<String> plainTexts(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return List.of();
        }
        if (!(json instanceof RawJson.Arr array)) {
            throw mismatch(field, json, "[]string");
        }
        List<String> texts = new ArrayList<>();
        for (RawJson item : array.items()) {
            if (item instanceof RawJson.Text text) {
                texts.add(text.value());
            } else if (item.isNull()) {
                texts.add("");
            } else {
                throw mismatch(field, item, "string");
            }
        }
        return texts;
    }

    /** A finding about the form of one of these settings. */
    public TenantMistake credentialMistake(String field, String what, String expected) {
        return new TenantMistake(
                new Finding("CloudCredentialsInvalid", object, path + "." + field, what, "expected " + expected));
    }

    /** A setting before its reference is followed. {@code value} is empty when it has none. */
    private record Variable(
            String value,
            @Nullable Reference secret,
            @Nullable Reference configMap) {
        @Override
        public String toString() {
            return "Variable[<redacted>]";
        }
    }

    /** A reference that leads nowhere. */
    private static final class Unresolved extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Finding finding;

        Unresolved(Finding finding) {
            super(finding.what(), null, false, false);
            this.finding = finding;
        }
    }

    private @Nullable RawJson last(String field) {
        RawJson found = null;
        for (RawJson.Member member : members) {
            if (GoStructReader.foldedEquals(member.name(), field)) {
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
        if (json instanceof RawJson.Obj obj) {
            return variable(field, obj, "string");
        }
        // Not JSON's rules on purpose: the peer takes what stands between the quotes as a Go string literal, so null is
        // the text "null", and \/ and surrogate pairs are refused.
        String literal = json.raw();
        boolean quoted = json instanceof RawJson.Text;
        try {
            String unquoted = GoQuote.unquote(Str.bytes(quoted ? literal : '"' + literal + '"'));
            return new Variable(Str.text(unquoted), null, null);
        } catch (CallFailure e) {
            throw new TenantMistake(invalid(field, e.text(), "write a string without \\/ and \\ud... escapes"));
        }
    }

    private Variable variable(String field, RawJson.Obj json, String goType) {
        List<JsonMistake> mistakes = new ArrayList<>();
        String[] value = {""};
        Reference[] references = new Reference[2];
        GoStructReader reader = new GoStructReader("ConfigVar", "", VARIABLE, mistakes);
        reader.read(json, "providerconfig.ConfigVar", (name, member) -> {
            switch (name) {
                case "value" ->
                    value[0] = goType.equals("bool") ? bool(reader, member) : reader.string(name, member, value[0]);
                case "secretKeyRef" -> references[0] = reference(Kind.SECRET, member, mistakes);
                default -> references[1] = reference(Kind.CONFIG_MAP, member, mistakes);
            }
        });
        for (JsonMistake mistake : mistakes) {
            if (!mistake.unknownField()) {
                throw new TenantMistake(invalid(field, mistake.what(), mistake.cure()));
            }
        }
        return new Variable(value[0], references[0], references[1]);
    }

    /** The reference, null unless it is complete: an incomplete one counts as absent. */
    @SuppressWarnings("NullAway") // an incomplete reference is no reference
    private static @Nullable Reference reference(Kind kind, RawJson json, List<JsonMistake> mistakes) {
        String[] parts = {"", "", ""};
        GoStructReader reader = new GoStructReader("KeySelector", "", REFERENCE, mistakes);
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
        String what = reference.kind().word() + " '" + reference.name() + "'";
        String where = "namespace '" + reference.namespace() + "'";
        return switch (references.resolve(reference)) {
            case Answer.Found(String value) -> value;
            case Answer.NoObject() ->
                throw new Unresolved(new Finding(
                        "ProviderReferenceNotFound",
                        object,
                        path + "." + field,
                        "error retrieving " + what + " from " + where + ": not found",
                        "create it in the worker cluster with key " + reference.key()));
            case Answer.NoKey() ->
                throw new Unresolved(new Finding(
                        "ProviderReferenceNotFound",
                        object,
                        path + "." + field,
                        what + " in " + where + " has no key '" + reference.key() + "'",
                        "add the key"));
            case Answer.Forbidden() ->
                throw new Unresolved(new Finding(
                        "ProviderReferenceForbidden",
                        object,
                        path + "." + field,
                        "the hub may not read " + what + " in " + where,
                        "grant get on it, or put the value into spec.provisioning.cloudCredentialsSecretRef"));
        };
    }

    /** A boolean before its reference is followed: its value is {@code true}, {@code false} or empty. */
    private Variable boolVariable(String field) {
        RawJson json = last(field);
        if (json == null || json.isNull()) {
            return new Variable("", null, null);
        }
        if (json instanceof RawJson.Obj obj) {
            return variable(field, obj, "bool");
        }
        if (json instanceof RawJson.Literal literal && literal.kind().equals("bool")) {
            return new Variable(literal.raw(), null, null);
        }
        throw new TenantMistake(invalid(
                field,
                "json: cannot unmarshal " + json.kind() + " into Go value of type bool",
                "write true or false without quotes"));
    }

    private static String bool(GoStructReader reader, RawJson json) {
        return json.isNull() ? "" : String.valueOf(reader.bool("value", json, false));
    }

    /** Null when it is left out. */
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

    @SuppressWarnings("NullAway") // neither true nor false is the third answer
    private static @Nullable Boolean parsedBool(String text) {
        try {
            return GoNumbers.parseBool(Str.bytes(text));
        } catch (CallFailure e) {
            return null;
        }
    }

    /** Without the text itself, which may come from a Secret. */
    private Finding noBoolean(String field) {
        return new Finding(
                "CloudCredentialsInvalid", object, path + "." + field, "is not a boolean", "expected true or false");
    }

    private TenantMistake mismatch(String field, RawJson json, String goType) {
        return new TenantMistake(invalid(
                field,
                "json: cannot unmarshal " + json.kind() + " into Go struct field RawConfig." + field + " of type "
                        + goType,
                ""));
    }

    private Finding invalid(String field, String what, String cure) {
        return new Finding("ProviderSpecInvalid", object, path + "." + field, what, cure);
    }
}
