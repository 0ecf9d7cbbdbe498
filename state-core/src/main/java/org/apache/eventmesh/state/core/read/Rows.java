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

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.engine.Entry;

/**
 * Makes rows of what was scanned, in order: one for each entry, or one for several with a key behind which the listing goes
 * on. At least one, when something was scanned.
 */
public interface Rows<T> {
    /** The rows; a failure fails the page. */
    CompletionStage<List<Row<T>>> of(List<Entry> scanned, Backend backend);
}
