/** How operations reach the engine: one queue of commits, deadlines, and answers on the callback executor. */
@NullMarked
package org.apache.eventmesh.state.core.commit;

import org.jspecify.annotations.NullMarked;
