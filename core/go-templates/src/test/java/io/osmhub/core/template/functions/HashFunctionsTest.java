package io.osmhub.core.template.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashFunctionsTest {
    private final Functions functions = new Functions(Encodings::addTo);

    @ParameterizedTest
    @CsvSource({
        "sha1sum,abc,a9993e364706816aba3e25717850c26c9cd0d89d",
        "sha256sum,é,4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c",
        "sha512sum,'',cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        "adler32sum,Wikipedia,300286872",
        "adler32sum,'',1"
    })
    void sumsTheBytesOfTheText(String name, String text, String sum) throws GoCallException {
        assertThat(functions.text(name, GoString.of(text))).isEqualTo(sum);
    }
}
