package io.osmhub.core.golang.wellknown;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.text.GoPrint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WellKnownTypesTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.10,10.0.0.10",
        "fd00::a,fd00::a",
        "FD00:0:0:0:0:0:0:A,fd00::a",
        "2001:db8:0:0:1:0:0:1,2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1,2001:db8:0:1:1:1:1:1",
        "::,::",
        "::1,::1",
        "1::,1::",
        "::ffff:1.2.3.4,1.2.3.4",
        "64:ff9b::1.2.3.4,64:ff9b::102:304"
    })
    void writesAddressesShort(String text, String shown) {
        assertThat(GoIp.text(GoIp.parse(text))).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "01.2.3.4",
                "1.2.3.256",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "::1%eth0",
                ":1",
                "12345::",
                "1:2:3:4:5:6:7::8",
                "::1.2.3.4:5",
                "1.2.3.4::"
            })
    void hasNoAddressForOtherTexts(String text) {
        assertThat(GoIp.parse(text).isNil()).isTrue();
    }

    @Test
    void printsAddressesInListsAsText() {
        List<GoValue> ips = List.of(GoIp.parseAll(List.of("10.0.0.10", "fd00::a")));

        assertThat(GoPrint.sprint(ExecutionEnvironment.UNLIMITED, ips)).isEqualTo("[10.0.0.10 fd00::a]");
        assertThat(GoPrint.sprint(ExecutionEnvironment.UNLIMITED, List.of(GoIp.parse("bad"))))
                .isEqualTo("<nil>");
    }

    @Test
    void printsAPointerToADurationWrapperByItsGeneratedText() {
        GoValue wrapper = WellKnownTypes.metaDuration(5_400_000_000_000L);

        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, GoPointer.to(wrapper)))
                .isEqualTo("&Duration{Duration:1h30m0s,}");
        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, GoPointer.nil(WellKnownTypes.META_DURATION)))
                .isEqualTo("nil");
        assertThat(GoPrint.display(ExecutionEnvironment.UNLIMITED, wrapper)).isEqualTo("{1h30m0s}");
    }
}
