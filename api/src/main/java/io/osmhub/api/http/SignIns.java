package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.Sessions;
import io.osmhub.api.access.Strangers;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds out who sent a request. A bearer token comes before a session. */
final class SignIns {
    static final String CSRF = "X-OSMHub-CSRF";
    private static final String BEARER = "bearer ";
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final Strangers strangers;
    private final Sessions sessions;

    SignIns(Strangers strangers, Sessions sessions) {
        this.strangers = strangers;
        this.sessions = sessions;
    }

    /**
     * Who sent it; empty when nobody is signed in, whatever the cause. Waits.
     *
     * @throws ApiProblem when the management cluster does not answer, when too many sign-ins failed, or when a request that changes
     *     something came with a session but not from the console
     */
    Optional<Caller> caller(HttpServerRequest request) throws ApiProblem {
        List<String> authorization = request.headers().getAll("Authorization");
        if (!authorization.isEmpty()) {
            Optional<Sensitive> token = bearer(authorization);
            return token.isEmpty() ? Optional.empty() : strangers.caller(token.get(), address(request));
        }
        Optional<String> session = session(request);
        if (session.isEmpty()) {
            return Optional.empty();
        }
        Optional<Caller> caller = sessions.caller(session.get());
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

    /** Value of the session cookie; absent when it is sent twice, because then one of them is not ours. */
    static Optional<String> session(HttpServerRequest request) {
        String found = null;
        for (String header : request.headers().getAll("Cookie")) {
            for (String cookie : header.split(";", -1)) {
                int equals = cookie.indexOf('=');
                if (equals > 0 && cookie.substring(0, equals).strip().equals(Sessions.COOKIE)) {
                    if (found != null) {
                        return Optional.empty();
                    }
                    found = cookie.substring(equals + 1).strip();
                }
            }
        }
        return Optional.ofNullable(found);
    }

    /** A browser sends the cookie with what other sites make it send, too; but they cannot set a header or another origin. */
    private static void requireConsole(HttpServerRequest request) throws ApiProblem {
        String header = request.getHeader(CSRF);
        if ((header == null || header.isBlank()) && !ownForm(request)) {
            throw ApiProblem.forbidden("a request with a session that changes something needs the header " + CSRF);
        }
        if (!sameOrigin(request)) {
            throw ApiProblem.forbidden("the request comes from another site");
        }
    }

    /** Forms of pages cannot set headers; their origin is checked instead. */
    private static boolean ownForm(HttpServerRequest request) {
        String type = request.getHeader("Content-Type");
        return type != null
                && type.startsWith("application/x-www-form-urlencoded")
                && request.getHeader("Origin") != null;
    }

    static boolean sameOrigin(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return false;
        }
        String origin = request.getHeader("Origin");
        if ("same-origin".equals(site) && "null".equals(origin)) {
            // Our pages tell nobody where they are (Referrer-Policy: no-referrer); browsers then hide the origin of
            // their forms, too.
            return true;
        }
        return origin == null || origin.equals("https://" + host(request));
    }

    /** As the client knows it. */
    static String host(HttpServerRequest request) {
        return request.authority() == null ? "" : request.authority().toString();
    }

    /** Where a request comes from, for counting: of an IPv6 address its network, of which a client has all addresses. */
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
