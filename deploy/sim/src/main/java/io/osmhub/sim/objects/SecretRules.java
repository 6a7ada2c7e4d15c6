package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.status.ApiError.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets: base64, size, type and immutability. */
final class SecretRules implements KindRules {
    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final long MAX_BYTES = 1024 * 1024;
    private static final Map<String, List<String>> REQUIRED_KEYS = Map.of(
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"));

    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        if (written.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = JsonTrees.child(written, "data");
            for (Map.Entry<String, JsonNode> each : texts.properties()) {
                byte[] bytes = each.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(each.getKey(), Base64.getEncoder().encodeToString(bytes));
            }
        }
        if (JsonTrees.text(written, "type").isEmpty()) {
            written.put("type", "Opaque");
        }
        for (Map.Entry<String, JsonNode> each : written.path("data").properties()) {
            decode(each.getValue());
        }
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        long size = 0;
        for (Map.Entry<String, JsonNode> each : written.path("data").properties()) {
            ConfigMapRules.checkKey(each.getKey(), causes);
            size += decode(each.getValue()).length;
        }
        if (size > MAX_BYTES) {
            causes.add(
                    new Cause("data", "FieldValueTooLong", "Too long: may not be more than " + MAX_BYTES + " bytes"));
        }
        String type = JsonTrees.text(written, "type");
        for (String key : REQUIRED_KEYS.getOrDefault(type, List.of())) {
            if (!written.path("data").has(key)) {
                causes.add(new Cause("data[" + key + "]", "FieldValueRequired", "Required value"));
            }
        }
        boolean bare =
                !written.path("data").has("username") && !written.path("data").has("password");
        if (type.equals("kubernetes.io/basic-auth") && bare) {
            causes.add(new Cause("data[username]", "FieldValueRequired", "Required value"));
            causes.add(new Cause("data[password]", "FieldValueRequired", "Required value"));
        }
        if (type.equals("kubernetes.io/service-account-token")
                && JsonTrees.text(written, "metadata", "annotations", "kubernetes.io/service-account.name")
                        .isEmpty()) {
            causes.add(new Cause(
                    "metadata.annotations[kubernetes.io/service-account.name]",
                    "FieldValueRequired",
                    "Required value"));
        }
        if (old != null) {
            if (!type.equals(JsonTrees.text(old, "type"))) {
                causes.add(new Cause(
                        "type", "FieldValueInvalid", "Invalid value: \"%s\": field is immutable".formatted(type)));
            }
            ConfigMapRules.checkImmutable(old, written, List.of("data"), causes);
        }
        return causes;
    }

    private static byte[] decode(JsonNode value) {
        try {
            return value.isNull() ? new byte[0] : Base64.getDecoder().decode(value.asText());
        } catch (IllegalArgumentException notBase64) {
            String text = value.asText();
            int good = 0;
            while (good < text.length() && BASE64.indexOf(text.charAt(good)) >= 0) {
                good++;
            }
            throw ApiError.badRequest(
                    "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte "
                            + good);
        }
    }
}
