package io.osmhub.core.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves a YAML scalar without quotes under YAML 1.1, as readers of Kubernetes manifests do. */
final class PlainScalarResolver {
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE =
            Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
    private static final Set<String> FALSE =
            Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");

    private PlainScalarResolver() {}

    static DocumentNode resolve(String text, SourcePosition at) {
        if (NULLS.contains(text)) {
            return new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", at);
        }
        if (TRUE.contains(text)) {
            return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, "true", at);
        }
        if (FALSE.contains(text)) {
            return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, "false", at);
        }
        BigInteger integer = integer(text);
        if (integer != null) {
            return new DocumentNode.Scalar(DocumentNode.Kind.INTEGER, integer.toString(), at);
        }
        String decimal = decimal(text);
        return decimal != null
                ? new DocumentNode.Scalar(DocumentNode.Kind.DECIMAL, decimal, at)
                : new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
    }

    private static @Nullable BigInteger integer(String text) {
        String digits = text.replace("_", "");
        boolean negative = digits.startsWith("-");
        if (negative || digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        int radix = 10;
        if (digits.startsWith("0x") || digits.startsWith("0b") || digits.startsWith("0o")) {
            radix = digits.charAt(1) == 'x' ? 16 : digits.charAt(1) == 'b' ? 2 : 8;
            digits = digits.substring(2);
        } else if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = 8;
        }
        if (digits.isEmpty() || digits.length() > 64) {
            return null;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (Character.digit(digits.charAt(i), radix) < 0 || digits.charAt(i) >= 0x80) {
                return null;
            }
        }
        BigInteger value = new BigInteger(digits, radix);
        return negative ? value.negate() : value;
    }

    private static @Nullable String decimal(String text) {
        int digits = 0;
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean exponentSign = (c == '+' || c == '-') && (i == 0 || "eE".indexOf(text.charAt(i - 1)) >= 0);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (c == '.') {
                points++;
            } else if (!exponentSign && !((c == 'e' || c == 'E') && digits > 0 && i + 1 < text.length())) {
                return null;
            }
        }
        if (digits == 0 || points > 1) {
            return null;
        }
        try {
            return new BigDecimal(text).toString();
        } catch (NumberFormatException e) {
            // For example two exponents: then it is a string.
            return null;
        }
    }
}
