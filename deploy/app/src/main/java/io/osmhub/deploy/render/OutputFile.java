package io.osmhub.deploy.render;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One result.
 *
 * @param name of the file
 * @param secret whether nobody but its owner may read the file
 * @param limit what the cloud provider takes, for example {@code 16,384 B (aws)}, after how full that is; empty without
 */
public record OutputFile(String name, String text, boolean secret, String limit) {
    @Override
    public String toString() {
        return "OutputFile[" + name + "]";
    }

    public byte[] bytes() {
        return text.getBytes(UTF_8);
    }
}
