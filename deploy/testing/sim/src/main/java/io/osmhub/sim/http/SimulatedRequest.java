package io.osmhub.sim.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.objects.ApiError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request, in terms of HTTP and of the API. */
public final class SimulatedRequest {
    private static final Pattern SELECTED_NAME = Pattern.compile("metadata\\.name==?([^=].*)");

    /** The verb and the resource, which is as in kubectl, with its subresource; texts are empty if they do not apply. */
    public record RequestInfo(String verb, String resource, String namespace, String name) {}

    private final HttpContent http;
    private final String plainPath;
    private final Map<String, List<String>> parameters;
    private final @Nullable ApiPath path;
    private final String verb;

    /** What was received. {@code headers} are case-insensitive; the certificate has been verified by TLS. */
    public record HttpContent(
            String method,
            String uri,
            Map<String, String> headers,
            byte[] body,
            @Nullable X509Certificate certificate) {}

    public SimulatedRequest(HttpContent http) {
        QueryStringDecoder decoder = new QueryStringDecoder(http.uri());
        this.http = http;
        this.plainPath = decoder.rawPath();
        this.parameters = decoder.parameters();
        this.path = ApiPath.parse(plainPath).orElse(null);
        this.verb = findVerb();
    }

    public HttpContent http() {
        return http;
    }

    /** As received, without the query. */
    String plainPath() {
        return plainPath;
    }

    byte[] body() {
        return http.body();
    }

    public String verb() {
        return verb;
    }

    /** The parts of the path; empty for non-resource paths. */
    Optional<ApiPath> path() {
        return Optional.ofNullable(path);
    }

    /** A query parameter; empty if absent. */
    String parameter(String name) {
        return parameters.getOrDefault(name, List.of("")).getFirst();
    }

    boolean flag(String name) {
        return parameter(name).equals("true") || parameter(name).equals("1");
    }

    String header(String name) {
        return http.headers().getOrDefault(name, "");
    }

    /** The parameter {@code fieldManager}, otherwise the first word of the user agent. */
    String fieldManager() {
        String named = parameter("fieldManager");
        if (!named.isEmpty()) {
            return named;
        }
        String agent = header("User-Agent");
        int slash = agent.indexOf('/');
        String first = slash < 0 ? agent : agent.substring(0, slash);
        return first.isEmpty() ? "unknown" : first;
    }

    /** An integer query parameter; {@code otherwise} if absent. */
    int number(String name, int otherwise) {
        String text = parameter(name);
        try {
            return text.isEmpty() ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            throw ApiError.badRequest("strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(text));
        }
    }

    AuthorizationAttributes attributes() {
        if (path == null) {
            return AuthorizationAttributes.ofPath(http.method().toLowerCase(Locale.ROOT), plainPath);
        }
        // A namespace itself is authorized as an object within itself.
        String namespace =
                path.plural().equals("namespaces") && path.group().isEmpty() ? path.name() : path.namespace();
        return new AuthorizationAttributes(
                verb, path.group(), path.plural(), path.subresource(), namespace, authorizedName(path), "");
    }

    /** A list or watch whose field selector names one object is authorized for that object; a deletion is not. */
    private String authorizedName(ApiPath path) {
        if (path.name().isEmpty() && List.of("list", "watch").contains(verb)) {
            for (String term : parameter("fieldSelector").split(",")) {
                Matcher name = SELECTED_NAME.matcher(term.strip());
                if (name.matches()) {
                    return name.group(1);
                }
            }
        }
        return path.name();
    }

    /** The resource as in kubectl, with its subresource; the path for non-resource requests. */
    public String resource() {
        if (path == null) {
            return plainPath;
        }
        String subresource = path.subresource().isEmpty() ? "" : "/" + path.subresource();
        return (path.group().isEmpty() ? path.plural() : path.plural() + "." + path.group()) + subresource;
    }

    public RequestInfo requestInfo() {
        return new RequestInfo(verb, resource(), path == null ? "" : path.namespace(), path == null ? "" : path.name());
    }

    private String findVerb() {
        String method = http.method();
        if (path == null) {
            return method.toLowerCase(Locale.ROOT);
        }
        boolean watch = flag("watch");
        boolean named = !path.name().isEmpty();
        return switch (method) {
            case "GET", "HEAD" -> watch ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }

    /** The parts of a path below {@code /api/v1} or {@code /apis/group/version}; absent ones are empty. */
    record ApiPath(String group, String version, String namespace, String plural, String name, String subresource) {
        /** Empty for a non-resource path. */
        static Optional<ApiPath> parse(String path) {
            List<String> parts = Arrays.stream(path.split("/"))
                    .filter(part -> !part.isEmpty())
                    .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                    .toList();
            if (parts.size() >= 3 && parts.get(0).equals("api")) {
                return parse("", parts.get(1), parts.subList(2, parts.size()));
            }
            if (parts.size() >= 4 && parts.get(0).equals("apis")) {
                return parse(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
            }
            return Optional.empty();
        }

        private static Optional<ApiPath> parse(String group, String version, List<String> rest) {
            // /namespaces/x, /namespaces/x/status and /namespaces/x/finalize refer to the namespace itself.
            boolean within = rest.get(0).equals("namespaces")
                    && rest.size() >= 3
                    && !(group.isEmpty() && rest.size() == 3 && isPartOfNamespace(rest.get(2)));
            String namespace = within ? rest.get(1) : "";
            List<String> own = within ? rest.subList(2, rest.size()) : rest;
            if (own.size() > 3) {
                return Optional.empty();
            }
            return Optional.of(new ApiPath(group, version, namespace, own.get(0), at(own, 1), at(own, 2)));
        }

        private static boolean isPartOfNamespace(String word) {
            return word.equals("status") || word.equals("finalize");
        }

        private static String at(List<String> parts, int index) {
            return index < parts.size() ? parts.get(index) : "";
        }
    }
}
