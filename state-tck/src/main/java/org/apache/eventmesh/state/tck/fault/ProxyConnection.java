/*
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements. See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.eventmesh.state.tck.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One connection of a {@link TcpProxy}: a reader and a writer in each direction. */
final class ProxyConnection {
    private static final int CHUNK = 16 * 1024;

    /** In chunks: far more than what a test sends within a delay, and no memory without end. */
    private static final int MOST_DELAYED = 10_000;

    private final Socket client;
    private final Socket upstream = new Socket();
    private final InetSocketAddress server;
    private final Traffic traffic;
    private final Consumer<ProxyConnection> ended;
    private final AtomicBoolean aborted = new AtomicBoolean();
    private final List<BlockingQueue<Chunk>> queues = new CopyOnWriteArrayList<>();
    private volatile boolean lost;

    /** Bytes and when they are due; no bytes are the end of the stream. */
    private record Chunk(ByteBuffer bytes, long dueAt) {}

    ProxyConnection(Socket client, InetSocketAddress server, Traffic traffic, Consumer<ProxyConnection> ended) {
        this.client = client;
        this.server = server;
        this.traffic = traffic;
        this.ended = ended;
    }

    static void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    void start() {
        run("proxy to " + server.getPort(), () -> {
            try {
                // a connection is not made through a black hole either
                traffic.gate();
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                upstream.connect(server);
                pump(upstream, client, true);
            } catch (IOException e) {
                // nobody listens there: its client sees a reset
                abort();
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                abort();
                return;
            }
            read(client, pump(client, upstream, false));
        });
    }

    /** Starts what moves bytes from one socket to the other; the queue is fed by the reader. */
    private BlockingQueue<Chunk> pump(Socket from, Socket to, boolean reply) {
        BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>(MOST_DELAYED);
        queues.add(queue);
        run((reply ? "proxy from " : "proxy into ") + server.getPort(), () -> write(queue, to, reply));
        if (reply) {
            run("proxy of replies of " + server.getPort(), () -> read(from, queue));
        }
        return queue;
    }

    private void read(Socket from, BlockingQueue<Chunk> queue) {
        byte[] buffer = new byte[CHUNK];
        try {
            int length;
            do {
                length = from.getInputStream().read(buffer);
                ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(0, length)));
                Chunk chunk = new Chunk(bytes, System.nanoTime() + traffic.delayNanos());
                while (!queue.offer(chunk, 1, TimeUnit.SECONDS)) {
                    if (aborted.get()) {
                        return;
                    }
                }
            } while (length >= 0);
        } catch (IOException e) {
            abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abort();
        }
    }

    private void write(BlockingQueue<Chunk> queue, Socket to, boolean reply) {
        try {
            while (!aborted.get()) {
                Chunk chunk = queue.poll(1, TimeUnit.SECONDS);
                if (chunk == null) {
                    continue;
                }
                if (!aborted.get()) {
                    TimeUnit.NANOSECONDS.sleep(chunk.dueAt() - System.nanoTime());
                }
                Traffic.State state = traffic.gate();
                if (aborted.get()) {
                    return;
                }
                if (chunk.bytes().remaining() == 0) {
                    end(to);
                    return;
                }
                if (reply && state == Traffic.State.NO_REPLIES) {
                    lost = true;
                    traffic.countDropped(chunk.bytes().remaining());
                } else if (lost && reply) {
                    // healed meanwhile: the rest of a stream with a hole is of no use
                    abort();
                } else {
                    to.getOutputStream().write(chunk.bytes().array());
                    traffic.count(reply, chunk.bytes().remaining());
                }
            }
        } catch (IOException e) {
            abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abort();
        }
    }

    /** One direction is at its end; when the other is as well, so is the connection. */
    private synchronized void end(Socket to) throws IOException {
        to.shutdownOutput();
        if (client.isOutputShutdown() && upstream.isOutputShutdown() && aborted.compareAndSet(false, true)) {
            // in good order: a reset could overtake the last bytes
            client.close();
            upstream.close();
            ended.accept(this);
        }
    }

    /** Whether an answer was dropped. */
    boolean hasLost() {
        return lost;
    }

    /** Resets both sides; its threads end. */
    void abort() {
        if (aborted.compareAndSet(false, true)) {
            reset(client);
            reset(upstream);
            // wakes the writers; where there is no room they are awake
            queues.forEach(queue -> queue.offer(new Chunk(ByteBuffer.allocate(0), 0)));
            ended.accept(this);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // closed already, or never connected
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a connection of the proxy", e);
        }
    }
}
