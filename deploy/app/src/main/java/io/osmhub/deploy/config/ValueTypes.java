package io.osmhub.deploy.config;

import static io.osmhub.core.document.DocumentNode.Kind.BOOL;
import static io.osmhub.core.document.DocumentNode.Kind.DECIMAL;
import static io.osmhub.core.document.DocumentNode.Kind.INTEGER;
import static io.osmhub.core.document.DocumentNode.Kind.TEXT;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.deploy.config.ValueType.ParsedValue;
import io.osmhub.deploy.config.ValueType.ScalarValue;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The value types of the configuration keys. Errors quote the value and suggest a valid one. */
final class ValueTypes {
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern OBJECT_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern DAYS = Pattern.compile("[0-9]{1,5}d");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(Ki|Mi|Gi)?");
    private static final List<String> UNITS = List.of("Ki", "Mi", "Gi");

    private ValueTypes() {}

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    static String writeText(String text) {
        boolean plain = text.matches("[A-Za-z0-9/][A-Za-z0-9./_-]*")
                && !Set.of("true", "false", "null").contains(text.toLowerCase(Locale.ROOT))
                && !text.matches("[0-9.eE_+-]+|0[xo].*");
        return plain ? text : quoted(text.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    /** Any string without control characters. */
    static ScalarValue<String> text(String values) {
        return new ScalarValue<>(
                "text",
                values,
                Set.of(TEXT),
                text -> text.chars().anyMatch(Character::isISOControl)
                        ? ParsedValue.wrong("has a line break or another control character", "remove it")
                        : ParsedValue.of(text),
                ValueTypes::writeText);
    }

    static ScalarValue<String> namespace() {
        return named("a namespace", NAMESPACE, false);
    }

    static ScalarValue<String> objectName() {
        return named("a name", OBJECT_NAME, false);
    }

    static ScalarValue<String> objectNameOrEmpty() {
        return named("a name", OBJECT_NAME, true);
    }

    private static ScalarValue<String> named(String what, Pattern form, boolean mayBeEmpty) {
        return new ScalarValue<>(
                "text",
                (mayBeEmpty ? "empty, or " : "") + what + " in Kubernetes syntax",
                Set.of(TEXT),
                text -> form.matcher(text).matches() || (mayBeEmpty && text.isEmpty())
                        ? ParsedValue.of(text)
                        : ParsedValue.wrong(
                                quoted(text) + " is not " + what, "use lower-case letters, digits and hyphens"),
                ValueTypes::writeText);
    }

    static ScalarValue<Boolean> bool() {
        return new ScalarValue<>(
                "boolean",
                "true or false",
                Set.of(BOOL),
                text -> text.equals("true") || text.equals("false")
                        ? ParsedValue.of(text.equals("true"))
                        : ParsedValue.wrong(quoted(text) + " is not true or false", "write true or false"),
                String::valueOf);
    }

    static ScalarValue<Integer> integer(int least, int most) {
        String range = least + " to " + most;
        return new ScalarValue<>(
                "whole number",
                range,
                Set.of(INTEGER),
                text -> {
                    BigDecimal number = number(text);
                    if (number == null || text.indexOf('.') >= 0) {
                        return ParsedValue.wrong(quoted(text) + " is not a whole number", "use " + range);
                    }
                    return number.compareTo(BigDecimal.valueOf(least)) < 0
                                    || number.compareTo(BigDecimal.valueOf(most)) > 0
                            ? ParsedValue.wrong(text + " is out of range", "use " + range)
                            : ParsedValue.of(number.intValueExact());
                },
                String::valueOf);
    }

    static ScalarValue<Double> decimal(String least, String most) {
        String range = least + " to " + most;
        return new ScalarValue<>(
                "number",
                range,
                Set.of(INTEGER, DECIMAL),
                text -> {
                    BigDecimal number = number(text);
                    if (number == null) {
                        return ParsedValue.wrong(quoted(text) + " is not a number", "use " + range);
                    }
                    return number.compareTo(new BigDecimal(least)) < 0 || number.compareTo(new BigDecimal(most)) > 0
                            ? ParsedValue.wrong(text + " is out of range", "use " + range)
                            : ParsedValue.of(number.doubleValue());
                },
                value -> BigDecimal.valueOf(value).toPlainString());
    }

    private static @Nullable BigDecimal number(String text) {
        return text.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?") ? new BigDecimal(text) : null;
    }

    static ScalarValue<Duration> duration(String shortest, String longest) {
        return duration(shortest, longest, "10s");
    }

    /** Also accepts days: {@code 90d}. */
    static ScalarValue<Duration> days(String shortest, String longest) {
        return duration(shortest, longest, "90d");
    }

    private static ScalarValue<Duration> duration(String shortest, String longest, String example) {
        boolean days = example.endsWith("d");
        Duration least = durationOf(shortest, days);
        Duration most = durationOf(longest, days);
        String range = shortest + " to " + longest;
        return new ScalarValue<>(
                "duration",
                range,
                Set.of(TEXT, INTEGER),
                text -> {
                    Duration value = durationOf(text, days);
                    if (value == null) {
                        String cure = text.matches("[0-9]+") ? text + example.replaceAll("[0-9]", "") : example;
                        return ParsedValue.wrong(quoted(text) + " is not a duration", "write for example " + cure);
                    }
                    boolean outside = (least != null && value.compareTo(least) < 0)
                            || (most != null && value.compareTo(most) > 0);
                    return outside
                            ? ParsedValue.wrong(
                                    text + " is not between " + shortest + " and " + longest, "use " + range)
                            : ParsedValue.of(value);
                },
                value -> days && value.toHours() % 24 == 0 && value.toHours() > 0
                        ? value.toDays() + "d"
                        : DurationFormat.format(value));
    }

    private static @Nullable Duration durationOf(String text, boolean days) {
        return days && DAYS.matcher(text).matches()
                ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
                : DurationFormat.parse(text);
    }

    static ScalarValue<Long> size(String least, String most) {
        String range = least + " to " + most;
        return new ScalarValue<>(
                "size",
                range,
                Set.of(TEXT, INTEGER),
                text -> {
                    long bytes = bytes(text);
                    if (bytes < 0) {
                        return ParsedValue.wrong(
                                quoted(text) + " is not a size", "write for example 512Ki, 4Mi or bytes");
                    }
                    return bytes < bytes(least) || bytes > bytes(most)
                            ? ParsedValue.wrong(text + " is not between " + least + " and " + most, "use " + range)
                            : ParsedValue.of(bytes);
                },
                ValueTypes::writeSize);
    }

    private static long bytes(String text) {
        var matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return -1;
        }
        int shift = matcher.group(2) == null ? 0 : 10 * (UNITS.indexOf(matcher.group(2)) + 1);
        long count = Long.parseLong(matcher.group(1));
        return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
    }

    private static String writeSize(long bytes) {
        for (int i = UNITS.size(); i > 0; i--) {
            if (bytes > 0 && bytes % (1L << (10 * i)) == 0) {
                return (bytes >> (10 * i)) + UNITS.get(i - 1);
            }
        }
        return String.valueOf(bytes);
    }

    static <T> ScalarValue<T> oneOf(List<T> values, Function<T, String> word) {
        List<String> words = values.stream().map(word).toList();
        return new ScalarValue<>(
                "word",
                String.join(", ", words),
                Set.of(TEXT, BOOL),
                text -> {
                    int index = words.indexOf(text);
                    return index >= 0
                            ? ParsedValue.of(values.get(index))
                            : ParsedValue.wrong(
                                    quoted(text) + " is not one of " + String.join(", ", words),
                                    FindingsCollector.suggestClosest(text, words));
                },
                word);
    }

    static ScalarValue<ListenAddress> address() {
        return new ScalarValue<>(
                "address", "HOST:PORT or :PORT", Set.of(TEXT), ValueTypes::readAddress, ValueTypes::writeAddress);
    }

    /** An address, or empty for disabled. */
    static ScalarValue<Optional<ListenAddress>> addressOrOff() {
        return new ScalarValue<>(
                "address",
                "HOST:PORT or :PORT; empty: disabled",
                Set.of(TEXT),
                text -> {
                    if (text.isEmpty()) {
                        return ParsedValue.of(Optional.empty());
                    }
                    ParsedValue<ListenAddress> reading = readAddress(text);
                    return new ParsedValue<>(Optional.ofNullable(reading.value()), reading.wrong(), reading.cure());
                },
                address -> address.map(ValueTypes::writeAddress).orElse("\"\""));
    }

    private static ParsedValue<ListenAddress> readAddress(String text) {
        ListenAddress address = ListenAddress.parse(text);
        return address == null
                ? ParsedValue.wrong(quoted(text) + " is not an address", "write :8080 or 127.0.0.1:8080")
                : ParsedValue.of(address);
    }

    private static String writeAddress(ListenAddress address) {
        return quoted(address.toString());
    }

    static ScalarValue<LabelSelector> selector() {
        return new ScalarValue<>(
                "label selector",
                "as for kubectl -l; empty: everything",
                Set.of(TEXT),
                text -> {
                    LabelSelector selector = LabelSelector.parse(text);
                    return selector == null
                            ? ParsedValue.wrong(
                                    quoted(text) + " is not a label selector", "write for example osmhub.io/tier=lab")
                            : ParsedValue.of(selector);
                },
                selector -> quoted(selector.toString()));
    }

    static ScalarValue<IpNetwork> network() {
        return new ScalarValue<>(
                "network",
                "CIDR notation, for example 10.0.0.0/8 or fe80::/10",
                Set.of(TEXT),
                text -> {
                    IpNetwork network = IpNetwork.parse(text);
                    return network == null
                            ? ParsedValue.wrong(quoted(text) + " is not a network", "write " + nearestNetwork(text))
                            : ParsedValue.of(network);
                },
                network -> writeText(network.toString()));
    }

    /** Suggests a correction: adds a missing colon or prefix, or clears host bits. */
    private static String nearestNetwork(String text) {
        IpNetwork corrected = IpNetwork.parse(text.replaceFirst("([^:]):/", "$1::/"));
        if (corrected != null) {
            return corrected.toString();
        }
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address != null) {
            boolean dotted = text.indexOf(':') < 0;
            for (int bits = slash < 0 ? 129 : 0; bits <= 128; bits++) {
                if (text.substring(slash + 1).equals(String.valueOf(bits)) && bits <= (dotted ? 32 : 128)) {
                    return new IpNetwork(address, dotted ? bits + 96 : bits).toString();
                }
            }
            return address + (dotted ? "/32" : "/128");
        }
        return "for example 10.0.0.0/8";
    }

