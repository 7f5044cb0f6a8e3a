# The tool in a small image:
#
#   docker build -t tracehound .
#   docker run --rm -v "$PWD:/models" tracehound check ferry.csp
#
# The workbench listens on loopback only, so it is opened on the machine itself, not in here.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN cargo install --locked --path crates/tool --root /installed

FROM debian:bookworm-slim
COPY --from=build /installed/bin/tracehound /usr/local/bin/tracehound
COPY --from=build /build/docs/man /usr/local/share/man/man1
COPY --from=build /build/LICENSE-MIT /build/LICENSE-APACHE /usr/local/share/doc/tracehound/
# Nothing it does needs more rights than those of whoever reads scripts.
USER nobody
WORKDIR /models
ENTRYPOINT ["tracehound"]
CMD ["--help"]
