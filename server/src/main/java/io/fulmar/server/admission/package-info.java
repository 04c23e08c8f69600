/**
 * When a statement may run, and when it must stop: {@link
 * io.fulmar.server.admission.AdmissionController} and {@link
 * io.fulmar.server.admission.Cancellation}.
 *
 * <p>May use {@code server.config} and error codes.
 */
package io.fulmar.server.admission;
