package io.osmhub.api.http;

/** One request as its trace has it. Called on any thread; must not wait. */
public interface RequestTrace {
    /** Nobody follows. */
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

    /** 32 hexadecimal digits, the caller's where there is one; empty when nobody follows. */
    String traceId();

    /** 16 hexadecimal digits; empty when nobody follows. */
    String spanId();
}
