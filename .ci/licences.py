"""Says which packages have a licence or an origin that deny.toml does not allow.

    cargo metadata --locked --format-version 1 | python3 .ci/licences.py .ci/deny.toml

Reads expressions of SPDX: of `or` one side must be allowed, of `and` both.
"""

import json
import re
import sys
import tomllib


def is_allowed(expression, allowed):
    """Whether an expression of SPDX can be satisfied by the allowed licences."""
    # An old way to write `or`.
    text = expression.replace("/", " OR ")
    tokens = re.findall(r"[()]|[^\s()]+", text)

    def alternatives():
        value = conjunction()
        while tokens and tokens[0].upper() == "OR":
            tokens.pop(0)
            value = conjunction() or value
        return value

    def conjunction():
        value = licence()
        while tokens and tokens[0].upper() == "AND":
            tokens.pop(0)
            value = licence() and value
        return value

    def licence():
        name = tokens.pop(0)
        if name == "(":
            value = alternatives()
            tokens.pop(0)
            return value
        if tokens and tokens[0].upper() == "WITH":
            tokens.pop(0)
            name += " WITH " + tokens.pop(0)
        return name in allowed

    return alternatives()


def main():
    with open(sys.argv[1], "rb") as file:
        allowed = set(tomllib.load(file)["licenses"]["allow"])
    packages = json.load(sys.stdin)["packages"]
    wrong = []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        source = package["source"]
        if not package["license"] or not is_allowed(package["license"], allowed):
            wrong.append(f"{name}: the licence {package['license']} is not allowed")
        if source and not source.startswith("registry+"):
            wrong.append(f"{name}: comes from {source}, not from a registry")
    print("\n".join(wrong) or f"{len(packages)} packages: licences and sources are allowed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
