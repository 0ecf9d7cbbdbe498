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
package org.apache.eventmesh.state.inmemory.mutant;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.Slice;

/** Failures that become answers. Called by the code that {@link PassedOn} writes, from other packages. */
public final class Swallowed {
    private Swallowed() {}

    /** What could not be read is not there. */
    public static CompletionStage<List<Entry>> read(CompletionStage<List<Entry>> read) {
        return read.exceptionally(failure -> List.of());
    }

    /** What could not be listed is empty. */
    public static CompletionStage<Slice> scan(CompletionStage<Slice> scan) {
        return scan.exceptionally(failure -> new Slice(List.of(), 0, false));
    }
}
