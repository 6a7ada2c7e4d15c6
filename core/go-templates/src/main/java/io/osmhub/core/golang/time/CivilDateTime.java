package io.osmhub.core.golang.time;

/**
 * A calendar date and time of day, without a zone.
 *
 * <p>Seconds have Go's range: an unsigned 64-bit number since a March 1st some 292 billion years ago. It wraps as in Go, so that
 * even invalid values print the same.
 */
record CivilDateTime(long year, int month, int day, int secondOfDay) {
    static final long SECONDS_PER_DAY = 86_400;
    private static final long DAYS_PER_ERA = 146_097;

    /** Years from the start of the count to the year 0, in whole eras of 400 years. */
    private static final long YEARS_BEFORE = 292_277_022_400L;

    /** Seconds from the start of the count to 1970. */
    private static final long SECONDS_BEFORE_1970 =
            (YEARS_BEFORE / 400 * DAYS_PER_ERA + 306) * SECONDS_PER_DAY + GoTime.SECONDS_FROM_YEAR_1_TO_1970;

    /** The calendar date and time of seconds since 1970. */
    static CivilDateTime of(long unixSeconds) {
        long count = unixSeconds + SECONDS_BEFORE_1970;
        long days = Long.divideUnsigned(count, SECONDS_PER_DAY);
        int second = (int) Long.remainderUnsigned(count, SECONDS_PER_DAY);
        // Years start in March here, so that a leap day is the last day of a year.
        int dayOfEra = (int) (days % DAYS_PER_ERA);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int marchMonth = (5 * dayOfYear + 2) / 153;
        int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        int day = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
        long year = days / DAYS_PER_ERA * 400 + yearOfEra - YEARS_BEFORE + (month <= 2 ? 1 : 0);
        return new CivilDateTime(year, month, day, second);
    }

    /** Seconds since 1970 of a midnight; the month is 1 to 12, the day may be any number. */
    static long midnight(long year, int month, long day) {
        long marchYear = year + YEARS_BEFORE - (month <= 2 ? 1 : 0);
        long era = Long.divideUnsigned(marchYear, 400);
        int yearOfEra = (int) Long.remainderUnsigned(marchYear, 400);
        int marchMonth = month <= 2 ? month + 9 : month - 3;
        long days = era * DAYS_PER_ERA
                + 365L * yearOfEra
                + yearOfEra / 4
                - yearOfEra / 100
                + (153L * marchMonth + 2) / 5
                + day
                - 1;
        return days * SECONDS_PER_DAY - SECONDS_BEFORE_1970;
    }

    static boolean isLeap(long year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /** Days of the months before this one (1 to 13), in a common year. */
    static int daysBefore(int month) {
        return month <= 2 ? 31 * (month - 1) : 59 + (153 * (month - 3) + 2) / 5;
    }

    static int daysIn(int month, long year) {
        return month == 2 && isLeap(year) ? 29 : daysBefore(month + 1) - daysBefore(month);
    }

    int hour() {
        return secondOfDay / 3600;
    }

    int minute() {
        return secondOfDay / 60 % 60;
    }

    int second() {
        return secondOfDay % 60;
    }

    int dayOfYear() {
        return daysBefore(month) + day + (month > 2 && isLeap(year) ? 1 : 0);
    }

    /** 0 is Sunday. */
    static int weekday(long unixSeconds) {
        long days = Long.divideUnsigned(unixSeconds + SECONDS_BEFORE_1970, SECONDS_PER_DAY);
        // The first day of an era is a Wednesday.
        return (int) ((days + 3) % 7);
    }
}
