package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserDataSizeTest {
    private static final Sensitive NO_TOKEN = new Sensitive("");

    @Test
    void countsTheDocumentWithTheMachinesNameAndWithoutBlankLines() {
        String document = "hostname: <MACHINE_NAME>\n- a\n    \n\t\nurl: %3CMACHINE_NAME%3E\n";

        UserDataSize size = size("hetzner", "ubuntu", document, null);

        assertThat(size.bytes())
                .isEqualTo("hostname: workers-0123456789-abcde\n- a\n\n\nurl: workers-0123456789-abcde\n".length());
        assertThat(size.uncompressedBytes()).isNull();
        assertThat(size.describe()).isEqualTo("71 B");
    }

    /** Written by gzip.NewWriter of Go 1.26 for the same texts. */
    @ParameterizedTest
    @CsvSource({"RANDOM, 15009", "LINES, 2840", "BOTH, 18306"})
    void onAwsTheSizeIsThatOfGosGzipOrLittleMore(String text, int go) {
        UserDataSize size = size("aws", "ubuntu", Texts.valueOf(text).text(), null);

        assertThat(size.bytes()).isBetween(go, go + go / 40);
        assertThat(size.uncompressedBytes())
                .isEqualTo(Texts.valueOf(text).text().length());
        assertThat(size.describe()).endsWith(" B after gzip");
    }

    @Test
    void aLargeTextThatCompressesFitsOnAwsUnlessTheOperatingSystemIsFlatcar() {
        String document = Texts.LINES.text();

        assertThat(document.length()).isGreaterThan(16_384);
        assertThat(size("aws", "ubuntu", document, null).isTooLarge()).isFalse();
        assertThat(size("aws", "flatcar", document, null).isTooLarge()).isTrue();
        assertThat(size("aws", "flatcar", document, null).bytes()).isEqualTo(document.length());
    }

    @Test
    void aTokenChangesACompressedSizeOnlyByItsLength() {
        String token = UserDataSize.standIn(1_001).reveal().substring(1);
        String other = UserDataSize.standIn(1_002).reveal().substring(2);
        String guess = token.substring(0, 500);

        int right = sizeWithToken(guess, token).bytes();
        int wrong = sizeWithToken(guess, other).bytes();

        assertThat(right).isEqualTo(wrong);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00e9\n", "", "1", "12"})
    void aTokenInAnEncodedFileChangesACompressedSizeOnlyByItsLength(String before) {
        // With each padding of base64, of which the token's last letters are part.
        String token = UserDataSize.standIn(1_001).reveal().substring(1);
        String other = "a".repeat(1_000);

        assertThat(sizeWithEncodedToken(before, token).bytes())
                .isEqualTo(sizeWithEncodedToken(before, other).bytes())
                .isGreaterThan(1_000);
    }

    /** A worker cluster chooses its token. Decoding a run again for each token in it would take hours. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n"})
    @Timeout(60)
    void aShortTokenThatIsRepeatedAMillionTimesKeepsNoThread(String separator) {
        String encoded = Base64.getEncoder().encodeToString("abc".getBytes(StandardCharsets.UTF_8));

        UserDataSize size = sizeWithToken((encoded + separator).repeat(1_000_000), "abc");

        assertThat(size.bytes()).isPositive();
    }

    @Test
    void theTenantsLimitReplacesTheProviders() {
        UserDataSize size = size("aws", "ubuntu", Texts.RANDOM.text(), 1_000);

        assertThat(size.isTooLarge()).isTrue();
        assertThat(size.limit()).isEqualTo(new UserDataSize.Limit(1_000, "spec.provisioning.userDataLimitBytes"));
        assertThat(size("nutanix", "ubuntu", Texts.RANDOM.text(), null).limit()).isNull();
    }

    private static UserDataSize sizeWithToken(String content, String token) {
        return UserDataSize.of(input("aws", "ubuntu"), content + "\n" + token + "\n", new Sensitive(token), null);
    }

    private static UserDataSize sizeWithEncodedToken(String before, String token) {
        String file = Base64.getEncoder()
                .encodeToString((before + "Authorization: Bearer " + token).getBytes(StandardCharsets.UTF_8));
        return UserDataSize.of(input("aws", "ubuntu"), "content: " + file + "\n", new Sensitive(token), null);
    }

    private static UserDataSize size(String provider, String os, String document, @Nullable Integer own) {
        return UserDataSize.of(input(provider, os), document, NO_TOKEN, own);
    }

    private static UserDataInput input(String provider, String os) {
        return new UserDataInput(
                new OperatingSystemConfig.Config(List.of(), List.of(), List.of(), null),
                "cloud-init",
                os,
                provider,
                "workers",
                false,
                true);
    }

    private enum Texts {
        RANDOM,
        LINES,
        BOTH;

        String text() {
            return switch (this) {
                case RANDOM -> UserDataSize.standIn(20_000).reveal();
                case LINES ->
                    IntStream.range(0, 1_000)
                            .mapToObj(line -> "net.ipv4.conf.eth" + line + ".rp_filter = " + line % 7 + "\n")
                            .collect(Collectors.joining());
                case BOTH -> RANDOM.text() + LINES.text();
            };
        }
    }
}
