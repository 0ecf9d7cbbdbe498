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

/** Where a delivery comes from; the number is part of its key, so never changed. */
public enum DeliveryKind {
    /** From an ordered source: has a place below or above cursors. */
    ORDERED(0),
    /** From an unordered source: no cursor. */
    UNORDERED(1),
    /** A replayed dead letter: outside cursor, position, watermark and fan-out. */
    REPLAY(2),
    /** Carries a task: outside cursor, position, watermark and fan-out. */
    TASK(3);

    private final int number;

    DeliveryKind(int number) {
        this.number = number;
    }

    /** One byte in the key. */
    public int number() {
        return number;
    }

    static DeliveryKind of(int number) {
        for (DeliveryKind kind : values()) {
            if (kind.number == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no delivery has kind " + number);
    }
}
