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
package org.apache.eventmesh.state.core.key;

import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;

/** The number of a kind of subscriber in a key; on disk, so never changed. */
public enum SubscriberKind {
    GROUP(1),
    SINGLE(2);

    private final int number;

    SubscriberKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The name of a group, or of a client. */
    public static String name(Subscriber subscriber) {
        return subscriber instanceof Subscriber.Group group
                ? group.name()
                : ((Subscriber.Single) subscriber).client().value();
    }

    static void write(Subscriber subscriber, KeyWriter to) {
        SubscriberKind kind = subscriber instanceof Subscriber.Group ? GROUP : SINGLE;
        to.kind(kind.number).text(name(subscriber));
    }

    static Subscriber read(KeyReader from) {
        int kind = from.kind();
        return switch (kind) {
            case 1 -> new Subscriber.Group(from.text());
            case 2 -> new Subscriber.Single(new ClientId(from.text()));
            default -> throw new IllegalArgumentException("no subscriber has kind " + kind);
        };
    }
}
