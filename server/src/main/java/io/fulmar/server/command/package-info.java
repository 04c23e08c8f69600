/**
 * The command line: {@link io.fulmar.server.command.FulmarCommand} and its subcommands {@code
 * serve}, {@code sql} and {@code demo}.
 *
 * <p>{@code sql} is a Flight SQL client and knows the server only by the wire; the others start
 * one.
 */
package io.fulmar.server.command;
