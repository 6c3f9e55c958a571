# The smallest server: one tool, the handshake, no process of its own. For tests that start very many.
printf 'pid %s\n' "$$" >&2
while IFS= read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) body='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1"}}' ;;
    *'"tools/list"'*) body='"result":{"tools":[{"name":"tell","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) body='"result":{"content":[{"type":"text","text":"told"}]}' ;;
    *) body='"error":{"code":-32601,"message":"no such method"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$body"
done
