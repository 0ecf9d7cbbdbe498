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
package org.apache.eventmesh.state.etcd.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.apache.eventmesh.state.tck.kit.StoreFixture.ServerTime;

/** The leases of a cluster as its servers tell them to anybody who asks in JSON; past the proxies. */
final class EtcdLeaseTime implements ServerTime {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(2))
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final EtcdCluster cluster;

    EtcdLeaseTime(EtcdCluster cluster) {
        this.cluster = cluster;
    }

    /** A lease that has ended has no time to live, and what is zero is left out. */
    @Override
    public boolean keepAlive(long leaseId) {
        return ask("/v3/lease/keepalive", leaseId).contains("\"TTL\"");
    }

    @Override
    public void end(long leaseId) {
        if (!hasEnded(leaseId)) {
            ask("/v3/lease/revoke", leaseId);
        }
    }

    private boolean hasEnded(long leaseId) {
        return ask("/v3/lease/timetolive", leaseId).contains("\"TTL\":\"-1\"");
    }

    /** Of the first member that answers. */
    private String ask(String path, long leaseId) {
        IOException last = new IOException("no member runs");
        for (EtcdServer member : cluster.members()) {
            if (member.isAlive()) {
                try {
                    return post(member.direct() + path, "{\"ID\":\"" + leaseId + "\"}");
                } catch (IOException away) {
                    last = away;
                }
            }
        }
        throw new UncheckedIOException("asking etcd for a lease", last);
    }

    private static String post(String address, String body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Duration.ofSeconds(5))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(address + " answers " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
