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

/** The files that a user names. The standard input is read once, however often it is named. */
public final class InputFiles {
    /** Names the standard input. */
    public static final String STANDARD_INPUT = "-";

    /** A manifest that kubectl would take is far smaller; a disk's device is not. */
    private static final int MOST_BYTES = 64 << 20;

    private final InputStream standardInput;
    private @Nullable String standardInputText;

    public InputFiles(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    /** Why a file cannot be used, in two clauses for people. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        private final String what;
        private final String cure;

        Unreadable(String what, String cure) {
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

    /** What messages call a file. */
    public static String nameOf(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    /** The text of a file. */
    public String read(String file) throws Unreadable {
        if (file.equals(STANDARD_INPUT)) {
            if (standardInputText == null) {
                standardInputText = text(standardInput());
            }
            return standardInputText;
        }
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new Unreadable("is a directory", "name a file in it");
            }
            try (InputStream stream = Files.newInputStream(path)) {
                return text(bytes(stream));
            }
        } catch (NoSuchFileException e) {
            throw new Unreadable("no such file", "check the path");
        } catch (AccessDeniedException e) {
            throw new Unreadable("may not be read", "check its permissions");
        } catch (IOException | InvalidPathException e) {
            throw new Unreadable("cannot be read", "check path and permissions");
        }
    }

    private byte[] standardInput() throws Unreadable {
        try {
            return bytes(standardInput);
        } catch (IOException e) {
            throw new Unreadable("cannot be read", "");
        }
    }

    private static byte[] bytes(InputStream stream) throws IOException, Unreadable {
        byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new Unreadable("has more than " + (MOST_BYTES >> 20) + " MiB", "");
        }
        return bytes;
    }

    private static String text(byte[] bytes) throws Unreadable {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new Unreadable("is not UTF-8 text", "store it as UTF-8");
        }
    }
}
