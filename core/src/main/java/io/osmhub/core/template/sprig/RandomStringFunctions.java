package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;
import java.util.UUID;

/** Random texts. A profile that prints one renders differently each time. */
public final class RandomStringFunctions {
    private static final String DIGITS = "0123456789";
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String PRINTABLE = printable();

    private RandomStringFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        String ofCount = "func(int) string";
        registry.add("randAlpha", ofCount, (env, args) -> pick(env, args, LETTERS));
        registry.add("randNumeric", ofCount, (env, args) -> pick(env, args, DIGITS));
        registry.add("randAlphaNum", ofCount, (env, args) -> pick(env, args, LETTERS + DIGITS));
        registry.add("randAscii", ofCount, (env, args) -> pick(env, args, PRINTABLE));
        registry.add("randBytes", "func(int) (string, error)", RandomStringFunctions::bytes);
        registry.add("uuidv4", "func() string", (env, args) -> uuid(env));
    }

    private static String printable() {
        StringBuilder text = new StringBuilder();
        for (char c = ' '; c <= '~'; c++) {
            text.append(c);
        }
        return text.toString();
    }

    /** The requested number of characters, none for a negative number. */
    private static GoValue pick(ExecutionEnvironment environment, List<GoValue> arguments, String alphabet) {
        long count = Math.max(0, ((GoInt) arguments.getFirst()).value());
        environment.charge(count, count);
        StringBuilder text = new StringBuilder((int) count);
        for (int i = 0; i < count; i++) {
            text.append(alphabet.charAt(environment.random().nextInt(alphabet.length())));
        }
        return GoString.ofBytes(text.toString());
    }

    private static GoValue bytes(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        long count = ((GoInt) arguments.getFirst()).value();
        if (count < 0) {
            throw new GoCallException("runtime error: makeslice: len out of range");
        }
        environment.charge(count, count);
        environment.charge(0, count);
        byte[] bytes = new byte[(int) count];
        environment.random().nextBytes(bytes);
        return ByteStrings.encodeBase64(bytes);
    }

    private static GoValue uuid(ExecutionEnvironment environment) {
        environment.charge(16, 36);
        // Version 4 and variant 1 of RFC 9562; all other bits are random.
        long high = environment.random().nextLong() & 0xffff_ffff_ffff_0fffL | 0x4000L;
        long low = environment.random().nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return GoString.ofBytes(new UUID(high, low).toString());
    }
}
