# One flag for one user, with nothing but curl.
curl -sS "${CONSOLE_URL:-http://localhost:8787}/ofrep/v1/evaluate/flags/employees" \
  -H 'Authorization: Bearer secret-local' -H 'Content-Type: application/json' \
  -d '{"context": {"targetingKey": "customer-7", "email": "kim@shop.example"}}'
