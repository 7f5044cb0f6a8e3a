#!/bin/sh
# Whether a real editor gets along with the server: Neovim without a screen opens a script, sees a problem, mends it, and checks an
# assertion. The first argument is the binary. Without Neovim it says so and passes.
set -eu
if ! command -v nvim >/dev/null; then
    echo "skipped: no Neovim"
    exit 0
fi
here=$(cd "$(dirname "$0")" && pwd)
binary=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'channel coin, coffee\nMACHINE=con -> coffee -> MACHINE\nassert MACHINE :[deadlock free]\n' >"$work/machine.csp"
cd "$work"
TRACEHOUND="$binary" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/data" \
    timeout 120 nvim --headless -u NONE -i NONE machine.csp -c "luafile $here/check.lua"