    static ScalarValue<Optional<URI>> httpsUrlOrEmpty() {
        return new ScalarValue<>(
                "URL",
                "https; empty: none",
                Set.of(TEXT),
                text -> {
                    if (text.isEmpty()) {
                        return ParsedValue.of(Optional.empty());
                    }
                    URI url = uri(text);
                    // Do not repeat the text: it may contain a password.
                    return url == null || !"https".equals(url.getScheme()) || url.getHost() == null
                            ? ParsedValue.wrong("is not an https URL", "write for example https://hub.example.org:9443")
                            : url.getUserInfo() != null || url.getQuery() != null || url.getFragment() != null
                                    ? ParsedValue.wrong("has a user, a query or a fragment", "remove it")
                                    : ParsedValue.of(Optional.of(url));
                },
                url -> quoted(url.map(URI::toString).orElse("")));
    }

    /** URL of a trace collector; http is common because it runs next to the hub. */
    static ScalarValue<String> collectorUrlOrEmpty() {
        return new ScalarValue<>(
                "URL",
                "http or https; empty: the environment's",
                Set.of(TEXT),
                text -> {
                    URI url = uri(text);
                    boolean right = url != null
                            && url.getHost() != null
                            && List.of("http", "https").contains(String.valueOf(url.getScheme()))
                            && url.getUserInfo() == null;
                    return text.isEmpty() || right
                            ? ParsedValue.of(text)
                            : ParsedValue.wrong(
                                    "is not an http or https URL without a user",
                                    "write for example http://localhost:4317");
                },
                ValueTypes::writeText);
    }

    private static @Nullable URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
