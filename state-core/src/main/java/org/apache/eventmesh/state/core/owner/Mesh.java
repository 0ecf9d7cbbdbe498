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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.time.InstantSource;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.owner.Ownership;

/** All that a store set knows of ownership, over one backend. */
public final class Mesh {
    private final Leases leases;
    private final Losses losses;
    private final Members members;
    private final Claims claims;
    private final Ownership reading;

    public Mesh(Backend backend, InstantSource clock) {
        this.leases = new Leases(backend);
        this.losses = new Losses(backend);
        Releases releases = new Releases(losses);
        this.members = new Members(backend, leases, releases, clock);
        this.claims = new Claims(backend, members, releases, losses, clock);
        this.reading = new OwnershipReading(backend);
    }

    public Members members() {
        return members;
    }

    public Claims claims() {
        return claims;
    }

    public Ownership reading() {
        return reading;
    }

    /** For what has a lease of its own. */
    public Leases leases() {
        return leases;
    }

    /** Ends renewals and watches, and gives leases back as far as the engine answers in time. Before the backend ends. */
    public void close(Duration patience) {
        members.close();
        losses.close();
        leases.close(patience);
    }
}
