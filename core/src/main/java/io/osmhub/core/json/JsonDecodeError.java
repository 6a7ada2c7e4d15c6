package io.osmhub.core.json;

/**
 * Why JSON cannot be decoded.
 *
 * @param field path below the decoded object; empty for the object
 * @param what the message of Go's decoder
 * @param cure how to fix it; empty if {@code what} implies it
 * @param unknownField whether the only mistake is an unknown field, which a lenient reader ignores
 */
public record JsonDecodeError(String field, String what, String cure, boolean unknownField) {}
