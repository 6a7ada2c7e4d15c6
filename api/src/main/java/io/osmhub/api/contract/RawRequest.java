package io.osmhub.api.contract;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An unvalidated request.
 *
 * @param path raw path parameters by name
 * @param query raw, without the question mark
 * @param headers all values of a header
 * @param body empty if there is none
 */
public record RawRequest(Map<String, String> path, String query, Function<String, List<String>> headers, byte[] body) {}
