"""The files of a deployment, checked as far as a machine without a container engine can.

`compose-spec.json` is the published schema of the Compose specification (Apache License 2.0).
"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from jsonschema import Draft202012Validator

from documents.models import Job
from kbportal.embedded.paths import ROOT

COMPOSE = (ROOT / "docker-compose.yml").read_text()
DEPLOY = (ROOT / "docs" / "deploy.md").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
ENTRYPOINT = (ROOT / "docker" / "entrypoint.sh").read_text()
KEY = (ROOT / "docker" / "elasticsearch-key.sh").read_text()
SECRETS = {"KB_SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "ELASTIC_PASSWORD"}
ONE_SHOT = {"migrate", "elasticsearch-certificates", "elasticsearch-key"}
PORTAL = {"migrate", "web", "worker", "bulk", "beat"}
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)(:[?-])?([^}]*)\}")
PINNED = re.compile(r"^[a-z0-9./-]+:\d+\.\d+(\.\d+)?[a-z0-9.-]*$")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load(COMPOSE))


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return dict(compose["services"])


def variables() -> dict[str, tuple[str, str]]:
    """Name → how it is asked for (`:?` refuses to start, `:-` has a default) and what follows."""
    return {name: (how, rest) for name, how, rest in VARIABLE.findall(COMPOSE)}


def test_it_is_what_the_specification_allows(compose: dict[str, Any]) -> None:
    schema = json.loads(Path(__file__).with_name("compose-spec.json").read_text())
    assert [error.message for error in Draft202012Validator(schema).iter_errors(compose)] == []


def test_the_look_would_see_a_slip(compose: dict[str, Any]) -> None:
    schema = json.loads(Path(__file__).with_name("compose-spec.json").read_text())
    slip = json.loads(json.dumps(compose))
    slip["services"]["web"]["helthcheck"] = {}
    assert list(Draft202012Validator(schema).iter_errors(slip))


def test_every_part_of_the_full_form_is_there(services: dict[str, dict[str, Any]]) -> None:
    assert {"postgres", "elasticsearch", "redis"} | PORTAL <= services.keys()
    assert "pgvector" in services["postgres"]["image"]


def test_images_are_pinned_by_version(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        image = service["image"].replace("${KB_VERSION:-0.1.0}", "0.1.0")
        assert PINNED.match(image), name
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert bases
    assert all(PINNED.match(base) for base in bases)


def test_what_runs_on_is_looked_after(services: dict[str, dict[str, Any]]) -> None:
    for name in services.keys() - ONE_SHOT:
        assert services[name]["healthcheck"]["test"], name
        assert services[name]["restart"] == "unless-stopped", name
    assert all(services[name]["restart"] == "no" for name in ONE_SHOT)


def test_who_waits_for_whom(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        for other, how in service.get("depends_on", {}).items():
            ends = "service_completed_successfully" if other in ONE_SHOT else "service_healthy"
            assert (other in services, how["condition"]) == (True, ends), (name, other)
    for name in PORTAL - {"migrate"}:
        assert {"migrate", "redis", "elasticsearch"} <= services[name]["depends_on"].keys()


def test_volumes_and_networks_are_declared(compose: dict[str, Any], services: dict[str, dict[str, Any]]) -> None:
    for service in services.values():
        named = {volume.split(":")[0] for volume in service.get("volumes", []) if volume[0] not in "./"}
        assert named <= compose["volumes"].keys()
        assert set(service.get("networks", [])) <= compose["networks"].keys()
        for volume in service.get("volumes", []):
            if volume.startswith("./"):
                assert (ROOT / volume.split(":")[0]).is_file()
    for name in ("postgres", "elasticsearch", "redis"):
        assert services[name]["volumes"], "what it keeps outlives it"


def test_only_the_web_process_is_reached_from_outside(
    compose: dict[str, Any], services: dict[str, dict[str, Any]]
) -> None:
    assert compose["networks"]["inside"]["internal"] is True
    for name, service in services.items():
        assert ("ports" in service) == (name == "web")
        if name == "elasticsearch-certificates":
            assert service["network_mode"] == "none"
        elif name not in PORTAL:
            assert service["networks"] == ["inside"]
    assert services["web"]["ports"] == ["${KB_PUBLISH:-127.0.0.1:8000}:8000"], "on loopback unless told otherwise"


def test_the_engine_has_its_security_on_and_the_portal_a_key_of_its_own(services: dict[str, dict[str, Any]]) -> None:
    engine = services["elasticsearch"]["environment"]
    assert engine["xpack.security.enabled"] == engine["xpack.security.http.ssl.enabled"] == "true"
    for name in PORTAL:
        environment = services[name]["environment"]
        assert "ELASTIC_PASSWORD" not in environment
        assert environment["ELASTICSEARCH_API_KEY_FILE"]
        assert environment["KB_ENGINE"] == "elasticsearch"


def test_what_goes_to_the_engine_is_encrypted_and_its_certificate_is_checked(
    services: dict[str, dict[str, Any]],
) -> None:
    assert not re.search(r"http://[^ ]*:9200", COMPOSE + ENTRYPOINT + KEY)
    assert "--insecure" not in COMPOSE + KEY
    for name in PORTAL:
        environment = services[name]["environment"]
        assert environment["ELASTICSEARCH_URL"] == "https://elasticsearch:9200"
        folder = Path(environment["ELASTICSEARCH_CA_CERTS"]).parent
        assert any(volume.split(":")[1] == str(folder) for volume in services[name]["volumes"])
    holders = {name for name, service in services.items() if _mounts(service, "elasticsearch-certificates")}
    assert holders == {"elasticsearch", *ONE_SHOT} - {"migrate"}, "nobody else sees the engine's own key"


def _mounts(service: dict[str, Any], volume: str) -> bool:
    return any(one.split(":")[0] == volume for one in service.get("volumes", []))


def test_no_secret_has_a_default() -> None:
    asked = variables()
    assert asked.keys() >= SECRETS
    for name, (how, _rest) in asked.items():
        secret = bool(re.search(r"PASSWORD|SECRET", name))
        assert secret == (name in SECRETS)
        if secret:
            assert how == ":?", f"{name} must be given"
    assert asked["OPENAI_API_KEY"] == (":-", ""), "empty: no endpoint is used"
    assert not re.search(r"(?i)(password|secret)\w*: *['\"]?[a-z0-9]{4,}", COMPOSE), "none is written out"


def test_every_variable_is_documented() -> None:
    told = set(re.findall(r"`(?:…_)?([A-Z][A-Z_]+)`", DEPLOY))
    own = set(re.findall(r"\$\{(KB_\w+|ELASTIC\w+|PROMETHEUS\w+)", ENTRYPOINT))
    assert (set(variables()) | own) - told == set()
    offered = {line.lstrip("#").partition("=")[0] for line in EXAMPLE.splitlines() if re.match(r"#?[A-Z_]+=", line)}
    assert offered == set(variables())
    required = {name for name, (how, _rest) in variables().items() if how == ":?"}
    assert required == {line.partition("=")[0] for line in EXAMPLE.splitlines() if re.match(r"[A-Z_]+=$", line)}


def test_defaults_are_the_documented_ones() -> None:
    for line in EXAMPLE.splitlines():
        if line.startswith("#") and "=" in line and " " not in line:
            name, _, value = line.lstrip("#").partition("=")
            assert variables()[name][1] == value


def test_the_processes_take_every_queue_and_there_is_one_clock(services: dict[str, dict[str, Any]]) -> None:
    assert set(re.findall(r"--queues (\w+)", ENTRYPOINT)) == set(Job.Queue.values)
    assert settings.CELERY_TASK_DEFAULT_QUEUE in Job.Queue.values
    assert [name for name, service in services.items() if service.get("command") == ["beat"]] == ["beat"]
    commands = {service["command"][0] for name, service in services.items() if name in PORTAL}
    assert commands <= set(re.findall(r"^(\w+)\)", ENTRYPOINT, re.MULTILINE))


def test_the_portal_runs_as_nobody_in_particular(services: dict[str, dict[str, Any]]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER kbportal$", dockerfile, re.MULTILINE)
    assert "--require-hashes" in dockerfile
    for name in PORTAL:
        assert services[name]["cap_drop"] == ["ALL"]


@pytest.mark.parametrize("script", ["entrypoint.sh", "elasticsearch-certificates.sh", "elasticsearch-key.sh"])
def test_the_scripts_are_shell(script: str) -> None:
    path = ROOT / "docker" / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(path)], check=True)


def test_the_entry_point_reads_the_key_from_its_file(tmp_path: Path) -> None:
    key = tmp_path / "api_key"
    key.write_text("abc123")
    (tmp_path / "python").write_text('#!/bin/sh\necho "$ELASTICSEARCH_API_KEY $*"\n')
    (tmp_path / "python").chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "ELASTICSEARCH_API_KEY_FILE": str(key)}
    command = ["sh", str(ROOT / "docker" / "entrypoint.sh"), "check_index", "--json"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "abc123 manage.py check_index --json\n"


CERTUTIL = """\
#!/bin/sh
# As the engine's own: a zip of a folder that is called like what it holds.
case "$1" in ca) name=ca ;; *) name=http ;; esac
while [ "$1" != --out ]; do shift; done
made=$(mktemp -d)
mkdir "$made/$name"
echo "key $made" >"$made/$name/$name.key"
echo "certificate $made" >"$made/$name/$name.crt"
cd "$made" && python3 -m zipfile -c "$2" "$name"
"""
UNZIP = '#!/bin/sh\nexec python3 -m zipfile -e "$2" "$4"\n'
CURL = """\
#!/bin/sh
echo "$@" >>"$ASKED"
echo '{"id": "x", "name": "kbportal", "encoded": "bm9ib2R5OnNlY3JldA=="}'
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="gives a file to the engine's user: run as root")
def test_certificates_and_key_are_made_once(tmp_path: Path) -> None:
    """With the tools of the engine's image in miniature."""
    tools, certificates, keys = tmp_path / "tools", tmp_path / "certificates", tmp_path / "keys"
    for folder in (tools, certificates, keys):
        folder.mkdir()
    for name, text in (("elasticsearch-certutil", CERTUTIL), ("unzip", UNZIP), ("curl", CURL)):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    asked = tmp_path / "asked"
    env = {"PATH": f"{tools}:/usr/bin:/bin", "ELASTIC_PASSWORD": "geheim", "ASKED": str(asked)}

    def run(script: str, *folders: Path) -> None:
        subprocess.run(["sh", str(ROOT / "docker" / script), *map(str, folders)], env=env, check=True)

    kept = []
    for _start in range(2):
        run("elasticsearch-certificates.sh", certificates)
        run("elasticsearch-key.sh", certificates, keys)
        kept.append({path.name: path.read_bytes() for folder in (certificates, keys) for path in folder.iterdir()})
    assert kept[0] == kept[1]
    assert kept[0].keys() == {"ca.crt", "http.crt", "http.key", "api_key"}, "the authority's own key is gone"
    assert kept[0]["api_key"] == b"bm9ib2R5OnNlY3JldA=="
    calls = asked.read_text()
    assert calls.count("https://elasticsearch:9200/_security/api_key") == 1
    assert f"--cacert {keys / 'ca.crt'}" in calls
    assert stat.S_IMODE((certificates / "http.key").stat().st_mode) == 0o440
