package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where kube-apiserver and etcd are. The project's script finds or builds them, so a person and a test get the same ones. */
record ServerPrograms(Path kubeApiServer, Path etcd) {

    /** @throws IllegalStateException when there are none, with what the script says about it */
    static ServerPrograms locate() {
        Path script = Path.of(System.getProperty("osmhub.root", "../../.."))
                .resolve("deploy/testing/e2e/kube-apiserver/programs");
        try {
            Path said = Files.createTempFile("programs", ".err");
            Process process = new ProcessBuilder(script.toString())
                    .redirectError(said.toFile())
                    .start();
            String folder = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            int code = process.waitFor();
            String complaint = Files.readString(said);
            Files.delete(said);
            if (code != 0) {
                throw new IllegalStateException(complaint.strip());
            }
            return new ServerPrograms(
                    Path.of(folder).resolve("kube-apiserver"), Path.of(folder).resolve("etcd"));
        } catch (IOException e) {
            throw new IllegalStateException(script + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kube-apiserver was being built", e);
        }
    }
}
