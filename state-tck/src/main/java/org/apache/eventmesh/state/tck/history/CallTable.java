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
package org.apache.eventmesh.state.tck.history;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.eventmesh.state.owner.Token;

/** Calls as people read them. */
final class CallTable {
    private CallTable() {}

    /** Times are counted from 1, as only their order says something. */
    static <I, O> String of(List<Call<I, O>> calls) {
        List<Long> times = new ArrayList<>(new TreeSet<>(calls.stream()
                .flatMap(call -> Stream.of(call.started(), call.ended()))
                .toList()));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("from", "to", "caller", "call", "answer"));
        for (Call<I, O> call : calls) {
            rows.add(List.of(
                    String.valueOf(times.indexOf(call.started()) + 1),
                    call.ended() == Call.NEVER ? "-" : String.valueOf(times.indexOf(call.ended()) + 1),
                    call.caller(),
                    String.valueOf(call.input()),
                    call.output().map(CallTable::shown).orElse("unknown")));
        }
        return text(rows);
    }

    /** A token's other parts say nothing here. */
    private static String shown(Object output) {
        return output instanceof Token<?> token
                ? "epoch " + token.epoch() + " of " + token.holder().instance()
                : output.toString();
    }

    private static String text(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(each -> each.get(at).length())
                        .max()
                        .orElse(0);
                line.append(row.get(column))
                        .append(" ".repeat(width - row.get(column).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
