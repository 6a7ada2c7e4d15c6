package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.MetadataScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/** Content that no decoder may take. The simulated API server cannot hold it, so {@link #in} puts it into what that server sends. */
public enum UnreadableContent {
    VALUES("more than 100000 JSON values") {
        @Override
        String json() {
            return "[" + "1,".repeat(110_000) + "1]";
        }
    },
    DEPTH("more than 1000 levels") {
        @Override
        String json() {
            return "[".repeat(1_100) + "]".repeat(1_100);
        }
    },
    SIZE("larger than 4194304 B") {
        @Override
        String json() {
            return "\"" + "x".repeat(LARGEST) + "\"";
        }
    },
    DIGITS("a number of more than 1000 characters") {
        @Override
        String json() {
            return "1".repeat(2_000_000);
        }
    };

    /** Value in an object of the simulated server that is replaced by this content. */
    public static final String PLACE = "@unreadable@";

    private static final int LARGEST = 4 * 1024 * 1024;

    private final String cause;

    UnreadableContent(String cause) {
        this.cause = cause;
    }

    abstract String json();

    /** Part of the message. */
    public String cause() {
        return cause;
    }

    /** The server with this content in place of {@link #PLACE}; limits the size of objects as the hub's client does. */
    public KubeApi in(ServerHandler server) {
        return new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                return replaced(server.send(request));
            }

            @Override
            public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
                ItemSplitter splitter = ItemSplitter.ofList(
                        LARGEST, MemoryBudget.unlimited().createShare(), MemoryBudget.MemoryShare::tryReserve, items);
                byte[] all = send(request);
                for (int at = 0; at < all.length; at += 10_000) {
                    splitter.add(ByteBuffer.wrap(all, at, Math.min(10_000, all.length - at))
                            .slice());
                }
                return splitter.remainder();
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return server.watch(request, new WatchLineHandler() {
                    @Override
                    public void onOpened() {
                        lines.onOpened();
                    }

                    @Override
                    public void onLine(byte[] json, UnaryOperator<String> redactor) {
                        byte[] line = replaced(json);
                        if (line.length > LARGEST) {
                            lines.onTooLarge(MetadataScanner.scan(line, true), "it is larger than " + LARGEST + " B");
                        } else {
                            lines.onLine(line, redactor);
                        }
                    }

                    @Override
                    public void onEnded() {
                        lines.onEnded();
                    }

                    @Override
                    public void onFailed(ApiFailure failure) {
                        lines.onFailed(failure);
                    }
                });
            }
        }.api();
    }

    private byte[] replaced(byte[] text) {
        String json = new String(text, UTF_8);
        return json.contains(PLACE) ? json.replace("\"" + PLACE + "\"", json()).getBytes(UTF_8) : text;
    }
}
