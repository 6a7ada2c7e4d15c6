package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.config.HubConfiguration.Oidc;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OidcConfigurationTest {
    @TempDir
    private Path folder;

    private static Oidc oidc(String secretFile, String caFile) {
        return new Oidc(
                Optional.of(URI.create("https://id.example.org")),
                "hub",
                secretFile,
                Optional.of(URI.create("https://hub.example.org/signin/oidc/callback")),
                List.of("openid"),
                caFile);
    }

    @Test
    void withoutAnIssuerThereIsNone() throws IOException {
        assertThat(OidcConfiguration.read(new Oidc(Optional.empty(), "", "", Optional.empty(), List.of("openid"), "")))
                .isNull();
    }

    @Test
    void theSecretIsReadForEachSignIn() throws IOException {
        Path file = folder.resolve("secret");
        OidcOptions options = Objects.requireNonNull(OidcConfiguration.read(oidc(file.toString(), "")));
        assertThatThrownBy(() -> options.clientSecret().read()).isInstanceOf(IOException.class);

        Files.writeString(file, "one\n");
        assertThat(options.clientSecret().read()).contains(new Sensitive("one"));
        Files.writeString(file, "two");
        assertThat(options.clientSecret().read()).contains(new Sensitive("two"));
        assertThat(Objects.requireNonNull(OidcConfiguration.read(oidc("", "")))
                        .clientSecret()
                        .read())
                .isEmpty();
    }

    @Test
    void aCaFileThatIsNotOneIsReportedWithItsKey() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "");
        Path text = Files.writeString(folder.resolve("text"), "no certificate");

        for (Path file : List.of(empty, text)) {
            assertThatThrownBy(() -> OidcConfiguration.read(oidc("", file.toString())))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("api.oidc.caFile: " + file);
        }
        assertThatThrownBy(() -> OidcConfiguration.read(
                        oidc("", folder.resolve("missing").toString())))
                .isInstanceOf(IOException.class)
                .hasMessage("api.oidc.caFile: " + folder.resolve("missing") + " cannot be read");
    }
}
