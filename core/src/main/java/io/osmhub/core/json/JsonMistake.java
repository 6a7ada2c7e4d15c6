package io.osmhub.core.json;

/**
 * Why JSON does not fit.
 *
 * @param field path below the decoded object; empty when it is the whole
 * @param what in the words of Go's decoder
 * @param cure how to mend it; empty when {@code what} says it
 * @param unknownField whether the only mistake is a field that nobody knows, which a lenient reader skips
 */
public record JsonMistake(String field, String what, String cure, boolean unknownField) {}
