package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** ConfigMaps: keys and immutability; the latter two are shared with Secrets. */
final class ConfigMapRules implements KindRules {
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        written.path("data").fieldNames().forEachRemaining(key -> checkKey(key, causes));
        written.path("binaryData").fieldNames().forEachRemaining(key -> checkKey(key, causes));
        if (old != null) {
            checkImmutable(old, written, List.of("data", "binaryData"), causes);
        }
        return causes;
    }

    static void checkKey(String key, List<Cause> causes) {
        if (!KEY.matcher(key).matches()) {
            causes.add(new Cause(
                    "data[" + key + "]",
                    "FieldValueInvalid",
                    "Invalid value: \"%s\": a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
                            .formatted(key)));
        }
    }

    static void checkImmutable(ObjectNode old, ObjectNode written, List<String> fields, List<Cause> causes) {
        if (!old.path("immutable").asBoolean()) {
            return;
        }
        if (!written.path("immutable").asBoolean()) {
            causes.add(forbidden("immutable"));
        }
        for (String field : fields) {
            if (!old.path(field).equals(written.path(field))
                    && !(old.path(field).isEmpty() && written.path(field).isEmpty())) {
                causes.add(forbidden(field));
            }
        }
    }

    private static Cause forbidden(String field) {
        return new Cause(field, "FieldValueForbidden", "Forbidden: field is immutable when `immutable` is set");
    }
}
