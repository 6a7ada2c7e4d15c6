package io.osmhub.tenancy.kubeconfig;

import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.CANARY;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.SECRET;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.STRICT;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.aKubeconfig;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.clientCertificate;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.firewall;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.Pki.Identity;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any text gives a validation result: never an exception, a secret or an inconsistent value. */
final class KubeconfigFuzzTest {
    private static final int ROUNDS = 600;

    private static final List<String> WORDS = List.of(
            "exec: {command: x}",
            "&a",
            "*a",
            "<<: *a",
            "!!binary ",
            "? ",
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
            "|\n",
            ">\n",
            "'",
            "\"",
            "\\u0000",
            "\n",
            "\t",
            "---\n",
            "...\n",
            "%YAML 9.9\n",
            "null",
            "~",
            "1e999",
            "0x7f",
            "https://",
            "@",
            "#",
            "%25",
            "::1",
            "127.0.0.1",
            "token",
            "tokenFile: /etc/passwd",
            "-----BEGIN ",
            "=",
            "\ufeff",
            "\ud83d\ude00",
            "\u0085",
            "\u2028");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aMutatedTextGetsAVetting(long seed) {
        Random random = new Random(seed);
        List<String> corpus = new ArrayList<>();
        HostileKubeconfigs.all("/nowhere", 6443).stream()
                // Half a second each, by design; the table contains one.
                .filter(hostile -> !hostile.name().equals("laughs"))
                .map(HostileKubeconfigs.Case::text)
                .filter(text -> text.length() < 20_000)
                .forEach(corpus::add);
        corpus.add(aKubeconfig().text());
        for (int i = 0; i < ROUNDS; i++) {
            String text = corpus.get(random.nextInt(corpus.size()));
            for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
                text = edit(text, random);
            }
            check(seed + "/" + i, text);
        }
    }

    private static String edit(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + 1 + random.nextInt(20));
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, at) + WORDS.get(random.nextInt(WORDS.size())) + text.substring(at);
            case 2 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
            default -> text.substring(0, at) + (char) random.nextInt(0x180) + text.substring(end);
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void mutatedKeysAndCertificatesGetAVetting(long seed) {
        Random random = new Random(seed);
        List<Identity> identities = List.of(Pki.RSA, Pki.EC, Pki.EC_384, Pki.ED25519);
        for (int i = 0; i < ROUNDS; i++) {
            Identity identity = identities.get(random.nextInt(identities.size()));
            String key = random.nextBoolean() ? identity.pkcs8() : identity.traditional();
            String certificate = identity.certificate();
            if (random.nextBoolean()) {
                key = mutatedContent(key, random);
            } else {
                certificate = mutatedContent(certificate, random);
            }
            check(
                    seed + "/" + i,
                    aKubeconfig().user(clientCertificate(certificate, key)).text());
        }
    }

    private static String mutatedContent(String pem, Random random) {
        PemBlocks.PemBlock block = PemBlocks.blocks(pem.getBytes(ISO_8859_1)).getFirst();
        byte[] content = block.content();
        if (content == null) {
            return fail("a block that was just written");
        }
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
            content[random.nextInt(content.length)] = (byte) random.nextInt();
        }
        return PemBlocks.write(block.type(), content);
    }

    private static void check(String round, String text) {
        KubeconfigValidation vetting;
        try {
            String data = Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
            vetting = firewall(STRICT).validate(SECRET, Map.of("kubeconfig", data), null);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("round " + round + " of:\n" + text, e);
        }
        switch (vetting) {
            case KubeconfigValidation.Invalid refused ->
                assertThat(refused.problem().inTenant("cluster-x", "").message() + refused.findings())
                        .as("round %s", round)
                        .doesNotContain(CANARY);
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> {
                assertThat(kubeconfig.server().getScheme())
                        .as("round %s", round)
                        .isEqualTo("https");
                assertThat(kubeconfig.server().getUserInfo()).isNull();
                assertThat(kubeconfig.server().getHost()).isNotNull();
                assertThat(kubeconfig.certificateAuthorityPem()).isNotNull();
                assertThat(kubeconfig.proxy()).isNull();
                assertThat(kubeconfig.insecureSkipTlsVerify()).isFalse();
                assertThat(kubeconfig.port()).isBetween(1, 65_535);
            }
        }
    }
}
