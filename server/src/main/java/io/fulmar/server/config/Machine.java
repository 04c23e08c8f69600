package io.fulmar.server.config;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** What the process was given. */
final class Machine {
  private Machine() {}

  /** Memory of the machine, or of the container that bounds it. */
  static long memoryBytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize();
  }

  static long maxHeapBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  /** {@code -XX:MaxDirectMemorySize}; without it the JVM allows as much as the heap. */
  static long maxDirectBytes() {
    HotSpotDiagnosticMXBean hotspot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option = Long.parseLong(hotspot.getVMOption("MaxDirectMemorySize").getValue());
    return option > 0 ? option : maxHeapBytes();
  }

  static Path home() {
    String home = System.getProperty("fulmar.home");
    Path folder =
        home == null ? Path.of(System.getProperty("user.home"), ".fulmar") : Path.of(home);
    return folder.toAbsolutePath().normalize();
  }
}
