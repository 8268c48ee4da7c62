"""What a page says about its document beside the text: headers, footers, breadcrumbs, file properties."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

KIND_LABELS = {
    "policy": "Política",
    "manual": "Manual",
    "procedure": "Procedimento",
    "faq": "Perguntas frequentes",
    "wiki": "Página da wiki",
    "minutes": "Ata de reunião",
}
CLASSIFICATION_LABELS = {
    "public": "Público",
    "internal": "Uso interno",
    "confidential": "Confidencial",
    "restricted": "Restrito",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind` and `classification` are the manifest's codes; `area` is the area's name as people say it."""

    company: str
    code: str
    label: str
    kind: str
    area: str
    classification: str
    dated: date | None

    @property
    def kind_label(self) -> str:
        return KIND_LABELS.get(self.kind, self.kind.capitalize())

    @property
    def classification_label(self) -> str:
        return CLASSIFICATION_LABELS.get(self.classification, self.classification)

    @property
    def reference(self) -> str:
        """The line that a footer carries: `home-office · v2 · Uso interno`."""
        return f"{self.code} · {self.label} · {self.classification_label}"
