"""Six pictures of the demo for the README: `python -m tests.browser.screenshots` on a running portal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from kbportal.embedded.paths import ROOT
from tests.browser.conftest import CHROMIUM
from tests.browser.portal import sign_in

FOLDER = ROOT / "docs" / "images"
COLOURS = 96
"""A page has few colours; so a picture has a tenth of its bytes."""


@dataclass(frozen=True)
class Picture:
    name: str
    username: str
    path: str
    act: Callable[[Page], None] = lambda page: None
    width: int = 1280
    height: int = 860
    dark: bool = False


def ask(question: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.get_by_label("Pergunta").fill(question)
        page.get_by_role("button", name="Perguntar").click()
        page.locator("article[data-status]").last.wait_for()

    return act


def open_first(selector: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.locator(selector).first.click()
        page.wait_for_load_state("networkidle")

    return act


PICTURES = (
    Picture("chat", "ana.ops", "/", ask("qual o prazo de separação de pedidos no CD-SP?")),
    Picture("chat-phone", "joao.poa", "/", ask("qual o limite de hospedagem em viagem?"), 360, 740, dark=True),
    Picture("document", "ana.ops", "/documentos/home-office/"),
    Picture("admin", "carla.rh", "/admin/"),
    Picture("evidence", "lucas.auditor", "/evidencias/", open_first("main table tbody a, main .list a")),
    Picture("dashboard", "lucas.auditor", "/painel/"),
)


def main(urls: Sequence[str]) -> None:
    url = urls[0] if urls else "http://127.0.0.1:8000"
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for picture in PICTURES:
            context = browser.new_context(
                base_url=url,
                viewport={"width": picture.width, "height": picture.height},
                color_scheme="dark" if picture.dark else "light",
                locale="pt-BR",
            )
            page = context.new_page()
            sign_in(page, picture.username)
            page.goto(picture.path)
            picture.act(page)
            save(page.screenshot(), FOLDER / f"{picture.name}.png")
            context.close()
        browser.close()


def save(shot: bytes, path: Path) -> None:
    Image.open(BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
