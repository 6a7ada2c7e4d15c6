package io.osmhub.deploy.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the user's text comes from.
 *
 * @param name path of a file, or {@code -} for standard input
 * @param mostBytes limit of its size, so that a device is not read without end
 */
public record InputFile(String name, int mostBytes) {
    /** Name of standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final int LARGEST = 64 << 20;

    /** Why a text cannot be read. */
    public static final class UnreadableException extends Exception {
        private final transient InputError error;

        UnreadableException(String source, String what, String cure) {
            super(what + (cure.isEmpty() ? "" : "; " + cure), null, false, false);
            this.error = new InputError(source, "", what, cure);
        }

        public InputError error() {
            return error;
        }

        /** One sentence without the name of the file. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** A file far larger than any manifest. */
    public static InputFile of(String name) {
        return new InputFile(name, LARGEST);
    }

    /** Its name in messages. */
    public String displayName() {
        return isStandardInput() ? "standard input" : name;
    }

    private boolean isStandardInput() {
        return name.equals(STANDARD_INPUT);
    }

    /**
     * Reads the text, without a byte order mark. Standard input can be read once.
     *
     * @param standardInput null if {@code -} is a file too
     */
    public String read(@Nullable InputStream standardInput) throws UnreadableException {
        InputStream stream = isStandardInput() ? standardInput : null;
        try {
            if (stream == null && Files.isDirectory(Path.of(name))) {
                throw unreadable("is a directory", "use a file in it");
            }
            byte[] bytes = stream == null ? bytes() : stream.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw unreadable(
                        "is larger than "
                                + (mostBytes < 1 << 20 ? (mostBytes >> 10) + " KiB" : (mostBytes >> 20) + " MiB"),
                        "");
            }
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw unreadable("is not UTF-8 text", "store it as UTF-8");
        } catch (NoSuchFileException e) {
            throw unreadable("file not found", "check the path");
        } catch (AccessDeniedException e) {
            throw unreadable("permission denied", "check its permissions");
        } catch (IOException | InvalidPathException e) {
            throw unreadable("cannot be read", stream == null ? "check path and permissions" : "");
        }
    }

    private byte[] bytes() throws IOException {
        try (InputStream stream = Files.newInputStream(Path.of(name))) {
            return stream.readNBytes(mostBytes + 1);
        }
    }

    private UnreadableException unreadable(String what, String cure) {
        return new UnreadableException(displayName(), what, cure);
    }
}
