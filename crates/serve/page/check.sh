#!/bin/sh
# Whether the committed page is what its sources give, byte by byte, and whether a browser shows it. The first argument is the binary to
# serve it with.
set -eu
cd "$(dirname "$0")"

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "skipped: there is no Node, so the page is not built again and not looked at"
  exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund
npm run --silent types
node --test test/questions.test.mjs
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node build.mjs "$fresh"
diff -r "$fresh" ../assets || { echo "the committed page is stale: run \`npm run build\` in crates/serve/page"; exit 1; }

if ! command -v chromium >/dev/null && ! command -v chromium-headless-shell >/dev/null && [ -z "${TRACEHOUND_CHROMIUM:-}" ]; then
  echo "skipped: there is no Chromium, so nobody looks at the page"
  exit 0
fi
TRACEHOUND="${1:?the binary}" npm run --silent test
