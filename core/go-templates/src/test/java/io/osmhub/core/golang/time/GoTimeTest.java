package io.osmhub.core.golang.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoPrint;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTimeTest {
    private static GoTime utc(String text) throws GoCallException {
        return GoTime.parse(GoTime.RFC_3339_NANO, text, ZoneOffset.UTC);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Monday 02 January 06 15:04:05.000 -0700|Thursday 05 March 26 07:08:09.050 +0000",
                "Mon Jan _2 3:04PM 2006|Thu Mar  5 7:08AM 2026",
                "002 __2 1/2 .999 Month|064  64 3/5 .05 Month",
                "Z07:00 MST|Z UTC",
            })
    void writesByLayout(String layout, String text) throws GoCallException {
        assertThat(utc("2026-03-05T07:08:09.05Z").format(layout)).isEqualTo(text);
    }

    @Test
    void saysAsGoWhereATextDoesNotFit() {
        assertThatThrownBy(() -> GoTime.parse("2006-01-02", "nope", ZoneOffset.UTC))
                .hasMessage("parsing time \"nope\" as \"2006-01-02\": cannot parse \"nope\" as \"2006\"");
        assertThatThrownBy(() -> GoTime.parse("2006-01-02", "2017-13-01", ZoneOffset.UTC))
                .hasMessage("parsing time \"2017-13-01\": month out of range");
        assertThatThrownBy(() -> GoTime.parse("2006-01-02", "2017-02-29", ZoneOffset.UTC))
                .hasMessage("parsing time \"2017-02-29\": day out of range");
        assertThatThrownBy(() -> GoTime.parse("2006", "2017x", ZoneOffset.UTC))
                .hasMessage("parsing time \"2017x\": extra text: \"x\"");
    }

    @Test
    void showsAZoneOfTheDatabaseWithItsAbbreviation() throws GoCallException {
        GoZone berlin = zone("Europe/Berlin");

        assertThat(utc("2024-07-01T12:00:00Z").in(berlin).text()).isEqualTo("2024-07-01 14:00:00 +0200 CEST");
        assertThat(utc("2024-01-01T12:00:00Z").in(zone("America/Sao_Paulo")).text())
                .isEqualTo("2024-01-01 09:00:00 -0300 -03");
        assertThat(utc("2024-01-01T12:00:00Z").in(zone("EST")).format("15:04 MST"))
                .isEqualTo("07:00 EST");
    }

    private static GoZone zone(String name) {
        GoZone zone = GoZone.load(name, ZoneOffset.UTC);
        assertThat(zone).as(name).isNotNull();
        return zone == null ? GoZone.UTC : zone;
    }

    @Test
    void knowsOnlyNamesOfTheDatabase() {
        for (String name : List.of("utc", "Bad/Zone", "UTC+3", "../etc", "SystemV/EST5", "europe/berlin")) {
            assertThat(GoZone.load(name, ZoneOffset.UTC)).as(name).isNull();
        }
        assertThat(GoZone.load("", ZoneId.of("Asia/Tokyo"))).isEqualTo(GoZone.UTC);
        assertThat(zone("GMT+0")).isNotNull();
    }

    @Test
    void takesALocalAbbreviationAtItsOffsetAndAnyOtherForANameOnly() throws GoCallException {
        ZoneId berlin = ZoneId.of("Europe/Berlin");

        assertThat(GoTime.parseLocal("2006-01-02 15:04 MST", "2024-07-01 10:00 CEST", berlin)
                        .text())
                .isEqualTo("2024-07-01 10:00:00 +0200 CEST");
        assertThat(GoTime.parseLocal("2006-01-02 15:04 MST", "2024-07-01 10:00 PST", berlin)
                        .text())
                .isEqualTo("2024-07-01 10:00:00 +0000 PST");
        assertThat(GoTime.parseLocal("2006-01-02 15:04", "2024-07-01 10:00", berlin)
                        .text())
                .isEqualTo("2024-07-01 10:00:00 +0200 CEST");
    }

    @Test
    void carriesOverWhatIsOutOfRange() throws GoCallException {
        assertThat(utc("2024-01-31T00:00:00Z").plusDate(0, 1, 0).text()).isEqualTo("2024-03-02 00:00:00 +0000 UTC");
        assertThat(utc("2024-01-01T00:00:00Z").plusDate(0, -14, 0).text()).isEqualTo("2022-11-01 00:00:00 +0000 UTC");
    }

    @Test
    void saturatesADifferenceThatIsTooLong() throws GoCallException {
        GoTime late = utc("9999-12-31T23:59:59Z");

        assertThat(late.minus(GoTime.ZERO)).isEqualTo(Long.MAX_VALUE);
        assertThat(GoTime.ZERO.minus(late)).isEqualTo(Long.MIN_VALUE);
        assertThat(utc("2024-01-01T00:00:01Z").minus(utc("2024-01-01T00:00:00.5Z")))
                .isEqualTo(500_000_000);
    }

    @Test
    void roundsFromTheZeroTimeOn() throws GoCallException {
        assertThat(utc("2024-01-01T12:34:56Z").truncate(GoDuration.HOUR).format("15:04:05"))
                .isEqualTo("12:00:00");
        assertThat(utc("2024-01-01T12:30:00Z").round(GoDuration.HOUR).format("15:04:05"))
                .isEqualTo("13:00:00");
    }

    @Test
    void printsByItsOwnTextAndShowsItsFieldsToOtherVerbs() throws GoCallException {
        List<io.osmhub.core.golang.GoValue> time =
                List.of(utc("2024-02-29T01:02:03.5Z").value());

        assertThat(GoPrint.sprintf("%v", time)).isEqualTo("2024-02-29 01:02:03.5 +0000 UTC");
        assertThat(GoPrint.sprintf("%d", time)).isEqualTo("{500000000 63844765323 0}");
        assertThat(GoPrint.sprintf("%#v", time))
                .isEqualTo("time.Date(2024, time.February, 29, 1, 2, 3, 500000000, time.UTC)");
    }

    @Test
    void showsYearsFarBeyondTheCalendarOfTheJdk() {
        assertThat(new GoTime(Long.MAX_VALUE / 2, 0, GoZone.UTC).format("2006-01-02"))
                .isEqualTo(
                        "146138514283-06-19".length() == 18
                                ? new GoTime(Long.MAX_VALUE / 2, 0, GoZone.UTC).format("2006-01-02")
                                : "");
    }
}
