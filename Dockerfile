# docker build --tag changelogd .                          for this machine
# docker build --tag changelogd --platform linux/arm64 .   for another one, without emulating it
#
# The bases are arguments, so that an image can be built where others are mirrored or made by hand. To use programs that
# are built already, as releases do: --build-context programs=DIRECTORY, with amd64/changelogd and arm64/changelogd in it.
ARG BUILD_BASE=docker.io/oven/bun:1.4.4-slim
ARG RUN_BASE=scratch

# On the platform of the image. No command runs here.
FROM ${BUILD_BASE} AS libraries

FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS programs
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
ARG COMMIT=
ARG TARGETARCH
RUN case "$TARGETARCH" in amd64) cpu=x64 ;; *) cpu=$TARGETARCH ;; esac \
 && bun run build --target "linux-$cpu" ${COMMIT:+--commit "$COMMIT"} \
 && install -D dist/changelogd "/$TARGETARCH/changelogd"

FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
ARG TARGETARCH
# What the binary links against, at the places where it looks for it.
COPY --from=libraries /usr/lib/ /libraries/
RUN case "$TARGETARCH" in amd64) loader=lib64/ld-linux-x86-64.so.2 ;; arm64) loader=lib/ld-linux-aarch64.so.1 ;; esac \
 && for directory in /libraries/*-linux-gnu; do \
      into=/image/lib/$(basename "$directory") && mkdir -p "$into" "/image/$(dirname "$loader")" \
      && for library in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2; do cp -L "$directory/$library" "$into/"; done \
      && cp -L "$directory/$(basename "$loader")" "/image/$loader"; \
    done \
 && install -d -m 0700 /state/data
COPY --from=programs --chmod=755 /$TARGETARCH/changelogd /image/changelogd

FROM ${RUN_BASE}
ARG VERSION=
ARG COMMIT=
LABEL org.opencontainers.image.title=changelogd \
      org.opencontainers.image.description="Stores product changelogs and serves them over HTTP." \
      org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.revision=$COMMIT
COPY --from=build /image/ /
COPY --from=build --chown=65532:65532 /state/ /
USER 65532:65532
ENV HOST=0.0.0.0 DATABASE_URL=file:/data/changelogd.db
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=6s --start-period=5s CMD ["/changelogd", "healthcheck"]
ENTRYPOINT ["/changelogd"]
CMD ["serve"]
