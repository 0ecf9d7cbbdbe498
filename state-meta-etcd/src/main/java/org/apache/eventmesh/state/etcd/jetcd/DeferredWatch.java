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
package org.apache.eventmesh.state.etcd.jetcd;

import org.apache.eventmesh.state.etcd.client.WatchStream;
import org.jspecify.annotations.Nullable;

/** A watch whose stream may still wait for a login. */
final class DeferredWatch implements WatchStream {
    private @Nullable JetcdWatch stream;
    private boolean closed;

    void is(JetcdWatch known) {
        boolean late;
        synchronized (this) {
            stream = known;
            late = closed;
        }
        if (late) {
            known.close();
        }
    }

    @Override
    public void requestProgress() {
        JetcdWatch known;
        synchronized (this) {
            known = stream;
        }
        if (known != null) {
            known.requestProgress();
        }
    }

    @Override
    public void close() {
        JetcdWatch known;
        synchronized (this) {
            closed = true;
            known = stream;
        }
        if (known != null) {
            known.close();
        }
    }
}
