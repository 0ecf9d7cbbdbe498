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
package org.apache.eventmesh.state.core.shard;

import java.util.Arrays;

/** Many longs in little room: numbers that are near the one before take a byte or two. */
final class NumberList {
    private byte[] bytes = new byte[16];
    private int end;
    private int count;
    private long last;

    private int begin;
    private long first;

    void add(long number) {
        long delta = number - last;
        last = number;
        count++;
        if (bytes.length - end < 10) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        // zigzag, then seven bits a byte, as protobuf writes a signed number
        for (long rest = (delta << 1) ^ (delta >> 63); ; rest >>>= 7) {
            if (rest < 0x80) {
                bytes[end++] = (byte) rest;
                return;
            }
            bytes[end++] = (byte) (0x80 | (rest & 0x7F));
        }
    }

    int size() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes the oldest. */
    long take() {
        long zigzag = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = bytes[begin++];
            zigzag |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                break;
            }
        }
        first += (zigzag >>> 1) ^ -(zigzag & 1);
        count--;
        return first;
    }
}
