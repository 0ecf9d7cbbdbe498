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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between clients and one server, on an address of this machine that stays the same while the server comes and
 * goes, and does to the bytes what networks do. Safe for any number of threads; every change holds for the connections
 * that are open and for those to come.
 */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final Set<ProxyConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private final Traffic traffic = new Traffic();

    private TcpProxy(ServerSocket listening, InetSocketAddress server) {
        this.listening = listening;
        this.server = server;
    }

    /**
     * Begins to listen on a free port of the loopback address.
     *
     * @param server where connections are passed on to; nothing need listen there yet
     */
    public static TcpProxy to(InetSocketAddress server) {
        try {
            ServerSocket listening = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
            TcpProxy proxy = new TcpProxy(listening, server);
            ProxyConnection.run("proxy of " + server.getPort(), proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("listening for the proxy of " + server, e);
        }
    }

    /** Where clients connect to, on the loopback address. */
    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            Socket client;
            try {
                client = listening.accept();
            } catch (IOException e) {
                if (listening.isClosed()) {
                    return;
                }
                // no file left to open, for one: said by the thread's end, as clients would only see silence
                throw new UncheckedIOException("accepting connections for " + server, e);
            }
            accepted.incrementAndGet();
            ProxyConnection connection = new ProxyConnection(client, server, traffic, open::remove);
            open.add(connection);
            // a cut that came between the accept and now has not seen this one
            if (listening.isClosed() || traffic.refuses()) {
                connection.abort();
            } else {
                connection.start();
            }
        }
    }

    /** From now on connections are reset, those that are open and those to come. */
    public void cut() {
        traffic.become(Traffic.State.CUT);
        cutOnce();
    }

    /** Resets what is connected now; the next connection is served. */
    public void cutOnce() {
        open.forEach(ProxyConnection::abort);
    }

    /**
     * From now on no byte gets through in either direction, and no connection ends by that: as when packets are lost.
     * What was sent meanwhile arrives after {@link #heal}, if its connection lives so long.
     */
    public void blackHole() {
        traffic.become(Traffic.State.SILENT);
    }

    /**
     * From now on what clients send arrives, and no answer does. Healing resets the connections that lost an answer, so
     * that no half of one is ever seen.
     */
    public void dropReplies() {
        traffic.become(Traffic.State.NO_REPLIES);
    }

    /** From now on bytes arrive so much later, in each direction, in order. {@link #heal} does not end it. */
    public void delay(Duration time) {
        traffic.delay(time);
    }

    /** Bytes get through again. */
    public void heal() {
        traffic.become(Traffic.State.OPEN);
        open.stream().filter(ProxyConnection::hasLost).forEach(ProxyConnection::abort);
    }

    /** How many connections were made so far. */
    public long accepted() {
        return accepted.get();
    }

    /** How many connections are open. */
    public int open() {
        return open.size();
    }

    /** Bytes from clients that reached the server so far. */
    public long sent() {
        return traffic.sent();
    }

    /** Bytes from the server that reached clients so far. */
    public long received() {
        return traffic.received();
    }

    /** Bytes from the server that {@link #dropReplies} has swallowed so far. */
    public long dropped() {
        return traffic.dropped();
    }

    /** Resets everything and listens no more; its threads end. May be called twice. */
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the proxy of " + server, e);
        }
        cutOnce();
        traffic.become(Traffic.State.CUT);
    }
}
