package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Value;

/**
 * A value that names are looked up in: the context of a file, or what {@code with} and {@code each} put in its place. Told apart
 * from a value that a path goes on into, because a name that is missing in a scope is looked for further out, while one that is
 * missing at the end of a path is not.
 */
record Scope(Value value) {}
