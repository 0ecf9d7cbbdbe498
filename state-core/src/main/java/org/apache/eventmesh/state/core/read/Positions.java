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
package org.apache.eventmesh.state.core.read;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/** Positions of one listing as text: the last key, behind a checksum of listing and key, in base64url. */
final class Positions {
    private final String listing;
    private final KeyRange range;

    Positions(String listing, KeyRange range) {
        this.listing = listing;
        this.range = range;
    }

    /** The position behind a key. */
    String of(Bytes key) {
        ByteBuffer position = ByteBuffer.allocate(Integer.BYTES + key.size());
        position.putInt(checksum(key.buffer())).put(key.buffer());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.array());
    }

    /** What is left behind a position. */
    KeyRange after(String position) {
        ByteBuffer raw;
        try {
            raw = ByteBuffer.wrap(Base64.getUrlDecoder().decode(position));
        } catch (IllegalArgumentException e) {
            throw notOne(position);
        }
        if (raw.remaining() < Integer.BYTES) {
            throw notOne(position);
        }
        byte[] key = new byte[raw.remaining() - Integer.BYTES];
        raw.position(Integer.BYTES).get(key);
        Bytes last = Bytes.of(key);
        // as this listing would have written it: the checksum, and no second text for the same place
        if (!range.contains(last) || !of(last).equals(position)) {
            throw notOne(position);
        }
        return range.after(last);
    }

    private int checksum(ByteBuffer key) {
        CRC32C crc = new CRC32C();
        crc.update(listing.getBytes(StandardCharsets.UTF_8));
        crc.update(0xFF); // in no UTF-8 text, so nothing of the name can pass for a key
        crc.update(range.from().buffer());
        crc.update(0xFF);
        crc.update(range.to().buffer());
        crc.update(0xFF);
        crc.update(key);
        return (int) crc.getValue();
    }

    private IllegalArgumentException notOne(String position) {
        String shown = position.length() <= 80 ? position : position.substring(0, 80) + "...";
        return new IllegalArgumentException("position " + KeyText.quoted(shown) + " is not one of the listing "
                + listing + "; use the next position of a page of the same listing, or start from the first page");
    }
}
