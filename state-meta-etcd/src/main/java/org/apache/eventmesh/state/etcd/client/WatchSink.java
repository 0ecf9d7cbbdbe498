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
package org.apache.eventmesh.state.etcd.client;

import java.util.List;
import org.apache.eventmesh.state.engine.WatchEvent;

/**
 * Hears what one stream of a watch brings: in order, never concurrently, on a thread of the client, which must not be
 * held. After {@link #ended} it hears nothing more.
 */
public interface WatchSink {
    /**
     * The server watches from now on.
     *
     * @param header its revision is that of the key space at this moment, not one up to which all was delivered
     */
    void created(Header header);

    /**
     * Changes, ascending by revision. One response may end in the middle of a revision when {@code fragment} is set;
     * the rest comes with the next.
     *
     * @param header its revision may be above that of the last change, and below that of changes still on the way
     */
    void changes(Header header, List<WatchEvent.Changed> changes, boolean fragment);

    /** All changes up to the header's revision have been delivered; asked for or by the server's own habit. */
    void progress(Header header);

    /** The stream is over; it is not opened again by the client. */
    void ended(WatchEnd why);
}
