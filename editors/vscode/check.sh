#!/bin/sh
# Builds the extension and packs it with its own tool. Needs npm and the registry; without them it says so and passes.
set -eu
cd "$(dirname "$0")"
if ! command -v npm >/dev/null; then
    echo "skipped: no npm"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R . "$work/extension"
cd "$work/extension"
rm -rf node_modules out
if ! timeout 300 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1; then
    if timeout 20 npm view esbuild version >/dev/null 2>&1; then
        cat npm.log
        echo "the packages of the extension cannot be installed"
        exit 1
    fi
    echo "skipped: the packages of the extension cannot be fetched"
    exit 0
fi
npm run --silent build
npm run --silent package -- --out "$work/tracehound.vsix"
test -s "$work/tracehound.vsix"
echo "packed: $(wc -c <"$work/tracehound.vsix") bytes"
