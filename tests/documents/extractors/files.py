"""Files made by code, as companies make them: each returns the path it wrote."""

from __future__ import annotations

import io
from pathlib import Path

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

_STYLES = getSampleStyleSheet()
BODY = ParagraphStyle(
    "corpo", parent=_STYLES["BodyText"], fontSize=10.5, leading=14, alignment=TA_JUSTIFY, spaceAfter=6
)
TITLE = ParagraphStyle("titulo", parent=_STYLES["Title"], fontSize=18, alignment=TA_CENTER)
H1 = ParagraphStyle("h1", parent=_STYLES["Heading1"], fontSize=14)
H2 = ParagraphStyle("h2", parent=_STYLES["Heading2"], fontSize=12)

PICKING = (
    "O prazo de separação (picking) é de 4 horas úteis para pedidos confirmados até as 14h. Pedidos confirmados "
    "depois desse horário entram na fila da segunda-feira ou do dia útil seguinte, conforme a escala publicada pela "
    "supervisão do CD-SP, e seguem a ordem de chegada registrada no sistema de gestão de armazém."
)
FILLER = (
    "As equipes registram a ocorrência no sistema, avisam a supervisão e aguardam a liberação por escrito antes de "
    "retomar a atividade. A liberação vale para o turno em que foi dada e não dispensa o uso dos equipamentos de "
    "proteção."
)
DEADLINES = [["Cidade", "Prazo", "Valor máximo"]] + [
    [f"Cidade {number:02d}", f"{number} dias úteis", f"R$ {number * 100},00"] for number in range(1, 61)
]


def _running(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.drawString(
        2 * cm, 28.4 * cm, "Transportes Rápidos S.A. – Manual de operação CD-SP – Revisão 3 de 10/03/2026"
    )
    canvas.drawRightString(19 * cm, 1.2 * cm, f"Página {canvas.getPageNumber()} de 9")
    canvas.restoreState()


def manual_pdf(path: Path) -> Path:
    """Numbered headings, running header and footer, justified text over pages, lists, a table over two pages."""
    grid = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
            ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey),
            ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ]
    )
    merged = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("SPAN", (0, 1), (0, 2))])
    story = [
        Paragraph("Manual de operação CD-SP", TITLE),
        Paragraph("Este manual vale para o centro de distribuição de São Paulo.", BODY),
        Paragraph("1. Objetivo", H1),
        *[Paragraph(FILLER, BODY) for _ in range(9)],
        Paragraph("2. Vedações", H1),
        Paragraph("São vedados:", BODY),
        ListFlowable(
            [ListItem(Paragraph(text, BODY)) for text in ("fumar na doca;", "operar empilhadeira sem habilitação;")],
            bulletType="bullet",
        ),
        Paragraph("a) entrar sem crachá;", BODY),
        Paragraph("b) fotografar a carga.", BODY),
        Paragraph("4. Prazos", H1),
        Paragraph(PICKING, BODY),
        Paragraph("4.2 Exceções", H2),
        *[Paragraph(FILLER, BODY) for _ in range(6)],
        Table(DEADLINES, colWidths=[5 * cm, 4 * cm, 4 * cm], repeatRows=1, style=grid),
        Spacer(1, 12),
        Paragraph("5. Alçadas", H1),
        Table(
            [["Cargo", "Gasto", "Limite"], ["Gerente", "Viagem", "R$ 5.000,00"], ["", "Compra", "R$ 2.000,00"],
             ["Diretor", "Viagem", "R$ 20.000,00"]],
            style=merged,
        ),
        Paragraph("ANEXO A – Contatos", H1),
        Paragraph("Supervisão do turno da noite: ramal 4021.", BODY),
    ]  # fmt: skip
    SimpleDocTemplate(str(path), pagesize=A4, title="Manual de operação CD-SP").build(
        story, onFirstPage=_running, onLaterPages=_running
    )
    return path


