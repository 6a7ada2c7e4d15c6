package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.map;
import static io.osmhub.core.template.sprig.Arguments.text;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.url.GoUrl;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes URLs apart and puts them together. */
final class Urls {
    private Urls() {}

    static void addTo(Registry registry) {
        registry.add("urlParse", "func(string) map[string]interface {}", Urls::parse);
        registry.add("urlJoin", "func(map[string]interface {}) string", Urls::join);
    }

    private static Value parse(Environment environment, List<Value> arguments) throws CallFailure {
        Arguments.chargeText(environment, 4L * bytes(arguments, 0).length());
        GoUrl url;
        try {
            url = GoUrl.parse(bytes(arguments, 0));
        } catch (CallFailure failure) {
            throw new CallFailure("unable to parse url: " + failure.text());
        }
        Arguments.chargeSlots(environment, 16);
        Map<Value, Value> parts = new HashMap<>();
        put(parts, "scheme", url.scheme());
        put(parts, "host", url.host());
        put(parts, "hostname", url.hostname());
        put(parts, "path", url.path());
        put(parts, "query", url.query());
        put(parts, "opaque", url.opaque());
        put(parts, "fragment", url.fragment());
        put(parts, "userinfo", url.user() == null ? "" : url.user().toString());
        return MapValue.of(parts);
    }

    private static void put(Map<Value, Value> parts, String key, String part) {
        parts.put(Str.ofBytes(key), Str.ofBytes(part));
    }

    private static Value join(Environment environment, List<Value> arguments) throws CallFailure {
        MapValue parts = map(arguments, 0);
        // Read in this order, since of two that are no text the first is complained of.
        String scheme = part(parts, "scheme");
        String host = part(parts, "host");
        String path = part(parts, "path");
        String query = part(parts, "query");
        String opaque = part(parts, "opaque");
        String fragment = part(parts, "fragment");
        GoUrl url = new GoUrl(scheme, opaque, user(part(parts, "userinfo")), host, path, query, fragment);
        return text(environment, url.toString());
    }

    // Read as part of a URL, so that a slash in it ends it there as well.
    private static GoUrl.@Nullable User user(String userinfo) throws CallFailure {
        if (userinfo.isEmpty()) {
            return null;
        }
        try {
            return GoUrl.parse("proto://" + userinfo + "@host").user();
        } catch (CallFailure failure) {
            throw new CallFailure("unable to parse userinfo in dict: " + failure.text());
        }
    }

    private static String part(MapValue parts, String key) throws CallFailure {
        Value value = parts.elements().get(Str.ofBytes(key));
        if (value == null) {
            return "";
        }
        if (value instanceof Str text) {
            return text.bytes();
        }
        if (value instanceof Nil) {
            throw new CallFailure("runtime error: invalid memory address or nil pointer dereference");
        }
        throw new CallFailure("unable to parse " + key + " key, must be of type string, but "
                + value.kind().goName() + " found");
    }
}
