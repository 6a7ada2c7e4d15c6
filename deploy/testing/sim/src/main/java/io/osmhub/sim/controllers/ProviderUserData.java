package io.osmhub.sim.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The user-data of one machine as machine-controller passes it to the cloud provider: made from the bootstrap document here, and not by
 * the hub's code, so that a mistake in one of them shows.
 *
 * @param document as a machine reads it
 * @param passedBytes size that the provider limits
 * @param limitBytes 0 for a provider without a known limit
 */
record ProviderUserData(String document, int passedBytes, int limitBytes) {
    private static final Pattern LINES_OF_BLANKS = Pattern.compile("(?m)^[ \t]+$");

    private static final Map<String, Integer> LIMITS = Map.of(
            "aws", 16 * 1024,
            "alibaba", 32 * 1024,
            "hetzner", 32 * 1024,
            "openstack", 65_535,
            "azure", 64 * 1024,
            "digitalocean", 64 * 1024,
            "gce", 256 * 1024);

    /** @param providerSpec {@code spec.providerSpec.value} of the machine */
    static ProviderUserData of(String bootstrap, String machineName, JsonNode providerSpec) {
        String named = bootstrap
                .replace("<MACHINE_NAME>", machineName)
                .replace("%3CMACHINE_NAME%3E", URLEncoder.encode(machineName, StandardCharsets.UTF_8));
        String document = LINES_OF_BLANKS.matcher(named).replaceAll("");
        String provider = providerSpec.path("cloudProvider").asText();
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        boolean flatcar = providerSpec.path("operatingSystem").asText().equals("flatcar");
        byte[] passed =
                switch (provider) {
                    case "aws" -> flatcar ? bytes : compressed(bytes);
                    case "openstack" -> Base64.getEncoder().encode(bytes);
                    default -> bytes;
                };
        return new ProviderUserData(document, passed.length, LIMITS.getOrDefault(provider, 0));
    }

    boolean isTooLarge() {
        return limitBytes > 0 && passedBytes > limitBytes;
    }

    private static byte[] compressed(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