def locked_pdf(path: Path, user_password: str = "segredo") -> Path:
    canvas = Canvas(str(path), encrypt=StandardEncryption(user_password, ownerPassword="dono", canCopy=0))
    canvas.drawString(72, 700, "O limite de reembolso é de R$ 300,00 por dia.")
    canvas.save()
    return path


def scanned_pdf(path: Path, pages: int = 2) -> Path:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    image = Image.new("L", (200, 280), 255)
    for x in range(20, 180):
        image.putpixel((x, 100), 0)
    canvas = Canvas(str(path), pagesize=A4)
    for _ in range(pages):
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        buffer.seek(0)
        canvas.drawImage(ImageReader(buffer), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return path


def lines_pdf(path: Path, pages: list[list[tuple[float, float, str, str, float]]]) -> Path:
    """Each page a list of (x, y, text, font, size): for layouts that platypus would not make."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in pages:
        for x, y, text, font, size in page:
            canvas.setFont(font, size)
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return path


def numbered_docx(path: Path) -> Path:
    """Headings by style, Word's automatic numbers, a table with merged cells, an unfilled template field."""
    document = docx.Document()
    document.add_paragraph("Política de Home Office", style="Title")
    document.add_heading("1. Objetivo", 1)
    document.add_paragraph("Esta política define o trabalho remoto de ${empresa-nome}.")
    document.add_heading("2. Regras", 1)
    document.add_heading("2.1 Dias", 2)
    document.add_paragraph("São dois dias presenciais por semana:")
    for text in ("terça-feira;", "quinta-feira."):
        document.add_paragraph(text, style="List Number")
    document.add_paragraph("Cabe ao gestor:")
    for text in ("aprovar a escala", "registrar faltas"):
        document.add_paragraph(text, style="List Bullet")
    table = document.add_table(rows=4, cols=3)
    for y, row in enumerate(
        [("Cargo", "Gasto", "Limite"), ("Gerente", "Viagem", "R$ 5.000,00"), ("", "Compra", "R$ 2.000,00"),
         ("Diretor", "Viagem", "R$ 20.000,00")]
    ):  # fmt: skip
        for x, value in enumerate(row):
            table.cell(y, x).text = value
    table.cell(1, 0).merge(table.cell(2, 0))
    document.save(str(path))
    return path


def outline_numbered_docx(path: Path) -> Path:
    """Headings whose numbers Word draws: "1", "1.1" and items "a)" live in numbering.xml, not in the text."""
    document = docx.Document()
    numbering = document.part.numbering_part.element
    abstract = OxmlElement("w:abstractNum")
    abstract.set(qn("w:abstractNumId"), "90")
    for level, (fmt, pattern) in enumerate([("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "%3)")]):
        node = OxmlElement("w:lvl")
        node.set(qn("w:ilvl"), str(level))
        for tag, value in (("w:start", "1"), ("w:numFmt", fmt), ("w:lvlText", pattern)):
            child = OxmlElement(tag)
            child.set(qn("w:val"), value)
            node.append(child)
        abstract.append(node)
    numbering.insert(0, abstract)
    num = OxmlElement("w:num")
    num.set(qn("w:numId"), "90")
    reference = OxmlElement("w:abstractNumId")
    reference.set(qn("w:val"), "90")
    num.append(reference)
    numbering.append(num)

    def numbered(text: str, level: int, style: str) -> None:
        paragraph = document.add_paragraph(text, style=style)
        properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
        properties.get_or_add_ilvl().val = level
        properties.get_or_add_numId().val = 90

    numbered("Objetivo", 0, "Heading 1")
    document.add_paragraph("Define regras.")
    numbered("Prazos", 0, "Heading 1")
    numbered("Separação", 1, "Heading 2")
    document.add_paragraph("Cabe ao operador:")
    numbered("conferir a carga;", 2, "Normal")
    numbered("assinar o romaneio.", 2, "Normal")
    numbered("Entrega", 1, "Heading 2")
    document.add_paragraph("Entrega em 24 horas.")
    document.save(str(path))
    return path
