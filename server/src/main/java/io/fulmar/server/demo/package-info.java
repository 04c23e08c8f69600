/**
 * The demo warehouse of {@code fulmar demo}: real Iceberg tables with every kind of delete. Entry
 * class: {@link io.fulmar.server.demo.DemoWarehouse}. Uses Iceberg's writers only; nothing of
 * sessions, planning or the engine.
 */
package io.fulmar.server.demo;
