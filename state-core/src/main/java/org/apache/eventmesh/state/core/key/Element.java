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

/**
 * One named part of a table's keys.
 *
 * @param name for people who read a printed key
 */
public record Element(String name, Type type) {
    /** How a part is written. */
    public enum Type {
        /** UTF-8, NUL escaped, ended by NUL. */
        TEXT,
        /** One byte that tells kinds apart. */
        KIND,
        /** A non-negative int, four bytes, high byte first. */
        INT,
        /** A non-negative long, eight bytes, high byte first. */
        LONG,
        /** A kind, then the parts of a scope. */
        SCOPE,
        /** A kind, then a name. */
        SUBSCRIBER
    }

    static Element text(String name) {
        return new Element(name, Type.TEXT);
    }

    static Element kind(String name) {
        return new Element(name, Type.KIND);
    }

    static Element integer(String name) {
        return new Element(name, Type.INT);
    }

    static Element longNumber(String name) {
        return new Element(name, Type.LONG);
    }

    static Element scope(String name) {
        return new Element(name, Type.SCOPE);
    }

    static Element subscriber(String name) {
        return new Element(name, Type.SUBSCRIBER);
    }
}
