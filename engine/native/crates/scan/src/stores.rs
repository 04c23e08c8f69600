//! Clients of object stores, made from the properties of Iceberg's FileIO (`s3.*`, `gcs.*`, `adls.*`, `client.*`, `http-client.*`).
//!
//! How often a request is tried again, how long it may take and how many run at once is what Iceberg's S3 client is told, in its
//! property names and units, for the other stores too.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use fulmar_error::{EngineError, ErrorCode, Result};
use object_store::aws::AmazonS3Builder;
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GcpCredential, GoogleCloudStorageBuilder};
use object_store::limit::LimitStore;
use object_store::path::Path as ObjectPath;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig, StaticCredentialProvider};
use parking_lot::Mutex;

/// Clients that are kept: credentials that a catalog gives out change with every hour, and with them the client.
const MAX_STORES: usize = 64;

/// No request is tried again after this, however many tries are left.
const RETRY_TIMEOUT: Duration = Duration::from_secs(180);

type Properties = HashMap<String, String>;
type StoreKey = (String, BTreeMap<String, String>);

/// The clients, by scheme, bucket and properties; beyond a bound the one that was not used for longest goes.
pub(crate) struct Stores {
    kept: Mutex<Vec<(StoreKey, Arc<dyn ObjectStore>)>>,
}

impl Stores {
    pub(crate) fn new() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }

    /// The store of a location, and the location's path in it.
    pub(crate) fn of(
        &self,
        location: &str,
        properties: &Properties,
    ) -> Result<(Arc<dyn ObjectStore>, ObjectPath)> {
        let (scheme, rest) = location
            .split_once("://")
            .ok_or_else(|| unsupported(format!("No storage for location '{location}'")))?;
        let (bucket, key) =
            rest.split_once('/').ok_or_else(|| unsupported(format!("Location '{location}' has no key")))?;
        let path = ObjectPath::parse(key)
            .map_err(|error| unsupported(format!("Key '{key}' cannot be addressed: {error}")))?;
        let relevant = properties.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let store_key = (format!("{scheme}://{bucket}"), relevant);
        let mut kept = self.kept.lock();
        if let Some(at) = kept.iter().position(|(key, _)| *key == store_key) {
            let entry = kept.remove(at);
            let store = Arc::clone(&entry.1);
            kept.push(entry);
            return Ok((store, path));
        }
        let store = build(scheme, bucket, properties)?;
        if kept.len() >= MAX_STORES {
            kept.remove(0);
        }
        kept.push((store_key, Arc::clone(&store)));
        Ok((store, path))
    }
}

fn unsupported(message: String) -> EngineError {
    EngineError::new(ErrorCode::Unsupported, message)
}

fn build(scheme: &str, bucket: &str, properties: &Properties) -> Result<Arc<dyn ObjectStore>> {
    let requests = Requests::of(properties)?;
    let store: Arc<dyn ObjectStore> = match scheme {
        "s3" | "s3a" | "s3n" => Arc::new(s3(bucket, properties, &requests).build()?),
        "gs" | "gcs" => Arc::new(gcs(bucket, properties, &requests).build()?),
        "abfs" | "abfss" | "wasb" | "wasbs" => Arc::new(azure(bucket, properties, &requests)?.build()?),
        other => return Err(unsupported(format!("No storage for scheme '{other}'"))),
    };
    Ok(Arc::new(LimitStore::new(store, requests.at_once)))
}

/// How requests are made.
struct Requests {
    retry: RetryConfig,
    timeout: Duration,
    connect_timeout: Duration,
    at_once: usize,
}

impl Requests {
    fn of(properties: &Properties) -> Result<Self> {
        let backoff = BackoffConfig {
            init_backoff: millis(properties, "s3.retry.min-wait-ms", 100)?,
            max_backoff: millis(properties, "s3.retry.max-wait-ms", 15_000)?,
            ..BackoffConfig::default()
        };
        let retries = number(properties, "s3.retry.num-retries", 5)?;
        Ok(Self {
            retry: RetryConfig { backoff, max_retries: count(retries), retry_timeout: RETRY_TIMEOUT },
            timeout: millis(properties, "http-client.apache.socket-timeout-ms", 30_000)?,
            connect_timeout: millis(properties, "http-client.apache.connection-timeout-ms", 5_000)?,
            at_once: count(number(properties, "http-client.apache.max-connections", 50)?).max(1),
        })
    }

