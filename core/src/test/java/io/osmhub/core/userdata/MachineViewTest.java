package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineViewTest {
    @Test
    void putsTheMachinesNameForBothPlaceholders() {
        assertThat(MachineView.of(
                        "hostname: <MACHINE_NAME>\ndata:,%3CMACHINE_NAME%3E \\u003cMACHINE_NAME\\u003e", "a b~1"))
                .isEqualTo("hostname: a b~1\ndata:,a+b~1 \\u003cMACHINE_NAME\\u003e");
    }

    @Test
    void emptiesLinesOfBlanksOnly() {
        assertThat(MachineView.of("a\n    \n \t\nb  \n\n  ", "m")).isEqualTo("a\n\n\nb  \n\n");
    }
}
