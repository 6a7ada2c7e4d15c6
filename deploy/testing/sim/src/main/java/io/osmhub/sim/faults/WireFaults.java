package io.osmhub.sim.faults;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import io.osmhub.sim.faults.ClusterFaults.Switch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Holds back the bytes of one connection below TLS: all of them for a black hole, most of them for a slow drip. */
public final class WireFaults extends ChannelDuplexHandler {
    private record Held(ByteBuf bytes, ChannelPromise promise) {}

    private final ClusterFaults faults;
    private final Deque<Object> heldReads = new ArrayDeque<>();
    private final Deque<Held> heldWrites = new ArrayDeque<>();
    private @Nullable Runnable unsubscribe;
    private boolean dripping;

    public WireFaults(ClusterFaults faults) {
        this.faults = faults;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        unsubscribe = faults.onChange(change -> {
            if (change == ClusterFaults.FaultChange.WIRE) {
                context.executor().execute(() -> resume(context));
            }
        });
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (unsubscribe != null) {
            unsubscribe.run();
        }
        heldReads.forEach(ReferenceCountUtil::release);
        heldReads.clear();
        heldWrites.forEach(held -> held.bytes().release());
        heldWrites.clear();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (faults.isOn(Switch.BLACK_HOLE)) {
            heldReads.add(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean hold = faults.isOn(Switch.BLACK_HOLE) || faults.dripBytes() > 0 || !heldWrites.isEmpty();
        if (hold && message instanceof ByteBuf bytes) {
            heldWrites.add(new Held(bytes, promise));
            drip(context);
        } else {
            var _ = context.write(message, promise);
        }
    }

    private void resume(ChannelHandlerContext context) {
        if (faults.isOn(Switch.BLACK_HOLE) || context.isRemoved()) {
            return;
        }
        boolean read = !heldReads.isEmpty();
        while (!heldReads.isEmpty()) {
            context.fireChannelRead(heldReads.poll());
        }
        if (read) {
            context.fireChannelReadComplete();
        }
        if (faults.dripBytes() == 0) {
            while (!heldWrites.isEmpty()) {
                Held held = heldWrites.poll();
                var _ = context.write(held.bytes(), held.promise());
            }
            context.flush();
        } else {
            drip(context);
        }
    }

    private void drip(ChannelHandlerContext context) {
        if (dripping || faults.isOn(Switch.BLACK_HOLE) || faults.dripBytes() == 0) {
            return;
        }
        dripping = true;
        var _ = context.executor()
                .schedule(() -> drop(context), faults.dripEvery().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void drop(ChannelHandlerContext context) {
        dripping = false;
        int bytes = faults.dripBytes();
        Held held = heldWrites.peek();
        if (context.isRemoved() || faults.isOn(Switch.BLACK_HOLE) || bytes == 0 || held == null) {
            return;
        }
        if (held.bytes().readableBytes() <= bytes) {
            heldWrites.poll();
            var _ = context.writeAndFlush(held.bytes(), held.promise());
        } else {
            var _ = context.writeAndFlush(held.bytes().readRetainedSlice(bytes));
        }
        if (!heldWrites.isEmpty()) {
            drip(context);
        }
    }
}
