package io.osmhub.core.golang.time;

import java.util.List;

/** English names of months and days, as Go has them. */
final class CalendarNames {
    static final List<String> MONTHS = List.of(
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December");
    static final List<String> SHORT_MONTHS = shorten(MONTHS);
    static final List<String> DAYS =
            List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
    static final List<String> SHORT_DAYS = shorten(DAYS);

    private CalendarNames() {}

    private static List<String> shorten(List<String> names) {
        return names.stream().map(name -> name.substring(0, 3)).toList();
    }
}
