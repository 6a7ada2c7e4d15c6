package io.osmhub.api.contract;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A request before it is held against the contract.
 *
 * @param path parts of the path by name, still escaped
 * @param query as it was sent, without the question mark
 * @param headers all values of a header
 * @param body empty without one
 */
public record RequestFacts(
        Map<String, String> path, String query, Function<String, List<String>> headers, byte[] body) {}
