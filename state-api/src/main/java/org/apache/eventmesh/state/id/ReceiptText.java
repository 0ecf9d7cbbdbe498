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
package org.apache.eventmesh.state.id;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The wire form: version, numbers, then names in base64url, separated by dots. */
final class ReceiptText {
    private static final String VERSION = "1";

    private ReceiptText() {}

    static String write(Receipt receipt) {
        DeliveryId delivery = receipt.delivery();
        return String.join(
                ".",
                VERSION,
                Long.toString(receipt.epoch()),
                Long.toString(delivery.number()),
                Integer.toString(delivery.partition().number()),
                base64(delivery.incarnation()),
                base64(delivery.partition().topic()));
    }

    static Receipt read(String text) {
        Receipt receipt;
        try {
            receipt = parts(text.split("\\.", -1));
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw notOne(text, e);
        }
        // One hand-out has one text: "+1", "01" or stray base64 bits would be second names for it.
        if (!write(receipt).equals(text)) {
            throw notOne(text, new IllegalArgumentException("not in its canonical form"));
        }
        return receipt;
    }

    private static Receipt parts(String[] part) throws CharacterCodingException {
        if (part.length != 6 || !part[0].equals(VERSION)) {
            throw new IllegalArgumentException("expected six parts separated by dots, the first of them " + VERSION);
        }
        Partition partition = new Partition(utf8(part[5]), Integer.parseInt(part[3]));
        DeliveryId delivery = new DeliveryId(partition, utf8(part[4]), Long.parseLong(part[2]));
        return new Receipt(delivery, Long.parseLong(part[1]));
    }

    private static IllegalArgumentException notOne(String text, Exception why) {
        String shown = text.length() <= 80 ? text : text.substring(0, 80) + "... (" + text.length() + " characters)";
        return new IllegalArgumentException(
                "\"" + shown + "\" is not a receipt: " + why.getMessage() + "; return the receipt unchanged", why);
    }

    private static String base64(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    private static String utf8(String base64) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(base64)))
                .toString();
    }
}
