package io.osmhub.deploy.render;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads input files. Standard input is read only once. */
public final class InputFiles {
    /** File name of standard input. */
    public static final String STANDARD_INPUT = "-";

    /** Far larger than any manifest; excludes disk devices. */
    private static final int MOST_BYTES = 64 << 20;

    private final InputStream standardInput;
    private @Nullable String standardInputText;

    public InputFiles(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    /** Why a file is unusable, as two clauses for users. */
    public static final class UnreadableInputException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String what;
        private final String cure;

        UnreadableInputException(String what, String cure) {
            super(what, null, false, false);
            this.what = what;
            this.cure = cure;
        }

        public String what() {
            return what;
        }

        public String cure() {
            return cure;
        }
    }

    /** The name of a file in messages. */
    public static String nameOf(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    public String read(String file) throws UnreadableInputException {
        if (file.equals(STANDARD_INPUT)) {
            if (standardInputText == null) {
                standardInputText = text(standardInput());
            }
            return standardInputText;
        }
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new UnreadableInputException("is a directory", "use a file in it");
            }
            try (InputStream stream = Files.newInputStream(path)) {
                return text(bytes(stream));
            }
        } catch (NoSuchFileException e) {
            throw new UnreadableInputException("file not found", "check the path");
        } catch (AccessDeniedException e) {
            throw new UnreadableInputException("permission denied", "check its permissions");
        } catch (IOException | InvalidPathException e) {
            throw new UnreadableInputException("cannot be read", "check path and permissions");
        }
    }

    private byte[] standardInput() throws UnreadableInputException {
        try {
            return bytes(standardInput);
        } catch (IOException e) {
            throw new UnreadableInputException("cannot be read", "");
        }
    }

    private static byte[] bytes(InputStream stream) throws IOException, UnreadableInputException {
        byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new UnreadableInputException("is larger than " + (MOST_BYTES >> 20) + " MiB", "");
        }
        return bytes;
    }

    private static String text(byte[] bytes) throws UnreadableInputException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new UnreadableInputException("is not UTF-8 text", "store it as UTF-8");
        }
    }
}
