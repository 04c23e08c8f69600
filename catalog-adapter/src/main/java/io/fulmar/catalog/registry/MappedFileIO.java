package io.fulmar.catalog.registry;

import io.fulmar.catalog.error.ErrorCode;
import io.fulmar.catalog.error.FulmarException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.StorageCredential;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.io.SupportsStorageCredentials;

/**
 * The FileIO of every catalog: maps a path of the metadata to the address of its bytes. Local files
 * are read by their raw path, others by the FileIO that the catalog's {@code io-impl} names, else
 * by Iceberg's for the scheme, else by Hadoop's. Files answer to their metadata path. Public
 * because Iceberg makes it by reflection.
 */
public final class MappedFileIO implements DelegateFileIO, SupportsStorageCredentials {
  /** The {@code io-impl} that the catalog's settings ask for. */
  static final String REMOTE_IO_IMPL = "fulmar.remote-io-impl";

  private static final long serialVersionUID = 1L;
  private static final String HADOOP_IO = "org.apache.iceberg.hadoop.HadoopFileIO";
  private static final String S3_IO = "org.apache.iceberg.aws.s3.S3FileIO";
  private static final String GCS_IO = "org.apache.iceberg.gcp.gcs.GCSFileIO";
  private static final String AZURE_IO = "org.apache.iceberg.azure.adlsv2.ADLSFileIO";
  private static final Map<String, String> BY_SCHEME =
      Map.of(
          "s3", S3_IO, "s3a", S3_IO, "s3n", S3_IO, "gs", GCS_IO, "abfs", AZURE_IO, "abfss",
          AZURE_IO, "wasb", AZURE_IO, "wasbs", AZURE_IO);

  private transient PathMapping mapping = PathMapping.of(Map.of());
  private final transient Map<String, FileIO> remotes = new HashMap<>();
  private Map<String, String> properties = Map.of();
  private transient List<StorageCredential> credentials = List.of();

  @Override
  public void initialize(Map<String, String> newProperties) {
    this.properties = Map.copyOf(newProperties);
    this.mapping = PathMapping.fromProperties(newProperties);
  }

  @Override
  public InputFile newInputFile(String path) {
    MetadataReads.opening(path);
    String address = mapping.map(path);
    return isLocal(address)
        ? new LocalInputFile(path, LocalFiles.path(address))
        : new RelocatedInputFile(path, remote(address).newInputFile(address));
  }

  /**
   * A file whose reading fails where its length is not the one that metadata states: it is cut, or
   * another file. A length of 0 states nothing.
   */
  @Override
  public InputFile newInputFile(String path, long length) {
    String address = mapping.map(path);
    if (length <= 0) {
      return newInputFile(path);
    }
    return isLocal(address)
        ? new StatedInputFile(newInputFile(path), length)
        : new StatedInputFile(
            new RelocatedInputFile(path, remote(address).newInputFile(address, length)), length);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    String address = mapping.map(path);
    return isLocal(address)
        ? new LocalOutputFile(path, LocalFiles.path(address))
        : new RelocatedOutputFile(path, remote(address).newOutputFile(address));
  }

  @Override
  public void deleteFile(String path) {
    String address = mapping.map(path);
    if (isLocal(address)) {
      LocalFiles.delete(path, LocalFiles.path(address));
    } else {
      remote(address).deleteFile(address);
    }
  }

  @Override
  public void deleteFiles(Iterable<String> paths) {
    paths.forEach(this::deleteFile);
  }

  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    String address = mapping.map(prefix);
    if (isLocal(address)) {
      return LocalFiles.list(prefix, address);
    }

    List<FileInfo> found = new ArrayList<>();
    for (FileInfo file : listable(address).listPrefix(address)) {
      String identity = prefix + file.location().substring(address.length());
      found.add(new FileInfo(identity, file.size(), file.createdAtMillis()));
    }
    return found;
  }

  @Override
  public void deletePrefix(String prefix) {
    listPrefix(prefix).forEach(file -> deleteFile(file.location()));
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public void setCredentials(List<StorageCredential> newCredentials) {
    this.credentials = List.copyOf(newCredentials);
  }

  @Override
  public List<StorageCredential> credentials() {
    return credentials;
  }

  @Override
  public synchronized void close() {
    remotes.values().forEach(FileIO::close);
    remotes.clear();
  }

  private SupportsPrefixOperations listable(String address) {
    FileIO remote = remote(address);
    if (remote instanceof SupportsPrefixOperations listable) {
      return listable;
    }
    throw new UnsupportedOperationException("The store of " + address + " cannot list files");
  }

  private synchronized FileIO remote(String address) {
    String scheme = address.substring(0, Math.max(0, address.indexOf("://")));
    String impl =
        Optional.ofNullable(properties.get(REMOTE_IO_IMPL))
            .orElseGet(() -> BY_SCHEME.getOrDefault(scheme, HADOOP_IO));
    return remotes.computeIfAbsent(impl, name -> load(name, address));
  }

  private FileIO load(String impl, String address) {
    try {
      Class.forName(impl);
    } catch (ClassNotFoundException e) {
      throw new FulmarException(
              ErrorCode.STORAGE_FAILED, "Nothing here reads " + address + ": no class " + impl, e)
          .withHint("Put the jar of that class beside the server's, or set the catalog's io-impl.");
    }
    return CatalogUtil.loadFileIO(impl, properties, new Configuration(), credentials);
  }

  private static boolean isLocal(String address) {
    return address.startsWith("file:");
  }
}
