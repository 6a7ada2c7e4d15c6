package io.osmhub.core.template.sprig;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unicode classes such as {@code \p{Letter}} under all names that Go accepts: in any case, with blanks, hyphens and underscores
 * anywhere, long or short. The Java library supports only the exact short names.
 */
final class RegexClassNames {
    private static final Map<String, String> SHORT_NAMES = shortNames(
            "C Other, Cc Control, Cc cntrl, Cf Format, Co Private_Use, Cs Surrogate, Cn Unassigned, L Letter,"
                    + " Lc Cased_Letter, Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter,"
                    + " Lu Uppercase_Letter, M Mark, M Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark,"
                    + " Mn Nonspacing_Mark, N Number, Nd Decimal_Number, Nd digit, Nl Letter_Number, No Other_Number,"
                    + " P Punctuation, P punct, Pc Connector_Punctuation, Pd Dash_Punctuation, Pe Close_Punctuation,"
                    + " Pf Final_Punctuation, Pi Initial_Punctuation, Po Other_Punctuation, Ps Open_Punctuation,"
                    + " S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol,"
                    + " Z Separator, Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator");

    private static final String CASED = "\\p{Lu}\\p{Ll}\\p{Lt}";
    private static final String ASSIGNED = "\\pL\\pM\\pN\\pP\\pS\\pZ\\pC";

    private RegexClassNames() {}

    private static Map<String, String> shortNames(String pairs) {
        Map<String, String> names = new HashMap<>();
        for (String pair : pairs.split(", ?")) {
            int blank = pair.indexOf(' ');
            names.put(canonical(pair.substring(blank + 1)), pair.substring(0, blank));
        }
        return Map.copyOf(names);
    }

    /**
     * The escape for the library; null if it can stay, or if it is unknown.
     *
     * @param escape for example {@code \p{Letter}}, {@code \P{^greek}} or {@code \pl}
     * @param bracketed whether it is inside brackets
     */
    static @Nullable String rewritten(String escape, boolean bracketed) {
        boolean braces = escape.endsWith("}");
        String name = escape.substring(braces ? 3 : 2, escape.length() - (braces ? 1 : 0));
        boolean negative = escape.charAt(1) == 'P';
        if (name.startsWith("^") && braces) {
            negative = !negative;
            name = name.substring(1);
        }
        String canonical = canonical(name);
        String known = SHORT_NAMES.getOrDefault(canonical, canonical);
        return switch (known) {
            case "Ascii" -> ranges(negative ? "\\x{80}-\\x{10FFFF}" : "\\x00-\\x7F", false, bracketed);
            case "Lc" -> ranges(CASED, negative, bracketed);
            case "Assigned" -> ranges(ASSIGNED, negative, bracketed);
            case "Cn" -> ranges(ASSIGNED, !negative, bracketed);
            default -> known.equals(name) || !isKnown(known) ? null : (negative ? "\\P{" : "\\p{") + known + "}";
        };
    }

    private static @Nullable String ranges(String ranges, boolean negative, boolean bracketed) {
        if (bracketed) {
            return negative ? null : ranges;
        }
        return (negative ? "[^" : "[") + ranges + "]";
    }

    private static String canonical(String name) {
        String word = name.replaceAll("[_ -]", "");
        return word.isEmpty()
                ? word
                : word.substring(0, 1).toUpperCase(Locale.ROOT)
                        + word.substring(1).toLowerCase(Locale.ROOT);
    }

    private static boolean isKnown(String name) {
        try {
            Pattern.compile("\\p{" + name + "}");
            return true;
        } catch (PatternSyntaxException unknown) {
            return false;
        }
    }
}
