# syntax=docker/dockerfile:1
# Builds the server from a checkout: the native engine takes about half an hour on two cores.
FROM rust:1.95-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jdk-headless python3 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /fulmar
COPY . .
ENV FULMAR_CARGO_TARGET=/cache/cargo-target
RUN --mount=type=cache,target=/cache --mount=type=cache,target=/root/.m2 \
    ./mvnw --batch-mode -DskipTests -pl server -am package \
    && mkdir -p /dist/lib/native \
    && cp server/target/lib/*.jar /dist/lib/ \
    && cp server/target/fulmar-server-*.jar /dist/lib/ \
    && cp engine/target/native/libfulmar.so /dist/lib/native/

FROM eclipse-temurin:17-jre-jammy
RUN useradd --create-home --uid 10001 fulmar && mkdir /data && chown fulmar /data
COPY --from=build /dist /opt/fulmar
USER fulmar
ENV FULMAR_NATIVE_LIBRARY=/opt/fulmar/lib/native/libfulmar.so
EXPOSE 32010
VOLUME /data
ENTRYPOINT ["java", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dsun.jnu.encoding=UTF-8", "-Xmx1g", "-XX:MaxDirectMemorySize=1g", \
    "-Dfulmar.home=/data", "-cp", "/opt/fulmar/lib/*", "io.fulmar.server.Main"]
CMD ["serve", "--set", "server.host=0.0.0.0", "--set", "server.open-access=true"]
