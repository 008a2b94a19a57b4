"""Checks the HTTP interface and its description with tools of others: see tools/api, which installs them and runs this."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing

from openapi import Document
from openapi_spec_validator import OpenAPIV30SpecValidator, validate
from recorded import PATH, Recorded, examples
from service import TOP, Service

# The approximate number of operations that schemathesis tests, each with its own cases.
OPERATIONS = 90


def recorded(document):
    """The recorded answers are as the description says, and hold nothing that it does not name."""
    faults, count = [], 0
    for one in Recorded.all(PATH):
        count += 1
        media_type = one.answer_headers.get("content-type", "").split(";")[0]
        faults += document.faults(one.method, one.path, one.status, media_type, one.answer)
    assert not faults, "\n".join(faults)
    with open(f"{TOP}/Sources/PageFiles/examples.json", encoding="utf-8") as file:
        assert json.load(file) == examples(document.names), "the examples are not of the answers: run tools/reference"
    return f"{count} answers"


def schemathesis(service, token, options, folder):
    """schemathesis finds nothing: what it sends is answered as the description says."""
    command = ["st", "--config-file", f"{TOP}/tools/schemathesis.toml", "run", f"{service.url}/openapi.json",
               "--header", f"Authorization: Bearer {token}",
               "--checks", "all", "--exclude-checks", "positive_data_acceptance",
               "--generation-with-security-parameters", "false", "--phases", "examples,coverage,fuzzing",
               "--continue-on-failure", "--no-color",
               # The service waits up to 10 s for a webhook's receiver.
               "--request-timeout", "20", "--max-response-time", "15", "--generation-database", "none",
               "--max-examples", str(max(1, options.cases // OPERATIONS))]
    if options.seconds:
        command += ["--max-time", str(options.seconds)]
    if options.seed is not None:
        command += ["--seed", str(options.seed)]
    hooks = {"SCHEMATHESIS_HOOKS": "schemathesis_checks", "PYTHONPATH": f"{TOP}/tools"}
    run = subprocess.run(command, env={**os.environ, **hooks}, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-100_000:] + run.stderr[-2_000:]
    return re.search(r"(\d+) generated", run.stdout).group(0)


def features(service, token):
    """The description for map programs is valid OpenAPI 3.0."""
    request = urllib.request.Request(f"{service.url}/ogc/api", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        document = json.load(answer)
    validate(document, cls=OpenAPIV30SpecValidator)
    return f"{len(document['paths'])} paths"


def client(service, token, document, folder):
    """A client that openapi-python-client makes asks what README asks, and gets what README shows."""
    with open(f"{folder}/openapi.json", "w", encoding="utf-8") as file:
        file.write(document)
    subprocess.run(["openapi-python-client", "generate", "--meta", "none", "--path", f"{folder}/openapi.json",
                    "--output-path", f"{folder}/cerca_client"], check=True, capture_output=True)
    sys.path.insert(0, folder)
    from cerca_client import AuthenticatedClient
    from cerca_client.api.friends import find_nearest_friends
    from cerca_client.api.places import find_nearest_places
    from cerca_client.api.positions import record_pings
    from cerca_client.api.stores import find_nearest_stores
    from cerca_client.api.strangers import discover_people
    from cerca_client.models import Ping
    from datetime import datetime, timezone
    with AuthenticatedClient(base_url=service.url, token=token) as cerca:
        friends = find_nearest_friends.sync("ana", client=cerca, limit=2)
        assert [friend.id for friend in friends.items] == ["luis", "sergio"], friends
        stores = find_nearest_stores.sync(
            client=cerca, lat=39.4699, lon=-0.3763, category=["pump"], color=["red"], size=["EU:37"], price_max=6000,
            currency="EUR", open_at=datetime(2026, 11, 21, 11, tzinfo=timezone.utc), limit=1)
        assert stores.items[0].id == "zapateria-0136" and stores.items[0].products[0].price == 4950, stores
        strangers = discover_people.sync("ana", client=cerca, within_m=10_000, age_max=40, limit=1)
        assert re.fullmatch(r"<\d+km", strangers.items[0].distance), strangers
        report = record_pings.sync(client=cerca, body=Ping(person="ana", lat=39.4751, lon=-0.3768))
        assert report.verdicts == ["stored"] and report.hint.beyond_m == 500, report
        mistake = find_nearest_places.sync(client=cerca, lat=139, lon=-0.4)
        assert mistake.code == "invalid_parameter" and "swapped" in mistake.detail, mistake
    return "5 requests"


def typescript(service, token, document, folder):
    """A client that OpenAPI Generator makes in TypeScript holds what its types say, and asks what README asks."""
    subprocess.run(["openapi-generator-cli", "generate", "-g", "typescript-fetch", "-i", f"{folder}/openapi.json",
                    "-o", f"{folder}/client"], check=True, capture_output=True)
    shutil.copy(f"{TOP}/tools/client_walk.ts", folder)
    # The generated type checks of `object` need TypeScript 4.9; Debian has 4.8.
    checked = subprocess.run(["tsc", "--strict", "--noImplicitAny", "false", "--target", "es2020", "--lib", "es2020,dom",
                              "--module", "commonjs", "--moduleResolution", "node", "--outDir", f"{folder}/walk",
                              f"{folder}/client_walk.ts"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    walked = subprocess.run(["node", f"{folder}/walk/client_walk.js", service.url, token], capture_output=True, text=True)
    assert walked.returncode == 0, walked.stdout + walked.stderr
    return walked.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=f"{TOP}/.build/release/cerca")
    parser.add_argument("--cases", type=int, default=1_000)
    parser.add_argument("--seconds", type=int, help="for schemathesis, which then tries what it can in that time")
    parser.add_argument("--seed", type=int, help="what schemathesis draws by, as a failure names it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Wrong tokens are tested faster than the rate limit of an address allows.
        settings = {"CERCA_KEY_FILE": f"{folder}/keys.json", "CERCA_LIMITS_ADDRESS_RATE": "0"}
        subprocess.run([options.program, "token", "--new-key", settings["CERCA_KEY_FILE"]], check=True, capture_output=True)
        with closing(Service(options.program, folder, settings)) as service:
            token = service.run("token", "--sub", "backend", "--scope", "service")
            text = service.run("openapi")
            document = Document(text)
            for check, arguments in [(recorded, [document]), (features, [service, token]),
                                     (client, [service, token, text, folder]),
                                     (typescript, [service, token, text, folder]),
                                     (schemathesis, [service, token, options, folder])]:
                begun = time.monotonic()
                said = check(*arguments)
                print(f"{check.__name__}: {check.__doc__} ({said}, {time.monotonic() - begun:.1f} s)", flush=True)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"{error}")
