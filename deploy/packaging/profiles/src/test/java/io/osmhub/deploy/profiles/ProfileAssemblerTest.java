package io.osmhub.deploy.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.template.language.TemplateLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileAssemblerTest {
    private static final String RECIPE = """
            title: A system.
            osName: ubuntu
            osVersion: "24.04"
            version: v1.0.0
            provisioningUtility: cloud-init
            supportedKubernetesVersions: ">=1.30.0"
            cloudProviders: [aws]
            include: [shared]
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path sources;

    @BeforeEach
    void sharedPart() throws IOException {
        write("parts/shared.yaml", """
                snippets:
                  greeting: greeting.sh
                  name: name.txt
                provisioning:
                  files:
                  - {path: /opt/hello, permissions: 755, from: hello.sh}
                containerd:
                  files:
                  - {path: /etc/runtime, permissions: 600, from: name.txt}
                """);
        write("hello.sh", "#!/bin/bash\n\n{{> greeting}}\n");
        write("greeting.sh", "echo \"Hello: {{> name}}\"\n");
        write("name.txt", "world\n");
        write("other.txt", "moon\n");
        write("bootstrap.sh", "#!/bin/bash\nexit 0\n");
    }

    @Test
    void givesAPartTheSnippetsThatItsFilesCallAlsoThroughOthers() throws IOException {
        write("os/tux.yaml", RECIPE + """
                bootstrap:
                  files:
                  - {path: /opt/boot, permissions: 700, from: bootstrap.sh}
                  runcmd: [/opt/boot]
                """);

        OperatingSystemProfile profile = only();

        assertThat(profile.name()).isEqualTo("osp-tux");
        assertThat(profile.spec().templateEngine()).isEqualTo(TemplateLanguage.HANDLEBARS);
        assertThat(profile.spec().bootstrapConfig().templates()).isEmpty();
        assertThat(profile.spec().provisioningConfig().templates()).containsOnlyKeys("greeting", "name");
        assertThat(profile.spec().provisioningConfig().files())
                .singleElement()
                .satisfies(file -> assertThat(file.inline()).isNotNull().satisfies(inline -> assertThat(inline.data())
                        .isEqualTo("#!/bin/bash\n\n{{> greeting}}\n")));
    }

    @Test
    void endsFilesOfTheBootstrapDocumentWithoutALineBreak() throws IOException {
        write("os/tux.yaml", RECIPE + """
                bootstrap:
                  files:
                  - {path: /opt/boot, permissions: 700, from: bootstrap.sh}
                """);

        assertThat(only().spec().bootstrapConfig().files().getFirst().inline())
                .isNotNull()
                .satisfies(inline -> assertThat(inline.data()).isEqualTo("#!/bin/bash\nexit 0"));
    }

    @Test
    void letsARecipeReplaceASharedSnippet() throws IOException {
        write("os/tux.yaml", RECIPE + """
                snippets: {name: other.txt}
                bootstrap: {files: [{path: /opt/boot, permissions: 700, from: bootstrap.sh}]}
                """);

        assertThat(only().spec().provisioningConfig().templates()).containsEntry("name", "moon\n");
    }

    @Test
    void refusesASnippetThatNobodyCalls() throws IOException {
        write("os/tux.yaml", RECIPE + "snippets: {idle: other.txt}\n");

        assertThatIllegalArgumentException()
                .isThrownBy(this::only)
                .withMessageContaining("tux.yaml")
                .withMessageContaining("[idle]");
    }

    @Test
    void refusesACallOfASnippetThatIsNotThere() throws IOException {
        write("os/tux.yaml", RECIPE);
        write("hello.sh", "{{> greetign}}\n");

        assertThatIllegalArgumentException().isThrownBy(this::only).withMessageContaining("unknown snippet greetign");
    }

    @Test
    void refusesAPathThatIsThereTwice() throws IOException {
        write("os/tux.yaml", RECIPE + """
                provisioning:
                  files:
                  - {path: /opt/hello, permissions: 755, from: hello.sh}
                """);

        assertThatIllegalArgumentException().isThrownBy(this::only).withMessageContaining("/opt/hello is duplicate");
    }

    @Test
    void refusesARecipeWithoutAVersion() throws IOException {
        write("os/tux.yaml", RECIPE.replace("version: v1.0.0\n", ""));

        assertThatIllegalArgumentException().isThrownBy(this::only).withMessageContaining("version is missing");
    }

    private OperatingSystemProfile only() throws IOException {
        return ManifestsTest.read(new ProfileAssembler(sources).profiles().getFirst());
    }

    private void write(String file, String text) throws IOException {
        Path path = sources.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
