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
package org.apache.eventmesh.state.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.tck.kit.StoreFixture;

/** A place on an ext4 of its own, which can be shut down. For one thread. */
final class Ext4Place implements StoreFixture, StoreFixture.Power {
    private final Path image;
    private final Path directory;
    private Mount mount;

    private Ext4Place(Path image, Path directory, Mount mount) {
        this.image = image;
        this.directory = directory;
        this.mount = mount;
    }

    /** Skips the test where file systems cannot be mounted. */
    static Ext4Place make(Path temporary) throws IOException, InterruptedException {
        Path image = temporary.resolve("image");
        Path directory = Files.createDirectory(temporary.resolve("mount"));
        Mount.makeExt4(image, 512);
        return new Ext4Place(image, directory, Mount.ext4(image, directory));
    }

    @Override
    public EngineProvider provider() {
        return new RocksEngineProvider();
    }

    @Override
    public String uri() {
        return Engines.uri(directory.resolve("state"));
    }

    @Override
    public Optional<Power> power() {
        return Optional.of(this);
    }

    @Override
    public void lose(Duration in, Random random) {
        unchecked(() -> mount.losePower(in.toMillis() / 1e3, random.nextBoolean()));
    }

    @Override
    public Path gone() {
        return mount.powerGone();
    }

    @Override
    public void back() {
        mount.unmount();
        unchecked(() -> mount = Mount.ext4(image, directory));
    }

    @Override
    public void close() {
        unchecked(mount::close);
    }

    private interface Step {
        void take() throws IOException, InterruptedException;
    }

    private static void unchecked(Step step) {
        try {
            step.take();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a file system was mounted or shut down", e);
        }
    }
}
