package io.osmhub.deploy.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlagFileWatcherTest {
    private static final String ONE = PlatformAuthorities.pem(0);
    private static final String OTHER = PlatformAuthorities.pem(1);

    @TempDir
    private Path folder;

    @Test
    void readsTheFlagsAgainWhenACaFileHasChanged() throws IOException {
        Path file = Files.writeString(folder.resolve("ca.crt"), ONE);
        FlagFileWatcher files = files("-namespace=a", "-host-ca-bundle=" + file);
        assertThat(files.poll()).isNull();

        Files.writeString(file, OTHER);

        GoFlags.Result<ControllerFlags> now = files.poll();
        assertThat(now).isInstanceOf(GoFlags.Result.Read.class);
        assertThat(((GoFlags.Result.Read<ControllerFlags>) now)
                        .flags()
                        .settings()
                        .get(Setting.HOST_CA)
                        .path("inline")
                        .asText())
                .isEqualTo(OTHER);
        assertThat(files.poll()).isNull();
    }

    @Test
    void tellsOnceWhatIsWrongWithAChangedFileAndWaitsForOneThatIsAway() throws IOException {
        Path file = Files.writeString(folder.resolve("ca.crt"), ONE);
        FlagFileWatcher files = files("-namespace=a", "-kubernetes-ca-bundle=" + file);

        Files.delete(file);
        assertThat(files.poll()).isNull();

        Files.writeString(file, "no certificate");
        assertThat(files.poll()).isInstanceOf(GoFlags.Result.Refused.class);
        assertThat(files.poll()).isNull();

        Files.writeString(file, ONE);
        assertThat(files.poll()).isInstanceOf(GoFlags.Result.Read.class);
    }

    private static FlagFileWatcher files(String... arguments) {
        List<String> line = List.of(arguments);
        return new FlagFileWatcher(line, ((GoFlags.Result.Read<ControllerFlags>) ControllerFlags.read(line)).flags());
    }
}
