//! Rust's log goes to `JniBridge.log`, which hands it to slf4j.

use std::sync::Once;

use jni::objects::{GlobalRef, JValue};
use jni::{JNIEnv, JavaVM};
use log::{Level, LevelFilter, Log, Metadata, Record};

static SETUP: Once = Once::new();

/// Starts logging to Java; later calls do nothing.
pub fn start(env: &JNIEnv<'_>, bridge: &jni::objects::JClass<'_>) {
    SETUP.call_once(|| {
        let (Ok(vm), Ok(bridge)) = (env.get_java_vm(), env.new_global_ref(bridge)) else {
            return;
        };
        if log::set_boxed_logger(Box::new(JavaLog { vm, bridge })).is_ok() {
            log::set_max_level(LevelFilter::Info);
        }
        std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    });
}

struct JavaLog {
    vm: JavaVM,
    bridge: GlobalRef,
}

impl Log for JavaLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let most = if metadata.target().starts_with("fulmar") { Level::Info } else { Level::Warn };
        metadata.level() <= most
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            // A line that cannot be logged is lost: there is nowhere to say so.
            let _ = self.pass_on(record);
        }
    }

    fn flush(&self) {}
}

impl JavaLog {
    fn pass_on(&self, record: &Record<'_>) -> jni::errors::Result<()> {
        let mut env = self.vm.attach_current_thread_as_daemon()?;
        if env.exception_check()? {
            return Ok(()); // no call may be made before Java sees it
        }
        let level = record.level() as i32;
        let logged = env.with_local_frame(4, |env| {
            let target = env.new_string(record.target())?;
            let message = env.new_string(record.args().to_string())?;
            let arguments = [JValue::Int(level), JValue::Object(&target), JValue::Object(&message)];
            let class = <&jni::objects::JClass<'_>>::from(self.bridge.as_obj());
            env.call_static_method(class, "log", "(ILjava/lang/String;Ljava/lang/String;)V", &arguments)?;
            Ok::<_, jni::errors::Error>(())
        });
        if logged.is_err() {
            env.exception_clear()?;
        }
        logged
    }
}
