/**
 * The server program: {@link io.fulmar.server.Main} runs the command line, {@link
 * io.fulmar.server.FulmarServer} wires the parts of a running server.
 */
package io.fulmar.server;
