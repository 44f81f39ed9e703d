# The bases are arguments, so that an image can be built where others are mirrored or made by hand.
ARG BUILD_BASE=docker.io/oven/bun:1.4.4-slim
ARG RUN_BASE=scratch

FROM ${BUILD_BASE} AS build
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun run build
# What the binary links against, at the places where it looks for it.
RUN mkdir -p /image /empty \
 && for library in $(ldd dist/changelogd | grep -o '/[^ ]*'); do \
      mkdir -p "/image$(dirname "$library")" && cp -L "$library" "/image$library"; \
    done \
 && cp dist/changelogd /image/changelogd

FROM ${RUN_BASE}
COPY --from=build /image/ /
COPY --from=build --chown=65532:65532 --chmod=700 /empty/ /data/
USER 65532:65532
ENV HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/changelogd.db
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/changelogd", "healthcheck"]
ENTRYPOINT ["/changelogd"]
CMD ["serve"]
