package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.workersync.apiserver.ApiRequest;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a Secret as a stream: values are hashed as they arrive, and irrelevant ones are never held. A starting hub reads
 * thousands of Secrets of 40 KB.
 */
public final class SecretReader {
    /** Lets machines fetch their provisioning secret; created with the cluster, not by the hub. */
    public static final String FETCH_TOKEN = "cloud-init-getter-token";

    public static final String SERVICE_ACCOUNT_TOKEN = "kubernetes.io/service-account-token";
    private static final String SERVICE_ACCOUNT = "kubernetes.io/service-account.name";
    private static final String TOKEN = "token";
    private static final String OPAQUE = "Opaque";
    /** Memory of a map entry, without its texts. */
    private static final int KEPT_ENTRY = 256;

    private final boolean values;

    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String resourceVersion = "";
    private String type = OPAQUE;
    private String creationTimestamp = "";
    private boolean immutable;
    private boolean beingDeleted;
    private int bytes;
    /** Memory of what is kept. */
    private long kept = 2L * KEPT_ENTRY;

    private @Nullable String lastWriter;
    private String lastWrite = "";
    private final SortedMap<String, String> annotations = new TreeMap<>();
    private final SortedMap<String, String> labels = new TreeMap<>();
    private final SortedMap<String, String> digests = new TreeMap<>();
    private final Map<String, String> data = new TreeMap<>();

    private SecretReader(boolean values) {
        this.values = values;
    }

    /**
     * A Secret in {@code cloud-init-settings}.
     *
     * @param fetchToken token with which machines fetch: the shared one in {@link #FETCH_TOKEN}, a MachineDeployment's own in its
     *     bootstrap secret; null elsewhere
     */
    public record SettingsSecret(
            StoredSecret stored, @Nullable Sensitive fetchToken) {}

    /** The token of a service account. */
    public record AccountToken(String secret, String account, Sensitive token) {}

    /** For a {@link ListWatch} on {@code cloud-init-settings}: keeps the Secrets that may be the hub's, and the fetch token. */
    public static ObservedObject<SettingsSecret> settings(JsonParser parser) throws IOException {
        SecretReader reader = new SecretReader(false);
        reader.read(parser);
        boolean fetch = reader.name.equals(FETCH_TOKEN);
        String value = reader.data.get(fetch ? TOKEN : FetchToken.SECRET_KEY);
        return reader.seen(
                fetch || reader.isPossiblyManaged()
                        ? new SettingsSecret(
                                reader.stored(), value != null && !value.isEmpty() ? new Sensitive(value) : null)
                        : null);
    }

    /** For a {@link ListWatch} on the labelled bootstrap tokens of {@code kube-system}. */
    public static ObservedObject<StoredToken> bootstrapToken(JsonParser parser) throws IOException {
        SecretReader reader = new SecretReader(true);
        reader.read(parser);
        String label = reader.labels.get(BootstrapToken.LABEL);
        return reader.seen(
                label == null || !reader.type.equals(BootstrapToken.SECRET_TYPE) || reader.beingDeleted
                        ? null
                        : StoredToken.of(reader.stored(), reader.created(), reader.data));
    }

    /** For a {@link ListWatch} on the token Secrets of service accounts. */
    public static ObservedObject<AccountToken> accountToken(JsonParser parser) throws IOException {
        SecretReader reader = new SecretReader(true);
        reader.read(parser);
        String token = reader.data.getOrDefault(TOKEN, "");
        return reader.seen(
                token.isEmpty() || !reader.type.equals(SERVICE_ACCOUNT_TOKEN)
                        ? null
                        : new AccountToken(
                                reader.name,
                                reader.annotations.getOrDefault(SERVICE_ACCOUNT, ""),
                                new Sensitive(token)));
    }

    private <T> ObservedObject<T> seen(@Nullable T object) {
        return new ObservedObject<>(new ObjectKey(namespace, name), uid, resourceVersion, object, kept);
    }

