package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;

/**
 * A helper that computes a value from its arguments. As a block, it gets the block's text as its last argument.
 *
 * @param signature its arguments
 * @param fewest minimum number of arguments
 * @param most maximum number of arguments, {@link #ANY} for any
 * @param example a template; {@code result} is its output
 */
record HelperDefinition(
        String name,
        String signature,
        int fewest,
        int most,
        String description,
        String example,
        String result,
        Code code) {
    static final int ANY = Integer.MAX_VALUE;

    @FunctionalInterface
    interface Code {
        GoValue call(HelperArguments arguments) throws GoCallException;
    }
}
