/**
 * The demo: a small dispatcher in a process of its own, killed in the middle of its work, and a world around it (broker
 * and clients) that keeps the books.
 */
@NullMarked
package org.apache.eventmesh.state.cli.demo;

import org.jspecify.annotations.NullMarked;
