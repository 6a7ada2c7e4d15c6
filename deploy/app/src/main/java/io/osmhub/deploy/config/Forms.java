package io.osmhub.deploy.config;

import static io.osmhub.core.document.Node.Kind.BOOL;
import static io.osmhub.core.document.Node.Kind.DECIMAL;
import static io.osmhub.core.document.Node.Kind.INTEGER;
import static io.osmhub.core.document.Node.Kind.TEXT;

import io.osmhub.core.document.Mistakes;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.schema.DurationText;
import io.osmhub.deploy.config.Form.Reading;
import io.osmhub.deploy.config.Form.Scalar;
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

/** The kinds of values that keys have. What a value is not is said with the value, and with one that would do. */
final class Forms {
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern OBJECT_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern DAYS = Pattern.compile("[0-9]{1,5}d");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(Ki|Mi|Gi)?");
    private static final List<String> UNITS = List.of("Ki", "Mi", "Gi");

    private Forms() {}

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    static String writeText(String text) {
        boolean plain = text.matches("[A-Za-z0-9/][A-Za-z0-9./_-]*")
                && !Set.of("true", "false", "null").contains(text.toLowerCase(Locale.ROOT))
                && !text.matches("[0-9.eE_+-]+|0[xo].*");
        return plain ? text : quoted(text.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    /** Any text without control characters. */
    static Scalar<String> text(String values) {
        return new Scalar<>(
                "text",
                values,
                Set.of(TEXT),
                text -> text.chars().anyMatch(Character::isISOControl)
                        ? Reading.wrong("has a line break or another control character", "remove it")
                        : Reading.of(text),
                Forms::writeText);
    }

    static Scalar<String> namespace() {
        return named("a namespace", NAMESPACE, false);
    }

    static Scalar<String> objectName() {
        return named("a name", OBJECT_NAME, false);
    }

    static Scalar<String> objectNameOrEmpty() {
        return named("a name", OBJECT_NAME, true);
    }

    private static Scalar<String> named(String what, Pattern form, boolean mayBeEmpty) {
        return new Scalar<>(
                "text",
                (mayBeEmpty ? "empty, or " : "") + what + " of Kubernetes",
                Set.of(TEXT),
                text -> form.matcher(text).matches() || (mayBeEmpty && text.isEmpty())
                        ? Reading.of(text)
                        : Reading.wrong(quoted(text) + " is not " + what, "use lower-case letters, digits and hyphens"),
                Forms::writeText);
    }

    static Scalar<Boolean> bool() {
        return new Scalar<>(
                "boolean",
                "true or false",
                Set.of(BOOL),
                text -> text.equals("true") || text.equals("false")
                        ? Reading.of(text.equals("true"))
                        : Reading.wrong(quoted(text) + " is not true or false", "write true or false"),
                String::valueOf);
    }

    static Scalar<Integer> integer(int least, int most) {
        String range = least + " to " + most;
        return new Scalar<>(
                "whole number",
                range,
                Set.of(INTEGER),
                text -> {
                    BigDecimal number = number(text);
                    if (number == null || text.indexOf('.') >= 0) {
                        return Reading.wrong(quoted(text) + " is not a whole number", "use " + range);
                    }
                    return number.compareTo(BigDecimal.valueOf(least)) < 0
                                    || number.compareTo(BigDecimal.valueOf(most)) > 0
                            ? Reading.wrong(text + " is out of range", "use " + range)
                            : Reading.of(number.intValueExact());
                },
                String::valueOf);
    }

    static Scalar<Double> decimal(String least, String most) {
        String range = least + " to " + most;
        return new Scalar<>(
                "number",
                range,
                Set.of(INTEGER, DECIMAL),
                text -> {
                    BigDecimal number = number(text);
                    if (number == null) {
                        return Reading.wrong(quoted(text) + " is not a number", "use " + range);
                    }
                    return number.compareTo(new BigDecimal(least)) < 0 || number.compareTo(new BigDecimal(most)) > 0
                            ? Reading.wrong(text + " is out of range", "use " + range)
                            : Reading.of(number.doubleValue());
                },
                value -> BigDecimal.valueOf(value).toPlainString());
    }

    private static @Nullable BigDecimal number(String text) {
        return text.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?") ? new BigDecimal(text) : null;
    }

    static Scalar<Duration> duration(String shortest, String longest) {
        return duration(shortest, longest, "10s");
    }

    /** Also in days, as {@code 90d}. */
    static Scalar<Duration> days(String shortest, String longest) {
        return duration(shortest, longest, "90d");
    }

    private static Scalar<Duration> duration(String shortest, String longest, String example) {
        boolean days = example.endsWith("d");
        Duration least = durationOf(shortest, days);
        Duration most = durationOf(longest, days);
        String range = shortest + " to " + longest;
        return new Scalar<>(
                "duration",
                range,
                Set.of(TEXT, INTEGER),
                text -> {
                    Duration value = durationOf(text, days);
                    if (value == null) {
                        String cure = text.matches("[0-9]+") ? text + example.replaceAll("[0-9]", "") : example;
                        return Reading.wrong(quoted(text) + " is not a duration", "write for example " + cure);
                    }
                    boolean outside = (least != null && value.compareTo(least) < 0)
                            || (most != null && value.compareTo(most) > 0);
                    return outside
                            ? Reading.wrong(text + " is not between " + shortest + " and " + longest, "use " + range)
                            : Reading.of(value);
                },
                value -> days && value.toHours() % 24 == 0 && value.toHours() > 0
                        ? value.toDays() + "d"
                        : DurationText.text(value));
    }

    private static @Nullable Duration durationOf(String text, boolean days) {
        return days && DAYS.matcher(text).matches()
                ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
                : DurationText.parse(text);
    }

    static Scalar<Long> size(String least, String most) {
        String range = least + " to " + most;
        return new Scalar<>(
                "size",
                range,
                Set.of(TEXT, INTEGER),
                text -> {
                    long bytes = bytes(text);
                    if (bytes < 0) {
                        return Reading.wrong(quoted(text) + " is not a size", "write for example 512Ki, 4Mi or bytes");
                    }
                    return bytes < bytes(least) || bytes > bytes(most)
                            ? Reading.wrong(text + " is not between " + least + " and " + most, "use " + range)
                            : Reading.of(bytes);
                },
                Forms::writeSize);
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

    static <T> Scalar<T> oneOf(List<T> values, Function<T, String> word) {
        List<String> words = values.stream().map(word).toList();
        return new Scalar<>(
                "word",
                String.join(", ", words),
                Set.of(TEXT, BOOL),
                text -> {
                    int index = words.indexOf(text);
                    return index >= 0
                            ? Reading.of(values.get(index))
                            : Reading.wrong(
                                    quoted(text) + " is not one of " + String.join(", ", words),
                                    Mistakes.didYouMean(text, words));
                },
                word);
    }

    static Scalar<ListenAddress> address() {
        return new Scalar<>("address", "HOST:PORT or :PORT", Set.of(TEXT), Forms::readAddress, Forms::writeAddress);
    }

    /** An address, or an empty text for none. */
    static Scalar<Optional<ListenAddress>> addressOrOff() {
        return new Scalar<>(
                "address",
                "HOST:PORT or :PORT; empty: off",
                Set.of(TEXT),
                text -> {
                    if (text.isEmpty()) {
                        return Reading.of(Optional.empty());
                    }
                    Reading<ListenAddress> reading = readAddress(text);
                    return new Reading<>(Optional.ofNullable(reading.value()), reading.wrong(), reading.cure());
                },
                address -> address.map(Forms::writeAddress).orElse("\"\""));
    }

    private static Reading<ListenAddress> readAddress(String text) {
        ListenAddress address = ListenAddress.parse(text);
        return address == null
                ? Reading.wrong(quoted(text) + " is not an address", "write :8080 or 127.0.0.1:8080")
                : Reading.of(address);
    }

    private static String writeAddress(ListenAddress address) {
        return quoted(address.toString());
    }

    static Scalar<LabelSelector> selector() {
        return new Scalar<>(
                "label selector",
                "as for kubectl -l; empty: everything",
                Set.of(TEXT),
                text -> {
                    LabelSelector selector = LabelSelector.parse(text);
                    return selector == null
                            ? Reading.wrong(
                                    quoted(text) + " is not a label selector", "write for example osmhub.io/tier=lab")
                            : Reading.of(selector);
                },
                selector -> quoted(selector.toString()));
    }

    static Scalar<IpNetwork> network() {
        return new Scalar<>(
                "network",
                "CIDR notation, for example 10.0.0.0/8 or fe80::/10",
                Set.of(TEXT),
                text -> {
                    IpNetwork network = IpNetwork.parse(text);
                    return network == null
                            ? Reading.wrong(quoted(text) + " is not a network", "write " + nearestNetwork(text))
                            : Reading.of(network);
                },
                network -> writeText(network.toString()));
    }

    /** What was probably meant: one colon is missing, bits after the prefix are set, or the prefix is missing. */
    private static String nearestNetwork(String text) {
        IpNetwork mended = IpNetwork.parse(text.replaceFirst("([^:]):/", "$1::/"));
        if (mended != null) {
            return mended.toString();
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

    static Scalar<Optional<URI>> httpsUrlOrEmpty() {
        return new Scalar<>(
                "URL",
                "https; empty: none",
                Set.of(TEXT),
                text -> {
                    if (text.isEmpty()) {
                        return Reading.of(Optional.empty());
                    }
                    URI url = uri(text);
                    // The text is not repeated: it may hold a password.
                    return url == null || !"https".equals(url.getScheme()) || url.getHost() == null
                            ? Reading.wrong("is not an https URL", "write for example https://hub.example.org:9443")
                            : url.getUserInfo() != null || url.getQuery() != null || url.getFragment() != null
                                    ? Reading.wrong("has a user, a query or a fragment", "remove it")
                                    : Reading.of(Optional.of(url));
                },
                url -> quoted(url.map(URI::toString).orElse("")));
    }

    /** A collector of traces; http is common, because it runs beside the hub. */
    static Scalar<String> collectorUrlOrEmpty() {
        return new Scalar<>(
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
                            ? Reading.of(text)
                            : Reading.wrong(
                                    "is not an http or https URL without a user",
                                    "write for example http://localhost:4317");
                },
                Forms::writeText);
    }

    private static @Nullable URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