    private StoredSecret stored() {
        return new StoredSecret(
                namespace,
                name,
                uid,
                resourceVersion,
                type,
                immutable,
                annotations,
                labels,
                digests,
                bytes,
                lastWriter);
    }

    private boolean isPossiblyManaged() {
        return annotations.containsKey(OwnershipAnnotations.OWNER)
                || name.endsWith("-bootstrap-config")
                || name.endsWith("-provisioning-config")
                || name.startsWith("edge-provider-script-");
    }

    private Instant created() {
        try {
            return Instant.parse(creationTimestamp);
        } catch (DateTimeParseException e) {
            // Only an invalid server omits it; such a token counts as old.
            return Instant.EPOCH;
        }
    }

    private void read(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (field) {
                case "metadata" -> {
                    if (value == JsonToken.START_OBJECT) {
                        metadata(parser);
                    }
                }
                case "type" -> type = text(parser, OPAQUE).intern();
                case "immutable" -> immutable = value == JsonToken.VALUE_TRUE;
                case "data" -> {
                    if (value == JsonToken.START_OBJECT) {
                        data(parser);
                    }
                }
                default -> parser.skipChildren();
            }
        }
    }

    private void metadata(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (field) {
                case "namespace" -> namespace = text(parser, "").intern();
                case "name" -> name = text(parser, "");
                case "uid" -> uid = text(parser, "");
                case "resourceVersion" -> resourceVersion = text(parser, "");
                case "creationTimestamp" -> creationTimestamp = text(parser, "");
                case "deletionTimestamp" -> beingDeleted = value != JsonToken.VALUE_NULL;
                case "annotations" -> map(parser, value, annotations);
                case "labels" -> map(parser, value, labels);
                case "managedFields" -> managers(parser, value);
                default -> parser.skipChildren();
            }
        }
    }

    /** Others may contain secrets: {@code kubectl apply} stores the whole Secret in one. */
    private static boolean matters(String key) {
        return key.startsWith("osmhub.io/")
                || key.startsWith("k8c.io/")
                || key.equals(SERVICE_ACCOUNT)
                || key.equals(BootstrapToken.LABEL)
                || key.equals("app.kubernetes.io/managed-by");
    }

    private void map(JsonParser parser, JsonToken start, SortedMap<String, String> into) throws IOException {
        if (start != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            if (matters(key)) {
                // Few distinct values: tenant, hub and revision are the same on thousands of objects.
                String value = text(parser, "").intern();
                into.put(key, value);
                kept += KEPT_ENTRY + key.length() + value.length();
            } else {
                parser.skipChildren();
            }
        }
    }

    private void managers(JsonParser parser, JsonToken start) throws IOException {
        if (start != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            String manager = "";
            String time = "";
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                parser.nextToken();
                switch (field) {
                    case "manager" -> manager = text(parser, "").intern();
                    case "time" -> time = text(parser, "");
                    default -> parser.skipChildren();
                }
            }
            // Times have a resolution of one second; within one, the other writer is the news.
            int order = time.compareTo(lastWrite);
            if (lastWriter == null || order > 0 || (order == 0 && !manager.equals(ApiRequest.FIELD_MANAGER))) {
                lastWriter = manager;
                lastWrite = time;
            }
        }
    }

    private void data(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                parser.skipChildren();
                continue;
            }
            byte[] value;
            try {
                value = parser.getBinaryValue(Base64Variants.MIME_NO_LINEFEEDS);
            } catch (JsonParseException e) {
                throw new IOException("Secret data is not valid base64");
            }
            bytes += value.length;
            digests.put(key, Sha256.hex(value));
            kept += KEPT_ENTRY + key.length();
            if (values || key.equals(TOKEN) || key.equals(FetchToken.SECRET_KEY)) {
                data.put(key, new String(value, UTF_8));
                kept += KEPT_ENTRY + value.length;
            }
        }
    }

    private static String text(JsonParser parser, String otherwise) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        parser.skipChildren();
        return otherwise;
    }
}
