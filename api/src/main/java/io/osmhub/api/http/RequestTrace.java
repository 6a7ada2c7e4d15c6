package io.osmhub.api.http;

/** Trace context of one request. Called on any thread; must not block. */
public interface RequestTrace {
    /** No tracing. */
    RequestTrace NONE = new RequestTrace() {
        @Override
        public String traceId() {
            return "";
        }

        @Override
        public String spanId() {
            return "";
        }
    };

    /** 32 hexadecimal digits, the caller's if it sent one; empty without tracing. */
    String traceId();

    /** 16 hexadecimal digits; empty without tracing. */
    String spanId();
}
