package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Status and headers of a response whose body is still being received. */
final class StreamedResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody> {
    private final HttpRequest request;
    private final int code;
    private final String message;
    private final AsyncBody body;

    StreamedResponse(HttpRequest request, int code, String message, Map<String, List<String>> headers, AsyncBody body) {
        super(headers);
        this.request = request;
        this.code = code;
        this.message = message;
        this.body = body;
    }

    @Override
    public int code() {
        return code;
    }

    @Override
    public String message() {
        return message;
    }

    @Override
    public AsyncBody body() {
        return body;
    }

    @Override
    public HttpRequest request() {
        return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
        return Optional.empty();
    }
}
