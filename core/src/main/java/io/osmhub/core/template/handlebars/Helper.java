package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Value;

/**
 * A helper that makes a value of its arguments. Used as a block, it gets the block's text as its last argument.
 *
 * @param signature how it is called, without its name
 * @param fewest arguments it wants
 * @param most arguments it takes, {@link #ANY} for any number
 * @param example a template; {@code result} is what it prints
 */
record Helper(
        String name,
        String signature,
        int fewest,
        int most,
        String description,
        String example,
        String result,
        Code code) {
    static final int ANY = Integer.MAX_VALUE;

    /** What the helper does. */
    @FunctionalInterface
    interface Code {
        Value call(Arguments arguments) throws CallFailure;
    }
}
