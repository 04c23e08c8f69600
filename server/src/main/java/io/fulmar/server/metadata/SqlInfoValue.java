package io.fulmar.server.metadata;

import java.util.List;

/** A value of GetSqlInfo: the member of the union that drivers expect for the id. */
sealed interface SqlInfoValue {
  /** Union member {@code string_value}. */
  record Text(String value) implements SqlInfoValue {}

  /** Union member {@code bool_value}. */
  record Flag(boolean value) implements SqlInfoValue {}

  /** Union member {@code bigint_value}. */
  record Big(long value) implements SqlInfoValue {}

  /** Union member {@code int32_bitmask}. */
  record Bits(int value) implements SqlInfoValue {}

  /** Union member {@code string_list}. */
  record Texts(List<String> values) implements SqlInfoValue {
    public Texts {
      values = List.copyOf(values);
    }
  }

  /** Union member {@code int32_to_int32_list_map}, always empty. */
  record EmptyMap() implements SqlInfoValue {}
}
