package io.osmhub.api.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Standard response headers. */
public final class ResponseHeaders {
    static final String REQUEST_ID = "X-Request-Id";
    /** The Content-Security-Policy of all pages: only our own scripts, styles and images, none inline. */
    public static final String PAGE_POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'";

    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._-]{8,64}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ID_BYTES = 6;

    private ResponseHeaders() {}

    /** The client's request id if it is safe to log; else a new one. */
    static String requestId(HttpServerRequest request) {
        String given = request.getHeader(REQUEST_ID);
        if (given != null && WELL_FORMED.matcher(given).matches()) {
            return given;
        }
        byte[] bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Restricts what browsers may do with a response. */
    static void setSecurityHeaders(MultiMap headers, String requestId) {
        headers.set(REQUEST_ID, requestId);
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", PAGE_POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
    }
}
