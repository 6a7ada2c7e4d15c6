package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/** Reads and writes PEM. */
final class PemBlocks {
    record PemBlock(String type, byte[] content) {}

    private PemBlocks() {}

    static List<PemBlock> blocks(byte[] text) {
        List<PemBlock> blocks = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(new String(text, ISO_8859_1)))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                blocks.add(new PemBlock(block.getType(), block.getContent()));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return blocks;
    }

    static String write(String type, byte[] content) {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, content));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }
}
