/** Call sites: what a runtime writes against this API, compiled so that it stays true. */
@NullMarked
package org.apache.eventmesh.state.example;

import org.jspecify.annotations.NullMarked;
