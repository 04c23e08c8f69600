package io.fulmar.server.flight;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import org.apache.arrow.flight.SessionOptionValueVisitor;

/** An option's value as text, since drivers send numbers and booleans either way. */
final class OptionText implements SessionOptionValueVisitor<String> {
  @Override
  public String visit(String value) {
    return value;
  }

  @Override
  public String visit(boolean value) {
    return String.valueOf(value);
  }

  @Override
  public String visit(long value) {
    return String.valueOf(value);
  }

  @Override
  public String visit(double value) {
    return String.valueOf(value);
  }

  @Override
  public String visit(String[] value) {
    throw new FulmarException(ErrorCode.INVALID_SETTING, "No option takes a list");
  }

  @Override
  public String visit(Void value) {
    throw new FulmarException(ErrorCode.INVALID_SETTING, "The option has no value");
  }
}