    fn client(&self, plain_http: bool) -> ClientOptions {
        ClientOptions::new()
            .with_timeout(self.timeout)
            .with_connect_timeout(self.connect_timeout)
            .with_pool_max_idle_per_host(self.at_once)
            .with_allow_http(plain_http)
    }
}

fn millis(properties: &Properties, name: &str, default: u64) -> Result<Duration> {
    number(properties, name, default).map(Duration::from_millis)
}

fn number(properties: &Properties, name: &str, default: u64) -> Result<u64> {
    let Some(text) = properties.get(name) else { return Ok(default) };
    text.trim().parse().map_err(|_| {
        EngineError::new(ErrorCode::InvalidArgument, format!("The property {name} is '{text}', not a number"))
    })
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).min(tokio::sync::Semaphore::MAX_PERMITS)
}

fn s3(bucket: &str, properties: &Properties, requests: &Requests) -> AmazonS3Builder {
    let endpoint = properties.get("s3.endpoint");
    let plain_http = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_retry(requests.retry.clone())
        .with_client_options(requests.client(plain_http));
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(key) = properties.get("s3.access-key-id") {
        builder = builder.with_access_key_id(key);
    }
    if let Some(secret) = properties.get("s3.secret-access-key") {
        builder = builder.with_secret_access_key(secret);
    }
    if let Some(token) = properties.get("s3.session-token") {
        builder = builder.with_token(token);
    }
    let region = properties.get("client.region").or_else(|| properties.get("s3.region"));
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    let path_style = properties.get("s3.path-style-access").is_some_and(|value| value == "true");
    builder.with_virtual_hosted_style_request(!path_style)
}

fn gcs(bucket: &str, properties: &Properties, requests: &Requests) -> GoogleCloudStorageBuilder {
    let host = properties.get("gcs.service.host");
    let plain_http = host.is_some_and(|host| host.starts_with("http://"));
    let mut builder = GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(bucket)
        .with_retry(requests.retry.clone())
        .with_client_options(requests.client(plain_http));
    if let Some(host) = host {
        builder = builder.with_base_url(host);
    }
    if let Some(token) = properties.get("gcs.oauth2.token") {
        let credential = GcpCredential { bearer: token.clone() };
        builder = builder.with_credentials(Arc::new(StaticCredentialProvider::new(credential)));
    }
    if properties.get("gcs.no-auth").is_some_and(|value| value == "true") {
        builder = builder.with_skip_signature(true);
    }
    builder
}

