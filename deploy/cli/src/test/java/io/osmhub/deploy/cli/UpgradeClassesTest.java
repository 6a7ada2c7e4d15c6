package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Upgrades picocli as {@code ./hub dist} does. */
final class UpgradeClassesTest {
    /** Class files since this version have stack maps. */
    private static final int JAVA_6 = 50;

    @TempDir
    private static Path folder;

    private static Path original;

    @BeforeAll
    static void locateThePackedLibrary() throws Exception {
        original = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private static Path upgraded(String name) throws Exception {
        Path jar = Files.copy(original, folder.resolve(name));
        Path program = Path.of(
                System.getProperty("osmhub.root", "../.."), "deploy", "packaging", "image", "UpgradeClasses.java");
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        program.toString(),
                        jar.toString())
                .inheritIO()
                .start();
        assertThat(java.waitFor()).isZero();
        return jar;
    }

    private static List<String> names(ZipFile jar) {
        return Collections.list(jar.entries()).stream().map(ZipEntry::getName).toList();
    }

    private static int version(ZipFile jar, String name) throws IOException {
        return jar.getInputStream(jar.getEntry(name)).readNBytes(8)[7];
    }

    @Test
    void allClassesCanBeCachedAndPassTheVerifier() throws Exception {
        Path jar = upgraded("one.jar");

        try (ZipFile before = new ZipFile(original.toFile());
                ZipFile after = new ZipFile(jar.toFile());
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            List<String> classes = names(before).stream()
                    .filter(name -> name.endsWith(".class") && name.startsWith("picocli/"))
                    .toList();
            assertThat(names(after)).isEqualTo(names(before));
            assertThat(classes)
                    .anySatisfy(name -> assertThat(version(before, name)).isLessThan(JAVA_6));
            for (String name : classes) {
                assertThat(version(after, name)).as(name).isGreaterThanOrEqualTo(JAVA_6);
                // Initializing verifies the class.
                Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
            }
        }
    }

    @Test
    void equalJarsGiveEqualResults() throws Exception {
        assertThat(upgraded("two.jar")).hasSameBinaryContentAs(upgraded("three.jar"));
    }
}
