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
package org.apache.eventmesh.state.etcd.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.apache.eventmesh.state.tck.kit.StoreFixture.ServerTime;

/** What a server tells anybody who asks in JSON. */
final class EtcdGateway implements ServerTime {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final String address;

    EtcdGateway(String address) {
        this.address = address;
    }

    String get(String path) {
        return send(request(path).GET().build());
    }

    String post(String path, String json) {
        return send(request(path).POST(BodyPublishers.ofString(json)).build());
    }

    /** What is zero is left out, as the time to live of a lease that has ended. */
    @Override
    public boolean keepAlive(long leaseId) {
        return post("/v3/lease/keepalive", id(leaseId)).contains("\"TTL\"");
    }

    @Override
    public void end(long leaseId) {
        if (!hasEnded(leaseId)) {
            post("/v3/lease/revoke", id(leaseId));
        }
    }

    private boolean hasEnded(long leaseId) {
        return post("/v3/lease/timetolive", id(leaseId)).contains("\"TTL\":\"-1\"");
    }

    private static String id(long leaseId) {
        return "{\"ID\":\"" + leaseId + "\"}";
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(Duration.ofSeconds(10));
    }

    private static String send(HttpRequest request) {
        try {
            var answer = HTTP.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError(request.uri() + " answers " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException("asking " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking " + request.uri(), e);
        }
    }
}
