# Manages a gate with curl.
C="${CONSOLE_URL:-http://localhost:8787}/console/v1"
call() { curl -sS "$@" -H 'SERVICE-API-KEY: console-local' -H 'Content-Type: application/json'; echo; }
call "$C/gates" -d '{"name": "Curl banner", "rules": [{"name": "A tenth", "passPercentage": 10, "conditions": [{"type": "public"}]}]}'
V=$(curl -sI "$C/gates/curl_banner" -H 'SERVICE-API-KEY: console-local' | grep -i '^etag' | tr -d '\r' | cut -d ' ' -f 2)
# Changes only this version: 412 if it is no longer the newest.
call -X PATCH "$C/gates/curl_banner" -H "If-Match: $V" -d '{"description": "On the home page."}'
call -X PATCH "$C/gates/curl_banner" -H "If-Match: $V" -d '{"description": "On each page."}'
call -X DELETE "$C/gates/curl_banner"
