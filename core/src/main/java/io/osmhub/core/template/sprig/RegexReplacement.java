package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;

/** Expands a replacement such as {@code $1 ${name}} with the groups of a match. */
final class RegexReplacement {
    private static final int MAX_NUMBER_LENGTH = 8;

    private RegexReplacement() {}

    static void expand(
            ExecutionEnvironment environment,
            String template,
            GoRegex regex,
            GoRegex.Match match,
            String subject,
            StringBuilder result) {
        int position = 0;
        while (position < template.length()) {
            int dollar = template.indexOf('$', position);
            if (dollar < 0) {
                break;
            }
            result.append(template, position, dollar);
            position = dollar + 1;
            if (template.startsWith("$", position)) {
                result.append('$');
                position++;
                continue;
            }
            boolean brace = template.startsWith("{", position);
            int start = position + (brace ? 1 : 0);
            int end = nameEnd(template, start);
            if (end == start || (brace && !template.startsWith("}", end))) {
                result.append('$');
                continue;
            }
            position = brace ? end + 1 : end;
            String name = template.substring(start, end);
            int group = isNumber(name) ? Integer.parseInt(name) : regex.groupNamed(name, match);
            int[] bounds = match.bounds();
            if (group >= 0 && 2 * group < bounds.length && bounds[2 * group] >= 0) {
                SprigArguments.chargeText(environment, bounds[2 * group + 1] - bounds[2 * group]);
                result.append(subject, bounds[2 * group], bounds[2 * group + 1]);
            }
        }
        result.append(template, position, template.length());
    }

    /** Names are as long as possible: {@code $1x} is the group named {@code 1x}. */
    private static int nameEnd(String template, int start) {
        int end = start;
        while (end < template.length()) {
            int rune = Runes.at(template, end);
            if (!Character.isLetterOrDigit(rune) && rune != '_') {
                break;
            }
            end += Runes.sizeAt(template, end);
        }
        return end;
    }

    private static boolean isNumber(String name) {
        return name.length() <= MAX_NUMBER_LENGTH
                && (name.length() == 1 || name.charAt(0) != '0')
                && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
