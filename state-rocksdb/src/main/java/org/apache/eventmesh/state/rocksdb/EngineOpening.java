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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From an address to an engine, or to a message that says what to do. */
final class EngineOpening {
    private static final Logger LOG = LoggerFactory.getLogger(EngineOpening.class);

    private EngineOpening() {}

    static RocksEngine open(EngineConfig config, RocksSettings settings, RocksAddress address) {
        RocksEngine engine = BoundedCall.within(
                config.deadline(),
                "open " + config.uri(),
                () -> claimAndOpen(config, settings, address),
                RocksEngine::close);
        // Not before the caller has it: what he left behind is given back, and whoever opens next may wait for that.
        engine.claim().settled();
        return engine;
    }

    private static RocksEngine claimAndOpen(EngineConfig config, RocksSettings settings, RocksAddress address) {
        NativeLibrary.load();
        StateDirectory.prepare(config.uri(), address.real());
        // Now that it exists, it has its real name for certain.
        OpenPlaces.Claim claim = OpenPlaces.claim(config.uri(), address.real(), config.deadline());
        try {
            // Looked at once more: an opening that was left behind may have ended only now.
            StateDirectory directory = StateDirectory.prepare(config.uri(), address.real());
            return open(config, settings, directory, claim);
        } catch (RuntimeException | Error e) {
            claim.release();
            throw e;
        }
    }

    private static RocksEngine open(
            EngineConfig config, RocksSettings settings, StateDirectory directory, OpenPlaces.Claim claim) {
        Path path = directory.path();
        Holder holder = new Holder(path);
        RecoveryReport report = RecoveryReport.before(path, holder);
        mustBeFree(config.uri(), path, holder);
        OpenDatabase opened;
        try {
            opened = OpenDatabase.open(path, settings, directory.life());
        } catch (RocksDBException e) {
            throw explain(config.uri(), settings, path, holder, e);
        }
        try {
            directory.opened();
            holder.write(config.clock().instant());
            report.log(config.uri(), opened);
            return new RocksEngine(config, settings, path, claim, holder, opened);
        } catch (IOException e) {
            giveBack(opened, holder);
            throw new StoreUnavailableException(
                    config.uri() + " cannot be opened: the file that says who has " + path + " open cannot be written: "
                            + e + "; let this process write it, or look at the disk",
                    e);
        } catch (RuntimeException | Error e) {
            // A file of ours that cannot be written says so itself. Also what is no fault of the disk, such as a clock
            // that throws: else it stays open until the process ends.
            giveBack(opened, holder);
            throw e;
        }
    }

    private static void giveBack(OpenDatabase opened, Holder holder) {
        OpenDatabase.closeUnused(opened.database());
        try {
            holder.release();
        } catch (IOException e) {
            LOG.debug("The failure that brought us here says more", e);
        }
    }

    /** RocksDB puts the log file of its owner aside before it finds that somebody else has the lock. */
    private static void mustBeFree(String uri, Path path, Holder holder) {
        try {
            Optional<Path> linked = holder.linked();
            if (linked.isPresent()) {
                throw new StoreUnavailableException(uri + " cannot be opened: " + linked.get()
                        + " is no file of its own but a link; nothing was changed. Delete it when no process has the"
                        + " directory open");
            }
        } catch (IOException e) {
            throw new StoreUnavailableException(uri + " cannot be opened: " + e + "; look at the disk", e);
        }
        if (holder.isLockedElsewhere()) {
            throw inUse(uri, path, holder, "its locks are held", null);
        }
    }

    private static StoreUnavailableException inUse(
            String uri, Path path, Holder holder, String reason, @Nullable Throwable cause) {
        return new StoreUnavailableException(
                uri + " cannot be opened: " + holder.describe() + " has " + path + " open (" + reason
                        + "); one process at a time: stop that one, or name another directory",
                cause);
    }

    /**
     * The same directory, after the database was closed because of a failure. The write that failed may have torn its log,
     * which is no damage to refuse, however strict: that what was answered for is there is looked at by who asks.
     */
    static OpenDatabase openAgain(String uri, RocksSettings settings, Path path) throws RocksDBException {
        if (!Files.exists(path.resolve(Marker.NAME))) {
            // RocksDB would make the directory anew, in the way of whoever puts it back.
            throw new StoreUnavailableException(
                    uri + " cannot be opened again: " + path.resolve(Marker.NAME)
                            + " is gone; put the directory back, or close the store set and restore a checkpoint (docs/rocksdb.md)");
        }
        OpenDatabase opened = OpenDatabase.open(path, settings.lenient(), OpenDatabase.Life.GOES_ON);
        RecoveryReport.logDropped(uri, path);
        return opened;
    }

    private static StateStoreException explain(
            String uri, RocksSettings settings, Path path, Holder holder, RocksDBException e) {
        String reason = Failures.reason(e);
        String told = uri + " cannot be opened: ";
        Status.Code code = Failures.code(e);
        if (reason.contains("lock hold by current process")) {
            return new StoreUnavailableException(
                    told + "this process (" + ProcessHandle.current().pid() + ") has " + path + " open already ("
                            + reason + "); close it first, or name another directory",
                    e);
        }
        if (reason.contains("While lock file")) {
            return inUse(uri, path, holder, reason, e);
        }
        if (Failures.isDamage(e) || reason.contains("does not exist") || reason.contains("No such file")) {
            String torn =
                    settings.strictRecovery() ? "; " + RocksSettings.OPEN_ONCE_WITHOUT_STRICT + "; else " : " and ";
            return new CorruptStateException(
                    told + "files in " + path + " are damaged or missing: " + reason
                            + "; nothing was repaired. Keep a copy of the directory" + torn
                            + "restore a checkpoint (docs/rocksdb.md)",
                    e);
        }
        if (code == Status.Code.NotSupported || code == Status.Code.InvalidArgument) {
            return new IncompatibleFormatException(
                    told + path + " was written by another version: " + reason + "; open it with that version", e);
        }
        String remedy = Failures.isNoSpace(e) ? "; free some space on that disk" : "; look at the disk and at " + path;
        return new StoreUnavailableException(told + reason + remedy, e);
    }
}
