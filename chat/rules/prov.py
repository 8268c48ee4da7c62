"""An evidence record as W3C PROV-JSON: entities, the activity of answering, and the agents behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PREFIX = {"kb": "urn:kbportal:", "prov": "http://www.w3.org/ns/prov#"}

Section = dict[str, dict[str, Any]]


def document(record: Mapping[str, Any]) -> dict[str, Any]:
    """`record` is a line of the JSONL export. One PROV document; every identifier is a `kb:` name.

    A claim, or an answer that shows a conflict, was quoted from its revisions, a passage was derived from its
    revision, a revision is a specialisation of its document, and a candidate that fell was invalidated for this
    answer by its reason.
    """
    body = record["body"]
    answer, activity = f"kb:answer/{record['id']}", f"kb:ask/{record['id']}"
    reader = f"kb:reader/{record['reader_key']}"
    entities: Section = {answer: {"kb:status": record["status"], "kb:on": record["on"], "kb:hash": record["hash"]}}
    quoted: Section = {}
    derived: Section = {}
    used: Section = {}
    special: Section = {}
    for passage in body["passages"]:
        name, revision = _passage(passage), f"kb:revision/{passage['revision_id']}"
        code = f"kb:document/{passage['document']}"
        entities[name] = {"kb:text_hash": passage["text_hash"], "kb:start": passage["start"], "kb:end": passage["end"]}
        entities[revision] = {"kb:label": passage["revision"]}
        entities[code] = {}
        derived[f"_:d{len(derived)}"] = {"prov:generatedEntity": name, "prov:usedEntity": revision}
        special[f"_:s{len(special)}"] = {"prov:specificEntity": revision, "prov:generalEntity": code}
        used[f"_:u{len(used)}"] = {"prov:activity": activity, "prov:entity": name}
    quotes = [(answer, cited) for cited in body["conflict"]]
    for number, claim in enumerate(body["claims"], 1):
        name = f"{answer}/claim/{number}"
        entities[name] = _said("prov:value", claim["text"])
        derived[f"_:d{len(derived)}"] = {"prov:generatedEntity": answer, "prov:usedEntity": name}
        quotes += [(name, cited) for cited in claim["citations"]]
    for name, cited in quotes:
        source = f"kb:revision/{cited['revision_id']}"
        entities.setdefault(source, {"kb:label": cited["revision"]})
        quoted[f"_:q{len(quoted)}"] = {
            "prov:generatedEntity": name,
            "prov:usedEntity": source,
            **_said("kb:quote", cited["quote"]),
        }
    fallen: Section = {}
    for item in body["candidates"]:
        if item["reason"] != "eligible":
            name = f"kb:candidate/{item['chunk']}"
            entities[name] = {"kb:document": item["document"], "kb:revision": item["revision"]}
            fallen[f"_:i{len(fallen)}"] = {
                "prov:entity": name,
                "prov:activity": activity,
                "kb:reason": item["reason"],
            }
    times = {"prov:startTime": record["recorded_at"], "prov:endTime": record["recorded_at"]}
    return {
        "prefix": PREFIX,
        "entity": entities,
        "activity": {activity: {**times, **{f"kb:{k}": v for k, v in body["versions"].items()}}},
        "agent": {reader: {"prov:type": "prov:Person"}, "kb:portal": {"prov:type": "prov:SoftwareAgent"}},
        "used": used,
        "wasGeneratedBy": {"_:g0": {"prov:entity": answer, "prov:activity": activity}},
        "wasAssociatedWith": {
            "_:a0": {"prov:activity": activity, "prov:agent": reader},
            "_:a1": {"prov:activity": activity, "prov:agent": "kb:portal"},
        },
        "wasQuotedFrom": quoted,
        "wasDerivedFrom": derived,
        "specializationOf": special,
        "wasInvalidatedBy": fallen,
    }


def _said(name: str, text: str | None) -> dict[str, Any]:
    """Nothing in the place of words that were left out for who reads the export."""
    return {} if text is None else {name: text}


def _passage(passage: Mapping[str, Any]) -> str:
    return f"kb:passage/{passage['revision_id']}/{passage['start']}-{passage['end']}"