/// A location's authority is `container@account.suffix`; some properties are there for each account, by its name or its host.
fn azure(bucket: &str, properties: &Properties, requests: &Requests) -> Result<MicrosoftAzureBuilder> {
    let (container, host) = bucket.split_once('@').ok_or_else(|| {
        unsupported(format!(
            "The location's '{bucket}' names no account: container@account.dfs.core.windows.net"
        ))
    })?;
    let account = host.split('.').next().unwrap_or(host);
    let of_account = |prefix: &str| {
        properties.get(&format!("{prefix}.{host}")).or_else(|| properties.get(&format!("{prefix}.{account}")))
    };
    let endpoint = of_account("adls.connection-string");
    let plain_http = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_container_name(container)
        .with_account(account)
        .with_use_fabric_endpoint(host.ends_with(".fabric.microsoft.com"))
        .with_retry(requests.retry.clone())
        .with_client_options(requests.client(plain_http));
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint.clone());
    }
    if let Some(key) = properties.get("adls.auth.shared-key.account.key") {
        builder = builder.with_access_key(key);
    }
    if let Some(token) = of_account("adls.sas-token") {
        builder = builder.with_config(AzureConfigKey::SasKey, token.trim_start_matches('?'));
    }
    if let Some(token) = properties.get("adls.token") {
        builder = builder.with_bearer_token_authorization(token);
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use object_store::ClientConfigKey;
    use object_store::aws::AmazonS3ConfigKey;
    use object_store::gcp::GoogleConfigKey;

    use super::*;

    fn properties(pairs: &[(&str, &str)]) -> Properties {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn requests(pairs: &[(&str, &str)]) -> Result<Requests> {
        Requests::of(&properties(pairs))
    }

    #[test]
    fn requests_follow_icebergs_properties() -> Result<()> {
        let default = requests(&[])?;
        assert_eq!((default.retry.max_retries, default.at_once), (5, 50));
        let told = requests(&[
            ("s3.retry.num-retries", "2"),
            ("s3.retry.min-wait-ms", "7"),
            ("http-client.apache.socket-timeout-ms", "1500"),
            ("http-client.apache.max-connections", "3"),
        ])?;
        assert_eq!((told.retry.max_retries, told.at_once), (2, 3));
        assert_eq!(told.retry.backoff.init_backoff, Duration::from_millis(7));
        assert_eq!(
            told.client(false).get_config_value(&ClientConfigKey::Timeout),
            Some("1s 500ms".to_owned())
        );
        let wrong = requests(&[("s3.retry.num-retries", "often")]).err().map(|error| error.to_string());
        assert_eq!(wrong.as_deref(), Some("The property s3.retry.num-retries is 'often', not a number"));
        Ok(())
    }

    #[test]
    fn s3_properties() -> Result<()> {
        let told = properties(&[
            ("s3.endpoint", "http://store:9000"),
            ("s3.access-key-id", "key"),
            ("s3.session-token", "token"),
            ("client.region", "eu-west-1"),
            ("s3.path-style-access", "true"),
        ]);
        let builder = s3("bucket", &told, &requests(&[])?);
        let value = |key| builder.get_config_value(&key);
        assert_eq!(value(AmazonS3ConfigKey::Endpoint).as_deref(), Some("http://store:9000"));
        assert_eq!(value(AmazonS3ConfigKey::AccessKeyId).as_deref(), Some("key"));
        assert_eq!(value(AmazonS3ConfigKey::Token).as_deref(), Some("token"));
        assert_eq!(value(AmazonS3ConfigKey::Region).as_deref(), Some("eu-west-1"));
        assert_eq!(value(AmazonS3ConfigKey::VirtualHostedStyleRequest).as_deref(), Some("false"));
        assert_eq!(
            value(AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp)).as_deref(),
            Some("true"),
            "plain HTTP where the endpoint says so"
        );
        Ok(())
    }

    #[test]
    fn azure_properties() -> Result<()> {
        let told = properties(&[
            ("adls.sas-token.other", "sig=other"),
            ("adls.sas-token.account.dfs.core.windows.net", "?sv=2024&sig=a%2Fb"),
            ("adls.auth.shared-key.account.key", "a2V5"),
        ]);
        for host in ["account.dfs.core.windows.net", "account.blob.core.windows.net"] {
            let told = if host.contains("dfs") {
                told.clone()
            } else {
                properties(&[("adls.sas-token.account", "sv=2024&sig=a%2Fb")])
            };
            let builder = azure(&format!("lake@{host}"), &told, &requests(&[])?)?;
            let value = |key| builder.get_config_value(&key);
            assert_eq!(value(AzureConfigKey::AccountName).as_deref(), Some("account"));
            assert_eq!(value(AzureConfigKey::ContainerName).as_deref(), Some("lake"));
            assert_eq!(value(AzureConfigKey::SasKey).as_deref(), Some("sv=2024&sig=a%2Fb"));
        }
        assert!(azure("lake", &told, &requests(&[])?).is_err(), "no account");
        Ok(())
    }

    #[test]
    fn gcs_properties() -> Result<()> {
        let told = properties(&[("gcs.no-auth", "true"), ("gcs.service.host", "http://localhost:4443")]);
        let builder = gcs("bucket", &told, &requests(&[])?);
        let value = |key| builder.get_config_value(&key);
        assert_eq!(value(GoogleConfigKey::Bucket).as_deref(), Some("bucket"));
        assert_eq!(value(GoogleConfigKey::SkipSignature).as_deref(), Some("true"));
        Ok(())
    }

    #[test]
    fn stores_are_bounded() -> Result<()> {
        let stores = Stores::new();
        let told = |token: usize| {
            properties(&[("client.region", "eu-west-1"), ("s3.session-token", &token.to_string())])
        };
        let (first, _) = stores.of("s3://bucket/a", &told(0))?;
        let (again, path) = stores.of("s3://bucket/b/c", &told(0))?;
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(path.as_ref(), "b/c");
        for token in 1..=MAX_STORES {
            stores.of("s3://bucket/a", &told(token))?;
        }
        assert_eq!(stores.kept.lock().len(), MAX_STORES);
        let (fresh, _) = stores.of("s3://bucket/a", &told(0))?;
        assert!(!Arc::ptr_eq(&first, &fresh), "the one that was not used for longest went");
        Ok(())
    }
}
