"""Manages a gate with only the standard library of Python."""

import json
import os
import urllib.error
import urllib.request

BASE = os.environ.get("CONSOLE_URL", "http://localhost:8787") + "/console/v1"


def call(method, path, body=None, **headers):
    """Returns the status and the JSON of the response, also for a problem."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(
        BASE + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"SERVICE-API-KEY": "console-local", "Content-Type": "application/json", **headers},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as problem:
        return problem.code, json.load(problem)


rule = {"name": "A tenth", "passPercentage": 10, "conditions": [{"type": "public"}]}
_, made = call("POST", "/gates", {"name": "Python banner", "rules": [rule]})
print(made["message"])
gate = f"/gates/{made['data']['id']}"
version = f'"{made["data"]["version"]}"'

# Changes only this version: 412 if it is no longer the newest.
twenty = {"rules": [{**rule, "passPercentage": 20}]}
_, changed = call("PATCH", gate, twenty, If_Match=version)
print(f"version {changed['data']['version']}: {changed['data']['rules'][0]['passPercentage']} %")
status, problem = call("PATCH", gate, twenty, If_Match=version)
print(f"{status}: {problem['title']}")

_, gone = call("DELETE", gate)
print(gone["message"])
