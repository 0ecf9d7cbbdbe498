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
package org.apache.eventmesh.state.etcd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's version. */
record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {
    /** Older ones drop events of a watch that was behind a compaction. */
    static final ServerVersion OLDEST = new ServerVersion(3, 5, 16);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\.([0-9]{1,4}).*");

    /** What cannot be read counts as the oldest of all. */
    static ServerVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? new ServerVersion(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)))
                : new ServerVersion(0, 0, 0);
    }

    @Override
    public int compareTo(ServerVersion other) {
        int first = Integer.compare(major, other.major);
        int second = first != 0 ? first : Integer.compare(minor, other.minor);
        return second != 0 ? second : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
