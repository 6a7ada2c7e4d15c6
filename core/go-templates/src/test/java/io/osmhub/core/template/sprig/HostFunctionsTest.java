package io.osmhub.core.template.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostFunctionsTest {
    private final Functions functions =
            new Functions(registry -> HostFunctions.addTo(registry, HostFunctions.NO_VARIABLES));

    @Test
    void noVariableIsSet() throws GoCallException {
        assertThat(functions.text("env", GoString.of("PATH"))).isEmpty();
        assertThat(functions.text("expandenv", GoString.of("a${PATH}b$HOME"))).isEqualTo("ab");
    }

    @Test
    void expandsNamesAsTheShellDoes() throws GoCallException {
        Functions set = new Functions(registry -> HostFunctions.addTo(
                registry, name -> Map.of("A", "1", "A_b2", "2", "$", "3").getOrDefault(name, "")));

        assertThat(set.text("expandenv", GoString.of("$A ${A} $A_b2- $Ax|$$|${$}")))
                .isEqualTo("1 1 2- |3|3");
        assertThat(set.text("expandenv", GoString.of("${} ${A $. x$"))).isEqualTo(" A $. x$");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "::ffff:1.2.3.4", "FE80::1%lo", "1:2:3:4:5:6:7:8", "1::8", "::"})
    void anAddressStandsForItself(String address) throws GoCallException {
        assertThat(functions.text("getHostByName", GoString.of(address))).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "1.2.3",
                "01.2.3.4",
                "1.2.3.256",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                ":1:2:3:4:5:6:7",
                "1.2.3.4%eth0",
                "12345::",
                "1::2:3:4:5:6:7:8",
                "::1.2.3",
                "1.2.3.4::"
            })
    void namesAreNotLookedUp(String name) {
        assertThatExceptionOfType(GoCallException.class)
                .isThrownBy(() -> functions.call("getHostByName", GoString.of(name)))
                .withMessage("host names cannot be looked up from a template");
    }
}
