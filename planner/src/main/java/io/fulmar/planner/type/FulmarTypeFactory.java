package io.fulmar.planner.type;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;

/** Calcite's type factory with our rules; text is UTF-8. Safe for use by several threads. */
public final class FulmarTypeFactory extends JavaTypeFactoryImpl {
  public FulmarTypeFactory() {
    super(FulmarTypeSystem.INSTANCE);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }
}
