package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.TokenReviewThrottle;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Authenticates requests. A bearer token takes precedence over a session. */
final class RequestAuthenticator {
    static final String CSRF = "X-OSMHub-CSRF";
    private static final String BEARER = "bearer ";
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final TokenReviewThrottle throttle;
    private final SessionCookies sessions;

    RequestAuthenticator(TokenReviewThrottle throttle, SessionCookies sessions) {
        this.throttle = throttle;
        this.sessions = sessions;
    }

    /**
     * The caller; empty if unauthenticated for any reason. Blocks.
     *
     * @param address of the client
     * @throws ApiProblem if the management cluster does not respond, too many sign-ins failed, or a session is used for a write from
     *     outside the console
     */
    Optional<Caller> authenticate(HttpServerRequest request, String address) throws ApiProblem {
        List<String> authorization = request.headers().getAll("Authorization");
        if (!authorization.isEmpty()) {
            Optional<Sensitive> token = bearer(authorization);
            return token.isEmpty() ? Optional.empty() : throttle.authenticate(token.get(), address);
        }
        Optional<String> session = session(request);
        if (session.isEmpty()) {
            return Optional.empty();
        }
        Optional<Caller> caller = sessions.findCaller(session.get());
        if (caller.isPresent() && !READS.contains(request.method())) {
            requireConsole(request);
        }
        return caller;
    }

    private static Optional<Sensitive> bearer(List<String> authorization) {
        if (authorization.size() != 1) {
            return Optional.empty();
        }
        String value = authorization.getFirst();
        return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(new Sensitive(value.substring(BEARER.length()).strip()))
                : Optional.empty();
    }

    /** The headers by which another replica authenticates the same caller. */
    static Map<String, String> credentials(HttpServerRequest request) {
        String authorization = request.getHeader("Authorization");
        return authorization != null
                ? Map.of("Authorization", authorization)
                : session(request)
                        .map(session -> Map.of("Cookie", SessionCookies.COOKIE + "=" + session, CSRF, "replica"))
                        .orElse(Map.of());
    }

    /** Value of the session cookie. */
    static Optional<String> session(HttpServerRequest request) {
        return cookie(request, SessionCookies.COOKIE);
    }

    /** Value of a cookie; empty if sent twice, because one of them is foreign. */
    static Optional<String> cookie(HttpServerRequest request, String name) {
        String found = null;
        for (String header : request.headers().getAll("Cookie")) {
            for (String cookie : header.split(";", -1)) {
                int equals = cookie.indexOf('=');
                if (equals > 0 && cookie.substring(0, equals).strip().equals(name)) {
                    if (found != null) {
                        return Optional.empty();
                    }
                    found = cookie.substring(equals + 1).strip();
                }
            }
        }
        return Optional.ofNullable(found);
    }

    /** Browsers send the cookie with cross-site requests, too; but other sites can set neither a header nor the origin. */
    private static void requireConsole(HttpServerRequest request) throws ApiProblem {
        String header = request.getHeader(CSRF);
        if (header == null || header.isBlank()) {
            throw ApiProblem.forbidden("a write with a session requires the header " + CSRF);
        }
        if (!isSameOrigin(request)) {
            throw ApiProblem.forbidden("the request comes from another site");
        }
    }

    static boolean isSameOrigin(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return false;
        }
        String origin = request.getHeader("Origin");
        if ("same-origin".equals(site) && "null".equals(origin)) {
            // Pages send no referrer (Referrer-Policy: no-referrer), so browsers also hide the origin of their forms.
            return true;
        }
        return origin == null || origin.equals("https://" + host(request));
    }

    /** The host as the client knows it. */
    static String host(HttpServerRequest request) {
        return request.authority() == null ? "" : request.authority().toString();
    }

    /** Source address for rate limits: for IPv6 the network, because a client owns all of its addresses. */
    static String address(HttpServerRequest request) {
        return request.remoteAddress() == null
                ? ""
                : network(String.valueOf(request.remoteAddress().hostAddress()));
    }

    static String network(String address) {
        String bare = address.split("%", 2)[0];
        if (bare.indexOf(':') < 0) {
            return bare;
        }
        byte[] bytes = InetAddress.ofLiteral(bare).getAddress();
        return bytes.length == 4 ? bare : HexFormat.of().formatHex(bytes, 0, 8);
    }
}
