package io.osmhub.deploy.render;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A result file.
 *
 * @param secret whether only the owner may read the file
 * @param limit usage of the cloud provider's limit, for example {@code 98 % of 16,384 B (aws)}; empty if none
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
